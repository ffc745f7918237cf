/* Reads settings field by field, according to the table in settings_fields.c. Constraints among
 * several fields are checked afterwards, in fit_*(). */
#include <assert.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/game/catalog.h"
#include "engine/tournament/event/settings_parts.h"
#include "engine/tournament/formats/duplicate/duplicate.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/formats/round_robin/berger.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"

enum { FAULT_NAME_MOST = 40 /* bytes, so that it fits after its stage's prefix */ };

/* ---- Reading: an object, its place, and what is wrong with it ---- */

static bool fail_as(const struct settings_reading *reading, enum settings_fault_kind kind,
                    const char *field, const char *message)
{
    struct span name = span_of(field);
    struct text text = TEXT_OVER(reading->fault->field);
    reading->fault->kind = kind;
    text_add(&text, reading->prefix);
    text_add_span(&text, name.length <= FAULT_NAME_MOST ? name : span_of("(a long name)"));
    text = TEXT_OVER(reading->fault->message);
    text_add(&text, message);
    return false;
}

bool settings_fail(const struct settings_reading *reading, const char *field, const char *message)
{
    return fail_as(reading, SETTINGS_FAULT_VALUE, field, message);
}

static bool fail_needed(const struct settings_reading *reading, const char *field)
{
    return fail_as(reading, SETTINGS_FAULT_MISSING, field, "is needed.");
}

static bool fail_range(const struct settings_reading *reading, const char *field, int least,
                       int most)
{
    char message[80];
    struct text text = TEXT_OVER(message);
    json_say_whole(&text, least, most);
    return settings_fail(reading, field, message);
}

/* Fields that were added later: in older logs they have the former meaning. */
static bool is_later(const char *field)
{
    return strcmp(field, "answer_minutes") == 0 || strcmp(field, "free_rounds") == 0 ||
           strcmp(field, "pairing_version") == 0;
}

/* The value of a field. NULL if it is missing; `good` then tells whether that is allowed. */
static json_t *look_up(const struct settings_reading *reading, const char *field, bool needed,
                       bool *good)
{
    json_t *value = json_object_get(reading->object, field);
    *good = value != NULL || ((reading->newest || is_later(field)) && !needed) ||
            fail_needed(reading, field);
    return value;
}

static bool read_whole(const struct settings_reading *reading, const char *field, int least,
                       int most, int initial, int *number)
{
    bool good;
    json_t *value = look_up(reading, field, initial == SETTINGS_NEEDED, &good);
    *number = initial;
    if (value == NULL)
        return good;
    int64_t whole;
    if (!json_read_whole(value, least, most, &whole))
        return fail_range(reading, field, least, most);
    *number = (int)whole;
    return true;
}

static bool read_yes_no(const struct settings_reading *reading, const char *field, bool *yes)
{
    bool good;
    json_t *value = look_up(reading, field, false, &good);
    *yes = json_is_true(value);
    if (value == NULL || json_is_boolean(value))
        return good;
    return settings_fail(reading, field, "must be true or false.");
}

/* words[0 .. count - 1] are allowed. */
static bool read_word(const struct settings_reading *reading, const char *field,
                      const char *const *words, int count, int initial, int *index)
{
    bool good;
    json_t *value = look_up(reading, field, initial == SETTINGS_NEEDED, &good);
    *index = initial;
    if (value == NULL)
        return good;
    size_t found;
    if (json_read_word(value, words, (size_t)count, &found)) {
        *index = (int)found;
        return true;
    }
    char message[200];
    struct text text = TEXT_OVER(message);
    json_say_words(&text, words, (size_t)count);
    return settings_fail(reading, field, message);
}

/* ---- Reading a stage ---- */

