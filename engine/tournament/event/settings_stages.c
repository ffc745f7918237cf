/* Reads the stages of settings field by field, according to the table in settings_fields.c.
 * Constraints among several fields are checked afterwards, in fit_*(). */
#include <assert.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/tournament/event/settings_parts.h"
#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/formats/pods/pod_swiss.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"

/* ---- The format, and what depends on it ---- */

static bool read_format(const struct settings_reading *reading, struct stage_settings *stage)
{
    const char *words[TOURNAMENT_FORMATS + 1] = {NULL};
    int index;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        words[i] = settings_formats[i].name;
    if (!settings_read_word(reading, "format", words, TOURNAMENT_FORMATS, FORMAT_POD_SWISS, &index))
        return false;
    stage->format = (enum tournament_format)index;
    return true;
}

static bool fail_unknown(const struct settings_reading *reading, const char *name,
                         enum tournament_format format)
{
    char message[120];
    struct text text = TEXT_OVER(message);
    const struct settings_field *other = settings_find_field(name);
    if (other == NULL)
        return settings_fail_as(reading, SETTINGS_FAULT_UNKNOWN, name,
                                "is not a field of an event.");
    if (other->formats == 1U << FORMAT_DUPLICATE)
        return settings_fail(reading, name, "is for duplicate events only.");
    if (strcmp(name, "entrants") == 0)
        return settings_fail(reading, name, "is for stages after the first.");
    text_add(&text, "is not a field of the format ");
    text_add(&text, settings_formats[format].name);
    text_add_char(&text, '.');
    return settings_fail(reading, name, message);
}

/* `flat`: the fields of the event stand beside those of the stage. */
static bool check_names(const struct settings_reading *reading, enum tournament_format format,
                        bool first, bool flat)
{
    const char *name;
    json_t *value;
    json_object_foreach(reading->object, name, value)
    {
        bool known = settings_find_field_of(format, name) != NULL &&
                     !(first && strcmp(name, "entrants") == 0);
        if (!known && !(flat && settings_is_event_field(name)))
            return fail_unknown(reading, name, format);
    }
    return true;
}

/* Tables of one size: results of different sizes could not be compared. */
static bool read_same_seats(const struct settings_reading *reading, const char *field, int seats)
{
    int least = (int)reading->game->seats_min, most = (int)reading->game->seats_max, given;
    return settings_read_whole(reading, field, least, most, seats, &given) &&
           (given == seats ||
            settings_fail(reading, field,
                          "must be the same as seats_preferred, since all tables of a duplicate "
                          "event have one size."));
}

static bool read_equal_seats(const struct settings_reading *reading, struct table_rule *rule)
{
    int least = (int)reading->game->seats_min, most = (int)reading->game->seats_max, seats;
    if (!settings_read_whole(reading, "seats_preferred", least, most, most, &seats) ||
        !read_same_seats(reading, "seats_min", seats) ||
        !read_same_seats(reading, "seats_max", seats))
        return false;
    *rule = table_rule_range((uint8_t)seats, (uint8_t)seats, (uint8_t)seats);
    return true;
}

static bool read_seats(const struct settings_reading *reading, struct table_rule *rule)
{
    int least = reading->game->seats_min < 2 ? 2 : (int)reading->game->seats_min;
    int most = (int)reading->game->seats_max, smallest, largest, preferred;
    if (!settings_read_whole(reading, "seats_min", least, most, least, &smallest) ||
        !settings_read_whole(reading, "seats_max", smallest, most, most, &largest) ||
        !settings_read_whole(reading, "seats_preferred", smallest, largest, largest, &preferred))
        return false;
    *rule = table_rule_range((uint8_t)smallest, (uint8_t)largest, (uint8_t)preferred);
    return true;
}

/* Checks that the ruleset can be played at the tables of the format. */
static bool read_tables(const struct settings_reading *reading, struct stage_settings *stage)
{
    if (stage->format == FORMAT_DUPLICATE)
        return read_equal_seats(reading, &stage->table);
    if (reading->game->seats_max < 2)
        return settings_fail(reading, "format",
                             "cannot be used with a ruleset for one seat; use duplicate.");
    if (!settings_formats[stage->format].two)
        return read_seats(reading, &stage->table);
    stage->table = table_rule_range(2, 2, 2);
    return reading->game->seats_min <= 2 ||
           settings_fail(reading, "format",
                         "has tables of two, which this ruleset does not support.");
}

