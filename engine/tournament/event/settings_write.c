/* Writing settings: every field of every stage, in byte order of the names. */
#include <assert.h>
#include <string.h>

#include "engine/tournament/event/settings_parts.h"

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

/* The value of a number, a boolean or a word. */
static json_t *write_number(const struct settings_field *field, int number)
{
    if (field->kind == FIELD_YES_NO)
        return json_boolean(number);
    return field->kind == FIELD_WORD ? json_string(field->words[number]) : json_integer(number);
}

static json_t *write_field(const struct stage_settings *stage, const struct settings_field *field)
{
    switch (field->kind) {
    case FIELD_SCORING:
        return settings_write_scoring(stage);
    case FIELD_CHAIN:
        return write_chain(stage);
    case FIELD_UNPLAYED:
        return json_string(unplayed_rules_name(stage->unplayed));
    case FIELD_APART:
        return write_apart(stage, field->name);
    default:
        return write_number(field, settings_number(stage, field));
    }
}

/* A stage as a new object with every field of its format. */
static json_t *settings_write_stage(const struct stage_settings *stage, bool first)
{
    json_t *object = json_object();
    for (size_t i = 0; i < SETTINGS_FIELDS; i++) {
        const struct settings_field *field = &settings_fields[i];
        bool usual = settings_is_seldom(field) && settings_number(stage, field) == field->initial;
        if (settings_has_field(stage->format, field) && !usual &&
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

static json_t *write_hash(const uint8_t hash[static 32])
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, hash, 32);
    return json_string(hex);
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

static void write_own(const struct tournament_settings *settings, const char *name, bool always,
                      json_t *document)
{
    const struct settings_field *field = settings_find_own(name);
    assert(field != NULL);
    int number = settings_number(settings, field);
    if (always || number != field->initial)
        json_object_set_new(document, name, write_number(field, number));
}

/* Earlier logs have many of these fields only where they differ from the default. */
json_t *settings_write(const struct tournament_settings *settings)
{
    json_t *document = json_object(), *stages = json_array();
    for (size_t i = 0; i < settings->stage_count; i++)
        json_array_append_new(stages, settings_write_stage(&settings->stage[i], i == 0));
    json_object_set_new(document, "capacity",
                        settings->capacity == 0 ? json_null() : json_integer(settings->capacity));
    write_own(settings, "check_in", true, document);
    if (settings->other_set)
        json_object_set_new(document, "components", write_hash(settings->set));
    settings_write_dealers(settings, document);
    write_own(settings, "delay_entries", false, document);
    write_own(settings, "entropy_seconds", false, document);
    write_own(settings, "late_entries", true, document);
    json_object_set_new(document, "name", json_string(settings->name));
    json_object_set_new(document, "options", write_options(settings));
    write_own(settings, "protest_minutes", false, document);
    write_own(settings, "confirm_minutes", false, document);
    write_own(settings, "rate_reported", false, document);
    json_object_set_new(document, "ruleset", json_string(settings->game->slug));
    if (settings->same_owner != SAME_OWNER_UNSAID)
        json_object_set_new(
            document, "same_owner",
            json_string(settings_same_owner[settings->same_owner - SAME_OWNER_ALLOWED]));
    write_own(settings, "seeding", true, document);
    json_object_set_new(document, "stages", stages);
    if (settings->clock.kind != CLOCK_NONE)
        json_object_set_new(document, "clock", settings_write_clock(&settings->clock));
    write_own(settings, "on_timeout", false, document);
    write_own(settings, "take_back", false, document);
    write_own(settings, "guests", false, document);
    write_own(settings, "house", false, document);
    write_own(settings, "official_signatures", false, document);
    if (settings->no_bots)
        json_object_set_new(document, "bots", json_false());
    write_own(settings, "rate_house", false, document);
    settings_write_details(settings, document);
    json_object_set_new(document, "version", json_string(settings->game->version));
    return document;
}

/* Changing settings: the organizer's object is merged with the current settings, read as a whole,
 * and checked against what can no longer change. */

static bool names_stage_field(json_t *changes)
{
    const char *name;
    json_t *value;
    json_object_foreach(changes, name, value)
    {
        if (!settings_is_event_field(name))
            return true;
    }
    return false;
}

static void set_fields(json_t *object, json_t *changes, bool of_event)
{
    const char *name;
    json_t *value;
    json_object_foreach(changes, name, value)
    {
        if (settings_is_event_field(name) == of_event)
            json_object_set(object, name, value);
    }
}

static void drop_seats(json_t *stages)
{
    json_t *stage;
    size_t i;
    json_array_foreach(stages, i, stage)
    {
        json_object_del(stage, "seats_max");
        json_object_del(stage, "seats_min");
        json_object_del(stage, "seats_preferred");
    }
}

/* Another ruleset has its own newest version, options and seats. */
static bool changes_ruleset(const struct tournament_settings *now, json_t *changes)
{
    const char *slug = json_string_value(json_object_get(changes, "ruleset"));
    return slug != NULL && strcmp(slug, now->game->slug) != 0;
}

/* Another format starts with its own defaults. */
static bool changes_format(const struct tournament_settings *now, json_t *changes)
{
    const char *format = json_string_value(json_object_get(changes, "format"));
    return format != NULL && strcmp(format, settings_formats[now->stage[0].format].name) != 0;
}

/* A field that the change does not set, and that exceeds the new value of its limit, returns to its
 * default. */
static void drop_beyond(json_t *stage, const json_t *changes, const char *name, const char *least,
                        const char *most)
{
    const json_t *value = json_object_get(stage, name);
    const json_t *low = json_object_get(stage, least), *high = json_object_get(stage, most);
    bool fits = (!json_is_integer(low) || json_integer_value(value) >= json_integer_value(low)) &&
                (!json_is_integer(high) || json_integer_value(value) <= json_integer_value(high));
    if (value != NULL && !fits && json_object_get(changes, name) == NULL)
        json_object_del(stage, name);
}

static json_t *merge(const struct tournament_settings *now, json_t *changes)
{
    json_t *merged = settings_write(now);
    json_t *stages = json_object_get(merged, "stages");
    if (changes_ruleset(now, changes)) {
        json_object_del(merged, "version");
        json_object_del(merged, "components");
        json_object_del(merged, "options");
        drop_seats(stages);
    }
    if (changes_format(now, changes))
        json_array_set_new(stages, 0, json_object());
    json_t *first = json_array_get(stages, 0);
    set_fields(first, changes, false);
    drop_beyond(first, changes, "seats_preferred", "seats_min", "seats_max");
    drop_beyond(first, changes, "division_smallest", "seats_min", "division");
    set_fields(merged, changes, true);
    return merged;
}

/* An organizer who writes a whole stage that has begun need not know its pairing version. */
static void keep_versions(const struct tournament_settings *now, const json_t *changes,
                          size_t started_stages, struct tournament_settings *result)
{
    const json_t *stages = json_object_get(changes, "stages");
    for (size_t i = 0; i < started_stages && i < result->stage_count; i++)
        if (stages != NULL &&
            json_object_get(json_array_get(stages, i), "pairing_version") == NULL &&
            now->stage[i].format == result->stage[i].format)
            result->stage[i].pairing_version = now->stage[i].pairing_version;
}

/* The rounds that a stage which has begun must keep. If earlier stages have no fixed number of
 * rounds, it is not known here how many rounds of this stage have begun, and it must keep all. */
static unsigned rounds_least(const struct tournament_settings *now, size_t stage,
                             size_t started_stages, unsigned rounds_started)
{
    unsigned before = 0;
    bool known = stage + 1 == started_stages;
    for (size_t i = 0; i < stage; i++) {
        known = known && now->stage[i].rounds > 0;
        before += now->stage[i].rounds;
    }
    return known && rounds_started > before ? rounds_started - before : now->stage[stage].rounds;
}

/* A pod Swiss stage may continue with a newer version, because each round is drawn by itself with
 * the settings of that moment. So an event whose draws take too long in an older version can be
 * completed. */
static bool is_newer_version(const struct settings_field *field, const struct stage_settings *now,
                             const struct stage_settings *then)
{
    return now->format == FORMAT_POD_SWISS && strcmp(field->name, "pairing_version") == 0 &&
           then->pairing_version > now->pairing_version;
}

static bool keeps_stage(const struct settings_reading *reading, const struct stage_settings *now,
                        const struct stage_settings *then, bool first)
{
    json_t *was = settings_write_stage(now, first), *is = settings_write_stage(then, first);
    const char *broken = NULL;
    if (now->format != then->format)
        broken = "format";
    for (size_t i = 0; i < SETTINGS_FIELDS && broken == NULL; i++) {
        const struct settings_field *field = &settings_fields[i];
        if (field->fixed && settings_has_field(now->format, field) &&
            !json_equal(json_object_get(was, field->name), json_object_get(is, field->name)) &&
            json_object_get(was, field->name) != NULL && !is_newer_version(field, now, then))
            broken = field->name;
    }
    json_decref(was);
    json_decref(is);
    return broken == NULL ||
           settings_fail(reading, broken, "can no longer change: the stage has begun.");
}

static bool keeps_stages(const struct settings_reading *reading,
                         const struct tournament_settings *now,
                         const struct tournament_settings *then, size_t started_stages,
                         unsigned rounds_started)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    if (then->stage_count < started_stages)
        return settings_fail(reading, "stages", "must keep every stage that has begun.");
    for (size_t i = 0; i < started_stages; i++) {
        struct settings_reading at = *reading;
        if (json_object_get(reading->object, "stages") != NULL)
            at.prefix = settings_stage_prefix(&text, i);
        if (!keeps_stage(&at, &now->stage[i], &then->stage[i], i == 0))
            return false;
        unsigned least = rounds_least(now, i, started_stages, rounds_started);
        bool ended = i + 1 < started_stages;
        if (then->stage[i].rounds < least || (ended && then->stage[i].rounds > least))
            return settings_fail(&at, "rounds",
                                 ended ? "can no longer change: the stage is over."
                                       : "must not be fewer than have begun.");
    }
    return true;
}

/* A basic of the event that differs, or NULL. */
static const char *find_changed(const struct tournament_settings *now,
                                const struct tournament_settings *then)
{
    if (now->game != then->game)
        return strcmp(now->game->slug, then->game->slug) == 0 ? "version" : "ruleset";
    if (now->other_set != then->other_set ||
        (now->other_set && memcmp(now->set, then->set, sizeof now->set) != 0))
        return "components";
    if (now->rate_house != then->rate_house)
        return "rate_house";
    if (now->rate_reported != then->rate_reported)
        return "rate_reported";
    return memcmp(&now->options, &then->options, sizeof now->options) != 0 ? "options" : NULL;
}

/* The basics of an event cannot change once play has begun. */
static bool keeps_event(const struct settings_reading *reading,
                        const struct tournament_settings *now,
                        const struct tournament_settings *then)
{
    const char *changed = find_changed(now, then);
    if (changed != NULL)
        return settings_fail(reading, changed, "can no longer change: the event has begun.");
    if (!settings_keep_dealers(reading, now, then))
        return false;
    return now->seeding == then->seeding ||
           settings_fail(reading, "seeding", "can no longer change: numbers have been given.");
}

/* If the object had no `stages`, its fields are reported without the prefix. */
static void drop_prefix(struct settings_fault *fault, size_t stages)
{
    static const char prefix[] = "stages[0].";
    size_t length = sizeof prefix - 1;
    if (stages == 1 && strncmp(fault->field, prefix, length) == 0)
        memmove(fault->field, fault->field + length, strlen(fault->field + length) + 1);
}

bool settings_change(const struct tournament_settings *now, json_t *changes, size_t started_stages,
                     unsigned rounds_started, struct tournament_settings *result,
                     struct settings_fault *fault)
{
    struct settings_reading reading = {changes, "", true, NULL, fault};
    *fault = (struct settings_fault){0};
    if (!json_is_object(changes))
        return settings_fail(&reading, "settings", "must be an object.");
    if (names_stage_field(changes) &&
        (now->stage_count > 1 || json_object_get(changes, "stages") != NULL) &&
        !settings_check_event_names(&reading))
        return false;
    json_t *merged = merge(now, changes);
    bool good = settings_read(merged, true, result, fault);
    if (json_object_get(changes, "stages") == NULL)
        drop_prefix(fault, now->stage_count);
    if (json_object_get(changes, "name") == NULL)
        result->name = now->name;
    if (json_object_get(changes, "same_owner") == NULL)
        result->same_owner = now->same_owner;
    for (size_t i = 0; i < SETTINGS_DETAILS; i++)
        if (json_object_get(changes, settings_details[i].name) == NULL)
            result->detail[i] = now->detail[i];
    json_decref(merged);
    if (good)
        keep_versions(now, changes, started_stages, result);
    return good && (started_stages == 0 ||
                    (keeps_event(&reading, now, result) &&
                     keeps_stages(&reading, now, result, started_stages, rounds_started)));
}