static bool read_format(const struct settings_reading *reading, struct stage_settings *stage)
{
    const char *words[TOURNAMENT_FORMATS + 1] = {NULL};
    int index;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        words[i] = settings_formats[i].name;
    if (!read_word(reading, "format", words, TOURNAMENT_FORMATS, FORMAT_POD_SWISS, &index))
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
        return fail_as(reading, SETTINGS_FAULT_UNKNOWN, name, "is not a field of an event.");
    if (other->formats == 1U << FORMAT_DUPLICATE)
        return settings_fail(reading, name, "is for duplicate events only.");
    if (strcmp(name, "entrants") == 0)
        return settings_fail(reading, name, "is for stages after the first.");
    text_add(&text, "is not a field of the format ");
    text_add(&text, settings_formats[format].name);
    text_add_char(&text, '.');
    return settings_fail(reading, name, message);
}

/* Fields of the event itself, not of its stages. */
static const char *const event_fields[] = {"bots",
                                           "capacity",
                                           "check_in",
                                           "clock",
                                           "components",
                                           "confirm_minutes",
                                           "dealers",
                                           "dealers_seconds",
                                           "delay_entries",
                                           "entropy_seconds",
                                           "guests",
                                           "house",
                                           "late_entries",
                                           "name",
                                           "official_signatures",
                                           "on_timeout",
                                           "options",
                                           "protest_minutes",
                                           "rate_house",
                                           "rate_reported",
                                           "ruleset",
                                           "same_owner",
                                           "seeding",
                                           "stages",
                                           "take_back",
                                           "version"};