unsigned settings_smallest_table(const struct stage_settings *stage)
{
    return table_rule_smallest(stage->table);
}

unsigned settings_largest_table(const struct stage_settings *stage)
{
    return 31U - (unsigned)__builtin_clz(stage->table.allowed);
}

static bool has_tables_of_two(const struct stage_settings *stage)
{
    return settings_largest_table(stage) == 2;
}

static unsigned round_robin_most(bool twice)
{
    unsigned entries = BERGER_ENTRIES_MAX;
    while (berger_rounds(entries, twice) > TOURNAMENT_ROUNDS_MAX)
        entries--;
    return entries;
}

unsigned settings_entries_most(const struct stage_settings *stage)
{
    return stage->format == FORMAT_ROUND_ROBIN ? round_robin_most(stage->twice)
                                               : settings_formats[stage->format].entries;
}

unsigned settings_entries_least(const struct stage_settings *stage)
{
    return tournament_format_has_rounds(stage->format) ? settings_smallest_table(stage) : 1;
}

/* A league at tables of two is a round robin, and scored as one. */
static const struct format *usual(const struct stage_settings *stage)
{
    bool pairs = stage->format == FORMAT_LEAGUE && has_tables_of_two(stage);
    return &settings_formats[pairs ? FORMAT_ROUND_ROBIN : stage->format];
}

static const struct tie_break_chain *usual_chain(const struct stage_settings *stage)
{
    const struct tie_break_chain *chain = tie_break_chain_find(span_of(usual(stage)->chain));
    assert(chain != NULL);
    return chain;
}

static bool read_scoring(const struct settings_reading *reading, const struct settings_field *field,
                         struct stage_settings *stage)
{
    bool good;
    json_t *value = settings_look_up(reading, field->name, false, &good);
    if (value == NULL)
        return good;
    return settings_read_scoring(reading, field->name, value, stage);
}

static bool stands_before(const struct stage_settings *stage, const struct tie_break_rule *rule)
{
    for (size_t i = 0; i < stage->chain_count; i++)
        if (memcmp(&stage->chain[i], rule, sizeof *rule) == 0)
            return true;
    return false;
}

static bool fail_tie_break(const struct settings_reading *reading, const char *field,
                           const json_t *item)
{
    if (json_is_string(item) && tie_break_is_for_teams(span_of(json_string_value(item))))
        return settings_fail(
            reading, field,
            "has a tie-break for team events (FIDE C.07, 12 and 13), which are not "
            "supported; for players use DE (direct encounter) or SB "
            "(Sonneborn-Berger).");
    return settings_fail(reading, field, "has a tie-break that is not in the dictionary.");
}

static bool read_chain(const struct settings_reading *reading, const struct settings_field *field,
                       struct stage_settings *stage)
{
    bool good;
    json_t *list = settings_look_up(reading, field->name, false, &good), *item;
    size_t i, count = json_array_size(list);
    if (list == NULL)
        return good;
    if (count == 0 || count > TIE_BREAK_CHAIN_MAX)
        return settings_fail(reading, field->name, "must be a list of 1 to 12 tie-breaks.");
    stage->chain_count = 0;
    json_array_foreach(list, i, item)
    {
        struct tie_break_rule rule = {0};
        if (!json_is_string(item) || !tie_break_parse(span_of(json_string_value(item)), &rule))
            return fail_tie_break(reading, field->name, item);
        if (stands_before(stage, &rule))
            return settings_fail(reading, field->name, "has a tie-break twice.");
        stage->chain[stage->chain_count++] = rule;
    }
    return true;
}

static bool read_unplayed(const struct settings_reading *reading,
                          const struct settings_field *field, struct stage_settings *stage)
{
    const char *words[UNPLAYED_RULES + 1] = {NULL};
    int index;
    for (int i = 0; i < UNPLAYED_RULES; i++)
        words[i] = unplayed_rules_name((enum unplayed_rules)i);
    if (!settings_read_word(reading, field->name, words, UNPLAYED_RULES, (int)stage->unplayed,
                            &index))
        return false;
    stage->unplayed = (enum unplayed_rules)index;
    return true;
}

