/* Writing settings: every field of every stage, in byte order of the names. */
#include <string.h>

#include "engine/tournament/settings_parts.h"

static json_t *write_chain(const struct stage_settings *stage)
{
    json_t *list = json_array();
    for (size_t i = 0; i < stage->chain_count; i++) {
        char written[TIE_BREAK_CODE_MAX];
        struct text text = TEXT_OVER(written);
        tie_break_write(&stage->chain[i], &text);
        json_array_append_new(list, json_string(written));
    }
    return list;
}

static json_t *write_apart(const struct stage_settings *stage, const char *name)
{
    if (strcmp(name, "format") == 0)
        return json_string(settings_formats[stage->format].name);
    if (strcmp(name, "entrants") == 0)
        return json_integer(stage->entrants);
    if (strcmp(name, "seats_min") == 0)
        return json_integer((json_int_t)settings_smallest_table(stage));
    if (strcmp(name, "seats_max") == 0)
        return json_integer((json_int_t)settings_largest_table(stage));
    return json_integer(stage->table.preferred);
}

static json_t *write_field(const struct stage_settings *stage, const struct settings_field *field)
{
    switch (field->kind) {
    case FIELD_WHOLE:
        return json_integer(settings_number(stage, field));
    case FIELD_YES_NO:
        return json_boolean(settings_number(stage, field));
    case FIELD_WORD:
        return json_string(field->words[settings_number(stage, field)]);
    case FIELD_SCORING:
        return settings_write_scoring(stage);
    case FIELD_CHAIN:
        return write_chain(stage);
    case FIELD_UNPLAYED:
        return json_string(unplayed_rules_name(stage->unplayed));
    default:
        return write_apart(stage, field->name);
    }
}

json_t *settings_write_stage(const struct stage_settings *stage, bool first)
{
    json_t *object = json_object();
    for (size_t i = 0; i < SETTINGS_FIELDS; i++) {
        const struct settings_field *field = &settings_fields[i];
        if (settings_has_field(stage->format, field) &&
            !(first && strcmp(field->name, "entrants") == 0))
            json_object_set_new(object, field->name, write_field(stage, field));
    }
    return object;
}

static json_t *write_options(const struct tournament_settings *settings)
{
    json_t *options = json_object();
    for (size_t i = 0; i < settings->game->option_count; i++) {
        const struct game_option *option = &settings->game->options[i];
        json_object_set_new(options, option->name,
                            json_string(option->values[settings->options.value[i]]));
    }
    return options;
}

json_t *settings_write_clock(const struct clock_control *clock)
{
    if (clock->kind == CLOCK_NONE)
        return json_null();
    if (clock->kind == CLOCK_MOVE)
        return json_pack("{s:I}", "move_ms", (json_int_t)clock->move_ms);
    return json_pack("{s:I, s:I, s:I}", "bank_ms", (json_int_t)clock->bank_ms, "increment_ms",
                     (json_int_t)clock->increment_ms, "cap_ms", (json_int_t)clock->cap_ms);
}

/* Only what is not as usual: logs of before have none of these. */
static void write_play(const struct tournament_settings *settings, json_t *document)
{
    if (settings->clock.kind != CLOCK_NONE)
        json_object_set_new(document, "clock", settings_write_clock(&settings->clock));
    if (settings->on_timeout != TIMEOUT_ARBITER)
        json_object_set_new(document, "on_timeout",
                            json_string(timeout_policy_name(settings->on_timeout)));
    if (settings->take_back)
        json_object_set_new(document, "take_back", json_true());
}

json_t *settings_write(const struct tournament_settings *settings)
{
    json_t *document = json_object(), *stages = json_array();
    for (size_t i = 0; i < settings->stage_count; i++)
        json_array_append_new(stages, settings_write_stage(&settings->stage[i], i == 0));
    json_object_set_new(document, "capacity",
                        settings->capacity == 0 ? json_null() : json_integer(settings->capacity));
    json_object_set_new(document, "check_in", json_boolean(settings->check_in));
    if (settings->delay_entries != 0)
        json_object_set_new(document, "delay_entries", json_integer(settings->delay_entries));
    if (settings->entropy_seconds != 0)
        json_object_set_new(document, "entropy_seconds", json_integer(settings->entropy_seconds));
    json_object_set_new(document, "late_entries", json_integer(settings->late_entries));
    json_object_set_new(document, "name", json_string(settings->name));
    json_object_set_new(document, "options", write_options(settings));
    if (settings->protest_minutes != SETTINGS_PROTEST_MINUTES)
        json_object_set_new(document, "protest_minutes", json_integer(settings->protest_minutes));
    json_object_set_new(document, "ruleset", json_string(settings->game->slug));
    json_object_set_new(document, "seeding", json_string(settings_seedings[settings->seeding]));
    json_object_set_new(document, "stages", stages);
    write_play(settings, document);
    json_object_set_new(document, "version", json_string(settings->game->version));
    return document;
}