bool settings_is_event_field(const char *name)
{
    for (size_t i = 0; i < sizeof event_fields / sizeof event_fields[0]; i++)
        if (strcmp(event_fields[i], name) == 0)
            return true;
    return settings_is_detail(name);
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
static bool read_equal_seats(const struct settings_reading *reading, struct table_rule *rule)
{
    int most = (int)reading->game->seats_max, seats, same;
    if (!read_whole(reading, "seats_preferred", (int)reading->game->seats_min, most, most,
                    &seats) ||
        !read_whole(reading, "seats_min", seats, seats, seats, &same) ||
        !read_whole(reading, "seats_max", seats, seats, seats, &same))
        return false;
    *rule = (struct table_rule){(uint8_t)(1U << seats), (uint8_t)seats};
    return true;
}

static bool read_seats(const struct settings_reading *reading, struct table_rule *rule)
{
    int least = reading->game->seats_min < 2 ? 2 : (int)reading->game->seats_min;
    int most = (int)reading->game->seats_max, smallest, largest, preferred;
    if (!read_whole(reading, "seats_min", least, most, least, &smallest) ||
        !read_whole(reading, "seats_max", smallest, most, most, &largest) ||
        !read_whole(reading, "seats_preferred", smallest, largest, largest, &preferred))
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
    return (unsigned)__builtin_ctz(stage->table.allowed);
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
    json_t *value = look_up(reading, field->name, false, &good);
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
    json_t *list = look_up(reading, field->name, false, &good), *item;
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
    if (!read_word(reading, field->name, words, UNPLAYED_RULES, (int)stage->unplayed, &index))
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

static bool read_number(const struct settings_reading *given, const struct settings_field *field,
                        struct stage_settings *stage)
{
    struct settings_reading reading_as = *given;
    const struct settings_reading *reading = &reading_as;
    int number = 0;
    bool yes = false, good;
    int initial = usual_number(reading, field, stage);
    reading_as.newest = given->newest || settings_is_seldom(field);
    if (asks_duplicate_at_table(reading, field, stage))
        return settings_fail(reading, field->name,
                             "cannot be table in duplicate: only the service deals several tables "
                             "the same luck. Choose another format, or asynchronous or barometer.");
    if (field->kind == FIELD_YES_NO) {
        good = read_yes_no(reading, field->name, &yes);
        number = yes;
    } else if (field->kind == FIELD_WORD) {
        good = read_word(reading, field->name, field->words, field->most + 1, initial, &number);
    } else {
        good = read_whole(reading, field->name, field->least, field->most, initial, &number);
    }
    if (good)
        settings_set_number(stage, field, number);
    return good;
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
        return fail_range(reading, "division", least, most);
    if (stage->division_smallest < least || stage->division_smallest > stage->division)
        return fail_range(reading, "division_smallest", least, stage->division);
    if (stage->moves > stage->division / 2)
        return fail_range(reading, "moves", 0, stage->division / 2);
    if (has_tables_of_two(stage))
        return stage->rounds == 0 ||
               settings_fail(reading, "rounds",
                             "must be 0 at tables of two: everyone in a division meets everyone.");
    if (stage->twice)
        return settings_fail(reading, "twice", "is for tables of two only.");
    return stage->rounds > 0 || fail_range(reading, "rounds", 1, SETTINGS_ROUNDS_MOST);
}

static bool fit_together(const struct settings_reading *reading, const struct stage_settings *stage)
{
    switch (stage->format) {
    case FORMAT_LEAGUE:
        return fit_league(reading, stage);
    case FORMAT_POD_ELIMINATION:
        return pod_elimination_rule_valid(
                   (struct pod_elimination_rule){stage->table, stage->advance}) ||
               fail_range(reading, "advance", 1, (int)settings_smallest_table(stage) - 1);
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
    if (stage->free_rounds == FREE_ROUNDS_NOTHING)
        stage->scoring.unplayed[ROUND_PAIRING_BYE] = 0;
    if (!first && !read_whole(reading, "entrants", (int)settings_smallest_table(stage),
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

static bool read_stages(const struct settings_reading *reading,
                        struct tournament_settings *settings)
{
    json_t *list = json_object_get(reading->object, "stages");
    bool flat = list == NULL && reading->newest;
    if (list == NULL && !flat)
        return fail_needed(reading, "stages");
    settings->stage_count = 1;
    bool good = flat ? read_stage(reading, true, true, &settings->stage[0])
                     : read_listed(reading, list, settings);
    return good && fit_stages(reading, settings);
}

/* ---- Reading the event ---- */

bool settings_check_event_names(const struct settings_reading *reading)
{
    const char *name;
    json_t *value;
    json_object_foreach(reading->object, name, value)
    {
        if (settings_is_event_field(name))
            continue;
        if (settings_find_field(name) == NULL)
            return fail_as(reading, SETTINGS_FAULT_UNKNOWN, name, "is not a field of an event.");
        return settings_fail(reading, name, "is a field of a stage: write it in `stages`.");
    }
    return true;
}

static bool read_string(const struct settings_reading *reading, const char *field, bool needed,
                        const char **string)
{
    bool good;
    json_t *value = look_up(reading, field, needed, &good);
    *string = json_string_value(value);
    if (value == NULL || json_is_string(value))
        return good;
    return settings_fail(reading, field, "must be a text.");
}

static bool read_ruleset(struct settings_reading *reading, struct tournament_settings *settings)
{
    const char *slug, *version;
    if (!read_string(reading, "ruleset", true, &slug) ||
        !read_string(reading, "version", false, &version))
        return false;
    const struct game *newest = catalog_newest(span_of(slug));
    if (newest == NULL)
        return settings_fail(reading, "ruleset",
                             "is not in the catalogue; GET /v1/rulesets lists the rulesets.");
    settings->game = version == NULL ? newest : catalog_find(span_of(slug), span_of(version));
    reading->game = settings->game;
    return settings->game != NULL ||
           settings_fail(reading, "version",
                         "is not in the catalogue; GET /v1/rulesets lists the rulesets.");
}

/* The built-in set is the same as none. Whether there is such a set is not known here. */
static bool read_components(const struct settings_reading *reading,
                            struct tournament_settings *settings)
{
    const json_t *value = json_object_get(reading->object, "components");
    if (value == NULL || json_is_null(value))
        return true;
    if (!json_is_string(value) ||
        !span_hex(span_of(json_string_value(value)), settings->set, sizeof settings->set))
        return settings_fail(reading, "components",
                             "must be the SHA-256 of a component set, 64 lower-case hex digits, "
                             "or null for the built-in one.");
    uint8_t own[32];
    game_components_hash(settings->game, own);
    settings->other_set = memcmp(own, settings->set, sizeof own) != 0;
    return true;
}

static bool read_options(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    const struct game *game = settings->game;
    bool good;
    json_t *chosen = look_up(reading, "options", false, &good), *value;
    const char *name;
    settings->options = game_options_initial(game);
    if (chosen == NULL)
        return good;
    if (!json_is_object(chosen))
        return settings_fail(reading, "options", "must be an object of option names and values.");
    if (!reading->newest && json_object_size(chosen) != game->option_count)
        return settings_fail(reading, "options", "must have every option of the ruleset.");
    json_object_foreach(chosen, name, value)
    {
        int option = game_option_index(game, span_of(name));
        int index =
            option < 0 || !json_is_string(value)
                ? -1
                : game_option_value(game, (size_t)option, span_of(json_string_value(value)));
        if (index < 0)
            return settings_fail(reading, "options",
                                 "has an option or value that this ruleset does not know; "
                                 "GET /v1/rulesets lists them.");
        settings->options.value[option] = (uint8_t)index;
    }
    return true;
}

const char *const settings_seedings[SEEDING_ORDERS + 1] = {
    [SEEDING_ENTERING] = "entering", [SEEDING_RATING] = "rating", [SEEDING_DRAW] = "draw"};

/* Who may enter; read after the stages, because the first one limits the entries. */
static bool read_entering(const struct settings_reading *reading,
                          struct tournament_settings *settings)
{
    int most = (int)settings_entries_most(&settings->stage[0]), number;
    int initial = most < SETTINGS_ENTRIES_MAX ? most : 0;
    bool good;
    json_t *capacity = look_up(reading, "capacity", false, &good);
    if (!good)
        return false;
    if (json_is_null(capacity))
        settings->capacity = 0;
    else if (!read_whole(reading, "capacity", 1, most, initial, &number))
        return false;
    else
        settings->capacity = (uint16_t)number;
    if (!read_whole(reading, "late_entries", 0, TOURNAMENT_ROUNDS_MAX, 0, &number) ||
        !read_yes_no(reading, "check_in", &settings->check_in))
        return false;
    settings->late_entries = (uint16_t)number;
    if (!read_word(reading, "seeding", settings_seedings, SEEDING_ORDERS, SEEDING_ENTERING,
                   &number))
        return false;
    settings->seeding = (enum seeding_order)number;
    return true;
}

/* ---- How games are played: fields that a log may leave out ---- */

static bool read_time(const struct settings_reading *reading, json_t *clock, const char *name,
                      int64_t least, int64_t initial, int64_t *ms)
{
    json_t *value = json_object_get(clock, name);
    *ms = initial;
    if (value == NULL ? initial >= least : json_read_whole(value, least, CLOCK_MS_MAX, ms))
        return true;
    return settings_fail(reading, "clock",
                         "has whole milliseconds, up to 366 days: bank_ms from 1, increment_ms, "
                         "and cap_ms not below the bank; or move_ms from 1 alone.");
}

static bool read_bank(const struct settings_reading *reading, json_t *clock,
                      struct clock_control *control)
{
    control->kind = CLOCK_BANK;
    return read_time(reading, clock, "bank_ms", 1, 0, &control->bank_ms) &&
           read_time(reading, clock, "increment_ms", 0, 0, &control->increment_ms) &&
           read_time(reading, clock, "cap_ms", control->bank_ms, CLOCK_MS_MAX, &control->cap_ms);
}

static bool read_clock(const struct settings_reading *reading, struct clock_control *control)
{
    json_t *clock = json_object_get(reading->object, "clock"), *value;
    const char *name;
    bool by_move = json_object_get(clock, "move_ms") != NULL;
    if (clock == NULL || json_is_null(clock))
        return true;
    if (!json_is_object(clock))
        return settings_fail(reading, "clock", "must be an object, or null for no clocks.");
    json_object_foreach(clock, name, value)
    {
        bool known = by_move ? strcmp(name, "move_ms") == 0
                             : strcmp(name, "bank_ms") == 0 || strcmp(name, "increment_ms") == 0 ||
                                   strcmp(name, "cap_ms") == 0;
        if (!known)
            return settings_fail(reading, "clock",
                                 "has bank_ms, increment_ms and cap_ms, or move_ms alone.");
    }
    if (!by_move)
        return read_bank(reading, clock, control);
    control->kind = CLOCK_MOVE;
    return read_time(reading, clock, "move_ms", 1, 0, &control->move_ms);
}

const char *const settings_timeouts[TIMEOUT_POLICIES + 1] = {[TIMEOUT_ARBITER] = "arbiter",
                                                             [TIMEOUT_QUIET_MOVE] = "quiet_move",
                                                             [TIMEOUT_FALLBACK] = "fallback",
                                                             [TIMEOUT_FORFEIT] = "forfeit"};

const char *const settings_guests[GUESTS_CHOICES] = {
    [GUESTS_NO] = "no", [GUESTS_ALLOWED] = "allowed"};

const char *const settings_official_signatures[OFFICIAL_CHOICES] = {
    [OFFICIAL_OFF] = "off", [OFFICIAL_OPTIONAL] = "optional", [OFFICIAL_REQUIRED] = "required"};

const char *const settings_same_owner[SAME_OWNER_CHOICES] = {"allowed", "apart"};

const char *timeout_policy_name(enum timeout_policy policy)
{
    return settings_timeouts[policy];
}

int timeout_policy_find(struct span name)
{
    for (int i = 0; i < TIMEOUT_POLICIES; i++)
        if (span_is(name, settings_timeouts[i]))
            return i;
    return -1;
}

static bool read_play(const struct settings_reading *reading, struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int number;
    optional.newest = true;
    if (!read_clock(&optional, &settings->clock) ||
        !read_word(&optional, "on_timeout", settings_timeouts, TIMEOUT_POLICIES, TIMEOUT_ARBITER,
                   &number) ||
        !read_yes_no(&optional, "take_back", &settings->take_back))
        return false;
    settings->on_timeout = (enum timeout_policy)number;
    return true;
}

/* A log may leave this out: older ones do. */
static bool read_protest(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int minutes;
    optional.newest = true;
    if (!read_whole(&optional, "protest_minutes", 0, SETTINGS_PROTEST_MINUTES_MAX,
                    SETTINGS_PROTEST_MINUTES, &minutes))
        return false;
    settings->protest_minutes = (uint16_t)minutes;
    return true;
}

/* Of reported results. A log may leave these out: older ones do. */
static bool read_confirm(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int minutes;
    optional.newest = true;
    if (!read_whole(&optional, "confirm_minutes", 0, SETTINGS_CONFIRM_MINUTES_MAX,
                    SETTINGS_CONFIRM_MINUTES, &minutes) ||
        !read_yes_no(&optional, "rate_reported", &settings->rate_reported))
        return false;
    settings->confirm_minutes = (uint16_t)minutes;
    return true;
}

/* A log may leave this out. */
static bool read_entropy(const struct settings_reading *reading,
                         struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int seconds;
    optional.newest = true;
    if (!read_whole(&optional, "entropy_seconds", 0, SETTINGS_ENTROPY_SECONDS_MAX, 0, &seconds))
        return false;
    settings->entropy_seconds = (uint32_t)seconds;
    return seconds == 0 || settings->stage[0].format != FORMAT_DUPLICATE ||
           settings_fail(reading, "entropy_seconds",
                         "must be 0 in duplicate events: all tables of a board have the same luck, "
                         "so no table's players can add to it.");
}

/* A log may leave this out. */
static bool read_delay(const struct settings_reading *reading, struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int entries;
    optional.newest = true;
    if (!read_whole(&optional, "delay_entries", 0, SETTINGS_DELAY_ENTRIES_MAX, 0, &entries))
        return false;
    settings->delay_entries = (uint16_t)entries;
    return true;
}

static bool read_guests(const struct settings_reading *reading,
                        struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int number;
    optional.newest = true;
    if (!read_word(&optional, "guests", settings_guests, GUESTS_CHOICES, GUESTS_NO, &number))
        return false;
    settings->guests = (enum guests_choice)number;
    return true;
}

/* A log may leave this out. */
static bool read_official_signatures(const struct settings_reading *reading,
                                     struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int number;
    optional.newest = true;
    if (!read_word(&optional, "official_signatures", settings_official_signatures, OFFICIAL_CHOICES,
                   OFFICIAL_OFF, &number))
        return false;
    settings->official_signatures = (enum official_choice)number;
    return true;
}

static const char *const house_choices[HOUSE_CHOICES + 1] = {
    [HOUSE_NONE] = "none",       [HOUSE_BEGINNER] = "beginner", [HOUSE_CASUAL] = "casual",
    [HOUSE_REGULAR] = "regular", [HOUSE_STRONG] = "strong",     [HOUSE_MASTER] = "master"};

const char *house_choice_name(enum house_choice choice)
{
    return house_choices[choice];
}

int house_choice_find(struct span name)
{
    for (int i = 0; i < HOUSE_CHOICES; i++)
        if (span_is(name, house_choices[i]))
            return i;
    return -1;
}

/* Entries that are programs. A log may leave this out. */
static bool read_programs(const struct settings_reading *reading,
                          struct tournament_settings *settings)
{
    struct settings_reading optional = *reading;
    int number;
    bool bots;
    optional.newest = true;
    if (!read_word(&optional, "house", house_choices, HOUSE_CHOICES, HOUSE_NONE, &number) ||
        !read_yes_no(&optional, "bots", &bots) ||
        !read_yes_no(&optional, "rate_house", &settings->rate_house))
        return false;
    settings->house = (enum house_choice)number;
    settings->no_bots = json_object_get(reading->object, "bots") != NULL && !bots;
    return true;
}

/* Older logs leave this out; their default differs from today's. */
static bool read_same_owner(const struct settings_reading *reading,
                            struct tournament_settings *settings)
{
    enum { CHOICES = SAME_OWNER_CHOICES - SAME_OWNER_ALLOWED };
    int number;
    if (!reading->newest && json_object_get(reading->object, "same_owner") == NULL)
        return true;
    if (!read_word(reading, "same_owner", settings_same_owner, CHOICES,
                   SAME_OWNER_APART - SAME_OWNER_ALLOWED, &number))
        return false;
    settings->same_owner = (enum same_owner)(SAME_OWNER_ALLOWED + number);
    return true;
}

bool settings_read(json_t *document, bool newest, struct tournament_settings *settings,
                   struct settings_fault *fault)
{
    struct settings_reading reading = {document, "", newest, NULL, fault};
    *settings = (struct tournament_settings){0};
    if (!json_is_object(document))
        return settings_fail(&reading, "settings", "must be an object.");
    bool flat = newest && json_object_get(document, "stages") == NULL;
    return (flat || settings_check_event_names(&reading)) &&
           read_string(&reading, "name", true, &settings->name) &&
           read_ruleset(&reading, settings) && read_components(&reading, settings) &&
           read_options(&reading, settings) && read_stages(&reading, settings) &&
           read_entering(&reading, settings) && read_play(&reading, settings) &&
           read_protest(&reading, settings) && read_confirm(&reading, settings) &&
           read_entropy(&reading, settings) && settings_read_dealers(&reading, settings) &&
           read_delay(&reading, settings) && read_guests(&reading, settings) &&
           read_official_signatures(&reading, settings) && read_programs(&reading, settings) &&
           read_same_owner(&reading, settings) && settings_read_details(&reading, settings);
}