/* Half of a division, but enough to fill a table. */
static int usual_smallest_division(const struct stage_settings *stage)
{
    int half = (stage->division + 1) / 2, least = (int)settings_smallest_table(stage);
    return half < least ? least : half;
}

static int usual_number(const struct settings_reading *reading, const struct settings_field *field,
                        const struct stage_settings *stage)
{
    switch (field->initial) {
    case SETTINGS_HALF_DIVISION:
        return usual_smallest_division(stage);
    case SETTINGS_NEWEST:
        return reading->newest ? field->most : field->least;
    case SETTINGS_FREE_ROUNDS:
        return reading->newest && usual(stage) == &settings_formats[FORMAT_ROUND_ROBIN]
                   ? FREE_ROUNDS_NOTHING
                   : FREE_ROUNDS_AS_BYES;
    default:
        return field->initial;
    }
}

static bool asks_duplicate_at_table(const struct settings_reading *reading,
                                    const struct settings_field *field,
                                    const struct stage_settings *stage)
{
    const char *word = json_string_value(json_object_get(reading->object, field->name));
    return stage->format == FORMAT_DUPLICATE && strcmp(field->name, "play") == 0 && word != NULL &&
           strcmp(word, "table") == 0;
}

static bool read_number(const struct settings_reading *reading, const struct settings_field *field,
                        struct stage_settings *stage)
{
    struct settings_reading own = *reading;
    own.newest = reading->newest || settings_is_seldom(field);
    if (asks_duplicate_at_table(reading, field, stage))
        return settings_fail(
            reading, field->name,
            "cannot be `table` in duplicate events: only the service deals several tables the same "
            "luck. Choose another format, or `asynchronous` or `barometer`.");
    return settings_read_number(&own, field, usual_number(reading, field, stage), stage);
}

static bool read_field(const struct settings_reading *reading, const struct settings_field *field,
                       struct stage_settings *stage)
{
    switch (field->kind) {
    case FIELD_SCORING:
        return read_scoring(reading, field, stage);
    case FIELD_CHAIN:
        return read_chain(reading, field, stage);
    case FIELD_UNPLAYED:
        return read_unplayed(reading, field, stage);
    case FIELD_APART:
        return true;
    default:
        return read_number(reading, field, stage);
    }
}

/* A division with tables of two plays a round robin; with larger tables it plays the requested
 * rounds. */
static bool fit_league(const struct settings_reading *reading, const struct stage_settings *stage)
{
    int least = (int)settings_smallest_table(stage);
    int most = has_tables_of_two(stage) ? (int)round_robin_most(stage->twice)
                                        : POD_ROUND_ROBIN_PLAYERS_MAX;
    if (stage->division < least || stage->division > most)
        return settings_fail_range(reading, "division", least, most);
    if (stage->division_smallest < least || stage->division_smallest > stage->division)
        return settings_fail_range(reading, "division_smallest", least, stage->division);
    if (stage->moves > stage->division / 2)
        return settings_fail_range(reading, "moves", 0, stage->division / 2);
    if (has_tables_of_two(stage))
        return stage->rounds == 0 ||
               settings_fail(reading, "rounds",
                             "must be 0 at tables of two: everyone in a division meets everyone.");
    if (stage->twice)
        return settings_fail(reading, "twice", "is for tables of two only.");
    return stage->rounds > 0 || settings_fail_range(reading, "rounds", 1, SETTINGS_ROUNDS_MOST);
}

static bool fit_together(const struct settings_reading *reading, const struct stage_settings *stage)
{
    switch (stage->format) {
    case FORMAT_LEAGUE:
        return fit_league(reading, stage);
    case FORMAT_POD_ELIMINATION:
        return pod_elimination_rule_valid(
                   (struct pod_elimination_rule){stage->table, stage->advance}) ||
               settings_fail_range(reading, "advance", 1, (int)settings_smallest_table(stage) - 1);
    case FORMAT_DUPLICATE:
        return stage->rounds * stage->boards <= DUPLICATE_SITTINGS_MAX ||
               settings_fail(reading, "boards", "times rounds must be at most 64.");
    default:
        return true;
    }
}

static void set_usual(struct stage_settings *stage)
{
    const struct format *format = usual(stage);
    if (format->scoring != NULL) {
        stage->scheme = scoring_find(span_of(format->scoring));
        assert(stage->scheme != NULL);
        stage->scoring = stage->scheme->scoring;
    }
    if (!format->points)
        return;
    const struct tie_break_chain *chain = usual_chain(stage);
    memcpy(stage->chain, chain->chain, chain->count * sizeof *chain->chain);
    stage->chain_count = chain->count;
    stage->unplayed = chain->rules;
}

/* The format comes first because everything depends on it, then the tables. */
static bool read_stage(const struct settings_reading *reading, bool first, bool flat,
                       struct stage_settings *stage)
{
    int entrants = 0;
    *stage = (struct stage_settings){0};
    if (!read_format(reading, stage) || !check_names(reading, stage->format, first, flat) ||
        !read_tables(reading, stage))
        return false;
    set_usual(stage);
    for (size_t i = 0; i < SETTINGS_FIELDS; i++)
        if (settings_has_field(stage->format, &settings_fields[i]) &&
            !read_field(reading, &settings_fields[i], stage))
            return false;
    stage->table.even = stage->pairing_version >= POD_VERSION_EVEN;
    if (stage->free_rounds == FREE_ROUNDS_NOTHING)
        stage->scoring.unplayed[ROUND_PAIRING_BYE] = 0;
    if (!first &&
        !settings_read_whole(reading, "entrants", (int)settings_smallest_table(stage),
                             (int)settings_entries_most(stage), SETTINGS_NEEDED, &entrants))
        return false;
    stage->entrants = (uint16_t)entrants;
    return fit_together(reading, stage);
}

const char *settings_stage_prefix(struct text *text, size_t stage)
{
    text_clear(text);
    text_add(text, "stages[");
    text_add_number(text, (int64_t)stage);
    text_add(text, "].");
    return text->at;
}

static bool read_listed(const struct settings_reading *reading, json_t *list,
                        struct tournament_settings *settings)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    json_t *object;
    size_t i;
    if (json_array_size(list) == 0 || json_array_size(list) > SETTINGS_STAGES_MAX)
        return settings_fail(reading, "stages", "must be a list of 1 to 4 stages.");
    json_array_foreach(list, i, object)
    {
        struct settings_reading stage = *reading;
        stage.object = object;
        stage.prefix = settings_stage_prefix(&text, i);
        if (!json_is_object(object))
            return settings_fail(reading, "stages", "must be a list of objects.");
        if (!read_stage(&stage, i == 0, false, &settings->stage[i]))
            return false;
    }
    settings->stage_count = i;
    return true;
}

/* Only formats with a fixed end of rounds can be followed by another stage. */
static bool fit_stages(const struct settings_reading *reading,
                       const struct tournament_settings *settings)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    unsigned rounds = 0;
    for (size_t i = 0; i < settings->stage_count; i++) {
        const struct stage_settings *stage = &settings->stage[i];
        struct settings_reading at = *reading;
        if (settings->stage_count > 1)
            at.prefix = settings_stage_prefix(&text, i);
        if (settings->stage_count > 1 &&
            (stage->format == FORMAT_DUPLICATE || !tournament_format_has_rounds(stage->format)))
            return settings_fail(&at, "format", "can only be that of an event with one stage.");
        if (i > 1 && stage->entrants > settings->stage[i - 1].entrants)
            return settings_fail(&at, "entrants",
                                 "must not be more than the entrants of the stage before.");
        rounds += stage->rounds;
        if (rounds > TOURNAMENT_ROUNDS_MAX)
            return settings_fail(&at, "rounds", "makes more than 64 rounds in all stages.");
    }
    return true;
}

bool settings_read_stages(const struct settings_reading *reading,
                          struct tournament_settings *settings)
{
    json_t *list = json_object_get(reading->object, "stages");
    bool flat = list == NULL && reading->newest;
    if (list == NULL && !flat)
        return settings_fail_needed(reading, "stages");
    settings->stage_count = 1;
    bool good = flat ? read_stage(reading, true, true, &settings->stage[0])
                     : read_listed(reading, list, settings);
    return good && fit_stages(reading, settings);
}
