/* One table says which fields a format has. Reading, writing, and what can still change follow from
 * it; what ties several fields together is checked after them, in fit_*(). */
#include "engine/tournament/settings.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/catalog.h"
#include "engine/tournament/berger.h"
#include "engine/tournament/duplicate.h"
#include "engine/tournament/elimination.h"
#include "engine/tournament/ladder.h"
#include "engine/tournament/open_play.h"
#include "engine/tournament/pod_elimination.h"
#include "engine/tournament/pod_round_robin.h"

enum {
    ROUNDS_MOST = 20,
    ROUND_MINUTES_MOST = 30 * 24 * 60,
    PATIENCE_MINUTES_MOST = 7 * 24 * 60,
    FAULT_NAME_MOST = 40 /* bytes, so that it fits behind its stage */
};

/* ---- Formats ---- */

struct format {
    const char *name;
    bool two; /* tables of two */
    bool rounds, points;
    const char *chain;   /* that it begins with: tie_break_chain_find() */
    const char *scoring; /* that it begins with, or NULL */
    uint16_t entries;    /* at most */
};

static const struct format formats[TOURNAMENT_FORMATS] = {
    [FORMAT_POD_SWISS] = {"pod_swiss", false, true, true, "pods", "5-3-2-1",
                          TOURNAMENT_ENTRIES_MAX},
    [FORMAT_DUTCH] = {"dutch", true, true, true, "swiss", "1-half-0", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_ROUND_ROBIN] = {"round_robin", true, true, true, "round-robin", "1-half-0",
                            BERGER_ENTRIES_MAX},
    [FORMAT_POD_ROUND_ROBIN] = {"pod_round_robin", false, true, true, "pods", "5-3-2-1",
                                POD_ROUND_ROBIN_PLAYERS_MAX},
    [FORMAT_SINGLE_ELIMINATION] = {"single_elimination", true, true, false, "elimination", NULL,
                                   ELIMINATION_SIZE_MAX},
    [FORMAT_DOUBLE_ELIMINATION] = {"double_elimination", true, true, false, "elimination", NULL,
                                   ELIMINATION_SIZE_MAX},
    [FORMAT_POD_ELIMINATION] = {"pod_elimination", false, true, false, "elimination", NULL,
                                TOURNAMENT_ENTRIES_MAX},
    [FORMAT_LEAGUE] = {"league", false, true, true, "pods", "5-3-2-1", TOURNAMENT_ENTRIES_MAX},
    [FORMAT_LADDER] = {"ladder", true, false, false, "pods", "1-half-0", LADDER_ENTRIES_MAX},
    [FORMAT_OPEN_PLAY] = {"open_play", false, false, false, "pods", "5-3-2-1",
                          TOURNAMENT_ENTRIES_MAX},
    [FORMAT_DUPLICATE] = {"duplicate", false, true, false, "pods", NULL, TOURNAMENT_ENTRIES_MAX},
};

const char *tournament_format_name(enum tournament_format format)
{
    return formats[format].name;
}

bool tournament_format_has_rounds(enum tournament_format format)
{
    return formats[format].rounds;
}

bool tournament_format_has_points(enum tournament_format format)
{
    return formats[format].points;
}

/* ---- Fields of a stage ---- */

#define OF(format)   (1U << FORMAT_##format)
#define SWISS        (OF(POD_SWISS) | OF(DUTCH))
#define ELIMINATIONS (OF(SINGLE_ELIMINATION) | OF(DOUBLE_ELIMINATION) | OF(POD_ELIMINATION))
#define POINTS       (SWISS | OF(ROUND_ROBIN) | OF(POD_ROUND_ROBIN) | OF(LEAGUE))
#define TABLES                                                                                     \
    (OF(POD_SWISS) | OF(POD_ROUND_ROBIN) | OF(POD_ELIMINATION) | OF(LEAGUE) | OF(OPEN_PLAY) |      \
     OF(DUPLICATE))
#define ALL ((1U << TOURNAMENT_FORMATS) - 1)

enum field_kind {
    FIELD_WHOLE,
    FIELD_YES_NO,
    FIELD_WORD, /* least .. most of `words` */
    FIELD_SCORING,
    FIELD_CHAIN,
    FIELD_UNPLAYED,
    FIELD_APART /* read before all others: format, entrants, seats */
};

enum { NEEDED = -1, HALF_DIVISION = -2 }; /* in place of a default */

struct field {
    const char *name;
    unsigned formats;
    enum field_kind kind;
    bool fixed; /* once the stage has begun */
    uint8_t size;
    uint16_t offset;
    int least, most, initial;
    const char *const *words;
};

#define AT(member)                                                                                 \
    sizeof(((struct stage_settings *)NULL)->member), offsetof(struct stage_settings, member)

static const char *const profiles[] = {"strict", "balanced", "power", NULL};
static const char *const grand_finals[] = {"none", "simple", "double", NULL};
static const char *const effects[] = {"take_place", "exchange", NULL};
static const char *const scorings[] = {"total", "matchpoints", NULL};
static const char *const plays[] = {"asynchronous", "barometer", NULL};

/* In byte order of the names, which is that of written settings. */
static const struct field fields[] = {
    {"advance", OF(POD_ELIMINATION), FIELD_WHOLE, true, AT(advance), 1, TOURNAMENT_SEATS_MAX - 1, 1,
     NULL},
    {"best", OF(OPEN_PLAY), FIELD_WHOLE, false, AT(best), 1, OPEN_PLAY_BEST_MAX, 5, NULL},
    {"boards", OF(DUPLICATE), FIELD_WHOLE, true, AT(boards), 1, DUPLICATE_BOARDS_MAX, NEEDED, NULL},
    {"consolation", OF(SINGLE_ELIMINATION) | OF(DOUBLE_ELIMINATION), FIELD_YES_NO, true,
     AT(consolation), 0, 1, 0, NULL},
    {"division", OF(LEAGUE), FIELD_WHOLE, true, AT(division), 2, POD_ROUND_ROBIN_PLAYERS_MAX, 8,
     NULL},
    {"division_smallest", OF(LEAGUE), FIELD_WHOLE, true, AT(division_smallest), 2,
     POD_ROUND_ROBIN_PLAYERS_MAX, HALF_DIVISION, NULL},
    {"effect", OF(LADDER), FIELD_WORD, true, AT(effect), 0, 1, 0, effects},
    {"entrants", ALL, FIELD_APART, true, AT(entrants), 2, SETTINGS_ENTRIES_MAX, NEEDED, NULL},
    {"format", ALL, FIELD_APART, true, AT(format), 0, TOURNAMENT_FORMATS - 1, FORMAT_POD_SWISS,
     NULL},
    {"grand_final", OF(DOUBLE_ELIMINATION), FIELD_WORD, true, AT(grand_final), 0, 2,
     GRAND_FINAL_SIMPLE, grand_finals},
    {"moves", OF(LEAGUE), FIELD_WHOLE, false, AT(moves), 0, POD_ROUND_ROBIN_PLAYERS_MAX / 2, 1,
     NULL},
    {"patience_minutes", OF(OPEN_PLAY), FIELD_WHOLE, false, AT(patience_minutes), 0,
     PATIENCE_MINUTES_MOST, 10, NULL},
    {"play", OF(DUPLICATE), FIELD_WORD, true, AT(barometer), 0, 1, 0, plays},
    {"profile", OF(POD_SWISS), FIELD_WORD, false, AT(profile), 0, 2, POD_STRICT, profiles},
    {"profile", OF(DUPLICATE), FIELD_WORD, false, AT(profile), 0, 0, POD_STRICT, profiles},
    {"reach", OF(LADDER), FIELD_WHOLE, true, AT(reach), 1, LADDER_ENTRIES_MAX, 3, NULL},
    {"round_minutes", POINTS | ELIMINATIONS, FIELD_WHOLE, false, AT(round_minutes), 0,
     ROUND_MINUTES_MOST, 0, NULL},
    {"rounds", SWISS, FIELD_WHOLE, false, AT(rounds), 1, ROUNDS_MOST, NEEDED, NULL},
    {"rounds", OF(POD_ROUND_ROBIN), FIELD_WHOLE, true, AT(rounds), 1, ROUNDS_MOST, NEEDED, NULL},
    {"rounds", OF(LEAGUE), FIELD_WHOLE, true, AT(rounds), 0, ROUNDS_MOST, 0, NULL},
    {"rounds", OF(DUPLICATE), FIELD_WHOLE, false, AT(rounds), 1, ROUNDS_MOST, 1, NULL},
    {"scoring", POINTS | OF(OPEN_PLAY), FIELD_SCORING, false, AT(scoring), 0, 0, 0, NULL},
    {"scoring", OF(DUPLICATE), FIELD_WORD, false, AT(matchpoints), 0, 1, 1, scorings},
    {"seats_max", TABLES, FIELD_APART, true, AT(table), 0, 0, 0, NULL},
    {"seats_min", TABLES, FIELD_APART, true, AT(table), 0, 0, 0, NULL},
    {"seats_preferred", TABLES, FIELD_APART, true, AT(table), 0, 0, 0, NULL},
    {"tie_breaks", POINTS, FIELD_CHAIN, false, AT(chain), 0, 0, 0, NULL},
    {"twice", OF(ROUND_ROBIN) | OF(LEAGUE), FIELD_YES_NO, true, AT(twice), 0, 1, 0, NULL},
    {"unplayed_rules", POINTS, FIELD_UNPLAYED, false, AT(unplayed), 0, 0, 0, NULL},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static bool has_field(enum tournament_format format, const struct field *field)
{
    return (field->formats >> format & 1) != 0;
}

/* NULL if no format has a field of this name. */
static const struct field *find_field(const char *name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static const struct field *find_field_of(enum tournament_format format, const char *name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (has_field(format, &fields[i]) && strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static int get_number(const struct stage_settings *stage, const struct field *field)
{
    const char *at = (const char *)stage + field->offset;
    uint32_t four;
    uint16_t two;
    switch (field->size) {
    case sizeof four:
        memcpy(&four, at, sizeof four);
        return (int)four;
    case sizeof two:
        memcpy(&two, at, sizeof two);
        return two;
    default:
        return *(const uint8_t *)at;
    }
}

static void set_number(struct stage_settings *stage, const struct field *field, int value)
{
    char *at = (char *)stage + field->offset;
    uint32_t four = (uint32_t)value;
    uint16_t two = (uint16_t)value;
    switch (field->size) {
    case sizeof four:
        memcpy(at, &four, sizeof four);
        break;
    case sizeof two:
        memcpy(at, &two, sizeof two);
        break;
    default:
        *(uint8_t *)at = (uint8_t)value;
    }
}

/* ---- Reading: an object, where it stands, and what is wrong with it ---- */

struct reading {
    json_t *object;
    const char *prefix; /* `stages[1].`, or empty */
    bool newest;
    const struct game *game;
    struct settings_fault *fault;
};

static bool fail_as(const struct reading *reading, enum settings_fault_kind kind, const char *field,
                    const char *message)
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

static bool fail(const struct reading *reading, const char *field, const char *message)
{
    return fail_as(reading, SETTINGS_FAULT_VALUE, field, message);
}

static bool fail_needed(const struct reading *reading, const char *field)
{
    return fail_as(reading, SETTINGS_FAULT_MISSING, field, "is needed.");
}

static bool fail_range(const struct reading *reading, const char *field, int least, int most)
{
    char message[80];
    struct text text = TEXT_OVER(message);
    text_add(&text, "must be a whole number from ");
    text_add_number(&text, least);
    text_add(&text, " to ");
    text_add_number(&text, most);
    text_add_char(&text, '.');
    return fail(reading, field, message);
}

static bool fail_words(const struct reading *reading, const char *field, const char *const *words,
                       int count)
{
    char message[200];
    struct text text = TEXT_OVER(message);
    text_add(&text, "must be one of:");
    for (int i = 0; i < count && words[i] != NULL; i++) {
        text_add_char(&text, ' ');
        text_add(&text, words[i]);
    }
    return fail(reading, field, message);
}

/* The value of a field; NULL, with `good` telling whether it may, if it is left out. */
static json_t *look_up(const struct reading *reading, const char *field, bool needed, bool *good)
{
    json_t *value = json_object_get(reading->object, field);
    *good = value != NULL || (reading->newest && !needed) || fail_needed(reading, field);
    return value;
}

static bool read_whole(const struct reading *reading, const char *field, int least, int most,
                       int initial, int *number)
{
    bool good;
    json_t *value = look_up(reading, field, initial == NEEDED, &good);
    *number = initial;
    if (value == NULL)
        return good;
    json_int_t whole = json_integer_value(value);
    if (!json_is_integer(value) || whole < least || whole > most)
        return fail_range(reading, field, least, most);
    *number = (int)whole;
    return true;
}

static bool read_yes_no(const struct reading *reading, const char *field, bool *yes)
{
    bool good;
    json_t *value = look_up(reading, field, false, &good);
    *yes = json_is_true(value);
    if (value == NULL || json_is_boolean(value))
        return good;
    return fail(reading, field, "must be true or false.");
}

static int find_word(json_t *value, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)
            return i;
    return -1;
}

/* words[0 .. count - 1] are allowed. */
static bool read_word(const struct reading *reading, const char *field, const char *const *words,
                      int count, int initial, int *index)
{
    bool good;
    json_t *value = look_up(reading, field, initial == NEEDED, &good);
    *index = initial;
    if (value == NULL)
        return good;
    *index = find_word(value, words);
    return (*index >= 0 && *index < count) || fail_words(reading, field, words, count);
}

/* ---- Reading a stage ---- */

static bool read_format(const struct reading *reading, struct stage_settings *stage)
{
    const char *words[TOURNAMENT_FORMATS + 1] = {NULL};
    int index;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        words[i] = formats[i].name;
    if (!read_word(reading, "format", words, TOURNAMENT_FORMATS, FORMAT_POD_SWISS, &index))
        return false;
    stage->format = (enum tournament_format)index;
    return true;
}

static bool fail_unknown(const struct reading *reading, const char *name,
                         enum tournament_format format)
{
    char message[120];
    struct text text = TEXT_OVER(message);
    const struct field *other = find_field(name);
    if (other == NULL)
        return fail_as(reading, SETTINGS_FAULT_UNKNOWN, name, "is not a field of an event.");
    if (other->formats == OF(DUPLICATE))
        return fail(reading, name, "is for duplicate events only.");
    if (strcmp(name, "entrants") == 0)
        return fail(reading, name, "is for stages after the first.");
    text_add(&text, "is not a field of the format ");
    text_add(&text, formats[format].name);
    text_add_char(&text, '.');
    return fail(reading, name, message);
}

/* Fields that an event has besides those of its stages. */
static const char *const event_fields[] = {"capacity", "check_in", "late_entries",
                                           "name",     "options",  "ruleset",
                                           "seeding",  "stages",   "version"};

static bool is_event_field(const char *name)
{
    for (size_t i = 0; i < sizeof event_fields / sizeof event_fields[0]; i++)
        if (strcmp(event_fields[i], name) == 0)
            return true;
    return false;
}

/* `flat`: the fields of the event stand beside those of the stage. */
static bool check_names(const struct reading *reading, enum tournament_format format, bool first,
                        bool flat)
{
    const char *name;
    json_t *value;
    json_object_foreach(reading->object, name, value)
    {
        bool known =
            find_field_of(format, name) != NULL && !(first && strcmp(name, "entrants") == 0);
        if (!known && !(flat && is_event_field(name)))
            return fail_unknown(reading, name, format);
    }
    return true;
}

/* Tables of one size: seats of different ones could not be compared. */
static bool read_equal_seats(const struct reading *reading, struct table_rule *rule)
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

static bool read_seats(const struct reading *reading, struct table_rule *rule)
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

/* The ruleset plays at the tables of the format. */
static bool read_tables(const struct reading *reading, struct stage_settings *stage)
{
    if (stage->format == FORMAT_DUPLICATE)
        return read_equal_seats(reading, &stage->table);
    if (reading->game->seats_max < 2)
        return fail(reading, "format",
                    "does not go with a ruleset for one seat; the one that does is duplicate.");
    if (!formats[stage->format].two)
        return read_seats(reading, &stage->table);
    stage->table = table_rule_range(2, 2, 2);
    return reading->game->seats_min <= 2 ||
           fail(reading, "format", "has tables of two, at which this ruleset does not play.");
}

static unsigned smallest_table(const struct stage_settings *stage)
{
    return (unsigned)__builtin_ctz(stage->table.allowed);
}

static unsigned largest_table(const struct stage_settings *stage)
{
    return 31U - (unsigned)__builtin_clz(stage->table.allowed);
}

static bool has_tables_of_two(const struct stage_settings *stage)
{
    return largest_table(stage) == 2;
}

/* The most that can enter a stage: a single round robin has a round fewer than entries, and an
 * event has TOURNAMENT_ROUNDS_MAX at most. */
static int round_robin_most(bool twice)
{
    int entries = BERGER_ENTRIES_MAX;
    while (berger_rounds((unsigned)entries, twice) > TOURNAMENT_ROUNDS_MAX)
        entries--;
    return entries;
}

static int entries_most(const struct stage_settings *stage)
{
    return stage->format == FORMAT_ROUND_ROBIN ? round_robin_most(stage->twice)
                                               : formats[stage->format].entries;
}

/* A league at tables of two is a round robin, scored as one. */
static const struct format *usual(const struct stage_settings *stage)
{
    bool pairs = stage->format == FORMAT_LEAGUE && has_tables_of_two(stage);
    return &formats[pairs ? FORMAT_ROUND_ROBIN : stage->format];
}

static const struct tie_break_chain *usual_chain(const struct stage_settings *stage)
{
    const struct tie_break_chain *chain = tie_break_chain_find(span_of(usual(stage)->chain));
    assert(chain != NULL);
    return chain;
}

static bool read_scoring(const struct reading *reading, const struct field *field,
                         struct stage_settings *stage)
{
    bool good;
    json_t *value = look_up(reading, field->name, false, &good);
    if (value == NULL)
        return good;
    stage->scoring = json_is_string(value) ? scoring_find(span_of(json_string_value(value))) : NULL;
    if (stage->scoring != NULL)
        return true;
    char message[120];
    struct text text = TEXT_OVER(message);
    text_add(&text, "must be one of:");
    for (size_t i = 0; i < scoring_scheme_count; i++) {
        text_add_char(&text, ' ');
        text_add(&text, scoring_schemes[i].code);
    }
    return fail(reading, field->name, message);
}

static bool stands_before(const struct stage_settings *stage, const struct tie_break_rule *rule)
{
    for (size_t i = 0; i < stage->chain_count; i++)
        if (memcmp(&stage->chain[i], rule, sizeof *rule) == 0)
            return true;
    return false;
}

static bool read_chain(const struct reading *reading, const struct field *field,
                       struct stage_settings *stage)
{
    bool good;
    json_t *list = look_up(reading, field->name, false, &good), *item;
    size_t i, count = json_array_size(list);
    if (list == NULL)
        return good;
    if (count == 0 || count > TIE_BREAK_CHAIN_MAX)
        return fail(reading, field->name, "must be a list of 1 to 12 tie-breaks.");
    stage->chain_count = 0;
    json_array_foreach(list, i, item)
    {
        struct tie_break_rule rule = {0};
        if (!json_is_string(item) || !tie_break_parse(span_of(json_string_value(item)), &rule))
            return fail(reading, field->name, "has a tie-break that is not in the dictionary.");
        if (stands_before(stage, &rule))
            return fail(reading, field->name, "has a tie-break twice.");
        stage->chain[stage->chain_count++] = rule;
    }
    return true;
}

static bool read_unplayed(const struct reading *reading, const struct field *field,
                          struct stage_settings *stage)
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

/* Half of a division, but no fewer than fill a table. */
static int usual_smallest_division(const struct stage_settings *stage)
{
    int half = (stage->division + 1) / 2, least = (int)smallest_table(stage);
    return half < least ? least : half;
}

static bool read_number(const struct reading *reading, const struct field *field,
                        struct stage_settings *stage)
{
    int number = 0;
    bool yes = false, good;
    int initial = field->initial == HALF_DIVISION ? usual_smallest_division(stage) : field->initial;
    if (field->kind == FIELD_YES_NO) {
        good = read_yes_no(reading, field->name, &yes);
        number = yes;
    } else if (field->kind == FIELD_WORD) {
        good = read_word(reading, field->name, field->words, field->most + 1, initial, &number);
    } else {
        good = read_whole(reading, field->name, field->least, field->most, initial, &number);
    }
    if (good)
        set_number(stage, field, number);
    return good;
}

static bool read_field(const struct reading *reading, const struct field *field,
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

/* A division of two-seat tables plays a round robin, larger ones the rounds that are asked for. */
static bool fit_league(const struct reading *reading, const struct stage_settings *stage)
{
    int least = (int)smallest_table(stage);
    int most =
        has_tables_of_two(stage) ? round_robin_most(stage->twice) : POD_ROUND_ROBIN_PLAYERS_MAX;
    if (stage->division < least || stage->division > most)
        return fail_range(reading, "division", least, most);
    if (stage->division_smallest < least || stage->division_smallest > stage->division)
        return fail_range(reading, "division_smallest", least, stage->division);
    if (stage->moves > stage->division / 2)
        return fail_range(reading, "moves", 0, stage->division / 2);
    if (has_tables_of_two(stage))
        return stage->rounds == 0 ||
               fail(reading, "rounds",
                    "must be 0 at tables of two: everybody in a division meets everybody.");
    if (stage->twice)
        return fail(reading, "twice", "is for tables of two only.");
    return stage->rounds > 0 || fail_range(reading, "rounds", 1, ROUNDS_MOST);
}

static bool fit_together(const struct reading *reading, const struct stage_settings *stage)
{
    switch (stage->format) {
    case FORMAT_LEAGUE:
        return fit_league(reading, stage);
    case FORMAT_POD_ELIMINATION:
        return pod_elimination_rule_valid(
                   (struct pod_elimination_rule){stage->table, stage->advance}) ||
               fail_range(reading, "advance", 1, (int)smallest_table(stage) - 1);
    case FORMAT_DUPLICATE:
        return stage->rounds * stage->boards <= DUPLICATE_SITTINGS_MAX ||
               fail(reading, "boards", "times rounds must be at most 64.");
    default:
        return true;
    }
}

static void set_usual(struct stage_settings *stage)
{
    const struct format *format = usual(stage);
    if (format->scoring != NULL)
        stage->scoring = scoring_find(span_of(format->scoring));
    if (!format->points)
        return;
    const struct tie_break_chain *chain = usual_chain(stage);
    memcpy(stage->chain, chain->chain, chain->count * sizeof *chain->chain);
    stage->chain_count = chain->count;
    stage->unplayed = chain->rules;
}

/* The format comes first, because all depends on it, then the tables. */
static bool read_stage(const struct reading *reading, bool first, bool flat,
                       struct stage_settings *stage)
{
    int entrants = 0;
    *stage = (struct stage_settings){0};
    if (!read_format(reading, stage) || !check_names(reading, stage->format, first, flat) ||
        !read_tables(reading, stage))
        return false;
    set_usual(stage);
    for (size_t i = 0; i < FIELDS; i++)
        if (has_field(stage->format, &fields[i]) && !read_field(reading, &fields[i], stage))
            return false;
    if (!first && !read_whole(reading, "entrants", (int)smallest_table(stage), entries_most(stage),
                              NEEDED, &entrants))
        return false;
    stage->entrants = (uint16_t)entrants;
    return fit_together(reading, stage);
}

static const char *stage_prefix(struct text *text, size_t stage)
{
    text_clear(text);
    text_add(text, "stages[");
    text_add_number(text, (int64_t)stage);
    text_add(text, "].");
    return text->at;
}

static bool read_listed(const struct reading *reading, json_t *list,
                        struct tournament_settings *settings)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    json_t *object;
    size_t i;
    if (json_array_size(list) == 0 || json_array_size(list) > SETTINGS_STAGES_MAX)
        return fail(reading, "stages", "must be a list of 1 to 4 stages.");
    json_array_foreach(list, i, object)
    {
        struct reading stage = *reading;
        stage.object = object;
        stage.prefix = stage_prefix(&text, i);
        if (!json_is_object(object))
            return fail(reading, "stages", "must be a list of objects.");
        if (!read_stage(&stage, i == 0, false, &settings->stage[i]))
            return false;
    }
    settings->stage_count = i;
    return true;
}

/* Only formats in which everybody's rounds end can be followed by another one. */
static bool fit_stages(const struct reading *reading, const struct tournament_settings *settings)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    unsigned rounds = 0;
    for (size_t i = 0; i < settings->stage_count; i++) {
        const struct stage_settings *stage = &settings->stage[i];
        struct reading at = *reading;
        if (settings->stage_count > 1)
            at.prefix = stage_prefix(&text, i);
        if (settings->stage_count > 1 &&
            (stage->format == FORMAT_DUPLICATE || !formats[stage->format].rounds))
            return fail(&at, "format", "can only be that of an event with one stage.");
        if (i > 1 && stage->entrants > settings->stage[i - 1].entrants)
            return fail(&at, "entrants", "must not be more than go on into the stage before.");
        rounds += stage->rounds;
        if (rounds > TOURNAMENT_ROUNDS_MAX)
            return fail(&at, "rounds", "makes more than 64 rounds of all stages.");
    }
    return true;
}

static bool read_stages(const struct reading *reading, struct tournament_settings *settings)
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

static bool check_event_names(const struct reading *reading)
{
    const char *name;
    json_t *value;
    json_object_foreach(reading->object, name, value)
    {
        if (is_event_field(name))
            continue;
        if (find_field(name) == NULL)
            return fail_as(reading, SETTINGS_FAULT_UNKNOWN, name, "is not a field of an event.");
        return fail(reading, name, "is a field of a stage: write it in `stages`.");
    }
    return true;
}

static bool read_string(const struct reading *reading, const char *field, bool needed,
                        const char **string)
{
    bool good;
    json_t *value = look_up(reading, field, needed, &good);
    *string = json_string_value(value);
    if (value == NULL || json_is_string(value))
        return good;
    return fail(reading, field, "must be a text.");
}

static bool read_ruleset(struct reading *reading, struct tournament_settings *settings)
{
    const char *slug, *version;
    if (!read_string(reading, "ruleset", true, &slug) ||
        !read_string(reading, "version", false, &version))
        return false;
    const struct game *newest = catalog_newest(span_of(slug));
    if (newest == NULL)
        return fail(reading, "ruleset", "is not in the catalogue; GET /v1/rulesets lists them.");
    settings->game = version == NULL ? newest : catalog_find(span_of(slug), span_of(version));
    reading->game = settings->game;
    return settings->game != NULL ||
           fail(reading, "version", "is not in the catalogue; GET /v1/rulesets lists them.");
}

static bool read_options(const struct reading *reading, struct tournament_settings *settings)
{
    const struct game *game = settings->game;
    bool good;
    json_t *chosen = look_up(reading, "options", false, &good), *value;
    const char *name;
    settings->options = game_options_initial(game);
    if (chosen == NULL)
        return good;
    if (!json_is_object(chosen))
        return fail(reading, "options", "must be an object of option names and values.");
    if (!reading->newest && json_object_size(chosen) != game->option_count)
        return fail(reading, "options", "must have every option of the ruleset.");
    json_object_foreach(chosen, name, value)
    {
        int option = game_option_index(game, span_of(name));
        int index =
            option < 0 || !json_is_string(value)
                ? -1
                : game_option_value(game, (size_t)option, span_of(json_string_value(value)));
        if (index < 0)
            return fail(reading, "options",
                        "has an option or value that this ruleset does not know; "
                        "GET /v1/rulesets lists them.");
        settings->options.value[option] = (uint8_t)index;
    }
    return true;
}

static const char *const seedings[SEEDING_ORDERS + 1] = {
    [SEEDING_ENTERING] = "entering", [SEEDING_RATING] = "rating", [SEEDING_DRAW] = "draw"};

/* Who may enter; read after the stages, because the first one says how many it has room for. */
static bool read_entering(const struct reading *reading, struct tournament_settings *settings)
{
    int most = entries_most(&settings->stage[0]), number;
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
    if (!read_word(reading, "seeding", seedings, SEEDING_ORDERS, SEEDING_ENTERING, &number))
        return false;
    settings->seeding = (enum seeding_order)number;
    return true;
}

bool settings_read(json_t *document, bool newest, struct tournament_settings *settings,
                   struct settings_fault *fault)
{
    struct reading reading = {document, "", newest, NULL, fault};
    *settings = (struct tournament_settings){0};
    if (!json_is_object(document))
        return fail(&reading, "settings", "must be an object.");
    bool flat = newest && json_object_get(document, "stages") == NULL;
    return (flat || check_event_names(&reading)) &&
           read_string(&reading, "name", true, &settings->name) &&
           read_ruleset(&reading, settings) && read_options(&reading, settings) &&
           read_stages(&reading, settings) && read_entering(&reading, settings);
}

/* ---- Writing ---- */

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
        return json_string(formats[stage->format].name);
    if (strcmp(name, "entrants") == 0)
        return json_integer(stage->entrants);
    if (strcmp(name, "seats_min") == 0)
        return json_integer((json_int_t)smallest_table(stage));
    if (strcmp(name, "seats_max") == 0)
        return json_integer((json_int_t)largest_table(stage));
    return json_integer(stage->table.preferred);
}

static json_t *write_field(const struct stage_settings *stage, const struct field *field)
{
    switch (field->kind) {
    case FIELD_WHOLE:
        return json_integer(get_number(stage, field));
    case FIELD_YES_NO:
        return json_boolean(get_number(stage, field));
    case FIELD_WORD:
        return json_string(field->words[get_number(stage, field)]);
    case FIELD_SCORING:
        return json_string(stage->scoring->code);
    case FIELD_CHAIN:
        return write_chain(stage);
    case FIELD_UNPLAYED:
        return json_string(unplayed_rules_name(stage->unplayed));
    default:
        return write_apart(stage, field->name);
    }
}

static json_t *write_stage(const struct stage_settings *stage, bool first)
{
    json_t *object = json_object();
    for (size_t i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        if (has_field(stage->format, field) && !(first && strcmp(field->name, "entrants") == 0))
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

json_t *settings_write(const struct tournament_settings *settings)
{
    json_t *document = json_object(), *stages = json_array();
    for (size_t i = 0; i < settings->stage_count; i++)
        json_array_append_new(stages, write_stage(&settings->stage[i], i == 0));
    json_object_set_new(document, "capacity",
                        settings->capacity == 0 ? json_null() : json_integer(settings->capacity));
    json_object_set_new(document, "check_in", json_boolean(settings->check_in));
    json_object_set_new(document, "late_entries", json_integer(settings->late_entries));
    json_object_set_new(document, "name", json_string(settings->name));
    json_object_set_new(document, "options", write_options(settings));
    json_object_set_new(document, "ruleset", json_string(settings->game->slug));
    json_object_set_new(document, "seeding", json_string(seedings[settings->seeding]));
    json_object_set_new(document, "stages", stages);
    json_object_set_new(document, "version", json_string(settings->game->version));
    return document;
}

/* ---- Changing ---- */

static bool names_stage_field(json_t *changes)
{
    const char *name;
    json_t *value;
    json_object_foreach(changes, name, value)
    {
        if (!is_event_field(name))
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
        if (is_event_field(name) == of_event)
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

/* Another format begins with its own defaults. */
static bool changes_format(const struct tournament_settings *now, json_t *changes)
{
    const char *format = json_string_value(json_object_get(changes, "format"));
    return format != NULL && strcmp(format, formats[now->stage[0].format].name) != 0;
}

static json_t *merge(const struct tournament_settings *now, json_t *changes)
{
    json_t *merged = settings_write(now);
    json_t *stages = json_object_get(merged, "stages");
    if (changes_ruleset(now, changes)) {
        json_object_del(merged, "version");
        json_object_del(merged, "options");
        drop_seats(stages);
    }
    if (changes_format(now, changes))
        json_array_set_new(stages, 0, json_object());
    set_fields(json_array_get(stages, 0), changes, false);
    set_fields(merged, changes, true);
    return merged;
}

/* The rounds that a stage which has begun has to keep: where the stages before it have no number of
 * rounds of their own, how many of its have begun is not known here, and it keeps them all. */
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

static bool keeps_stage(const struct reading *reading, const struct stage_settings *now,
                        const struct stage_settings *then, bool first)
{
    json_t *was = write_stage(now, first), *is = write_stage(then, first);
    const char *broken = NULL;
    if (now->format != then->format)
        broken = "format";
    for (size_t i = 0; i < FIELDS && broken == NULL; i++) {
        const struct field *field = &fields[i];
        if (field->fixed && has_field(now->format, field) &&
            !json_equal(json_object_get(was, field->name), json_object_get(is, field->name)) &&
            json_object_get(was, field->name) != NULL)
            broken = field->name;
    }
    json_decref(was);
    json_decref(is);
    return broken == NULL || fail(reading, broken, "cannot change any more: the stage has begun.");
}

static bool keeps_stages(const struct reading *reading, const struct tournament_settings *now,
                         const struct tournament_settings *then, size_t started_stages,
                         unsigned rounds_started)
{
    char buffer[24];
    struct text text = TEXT_OVER(buffer);
    if (then->stage_count < started_stages)
        return fail(reading, "stages", "must keep every stage that has begun.");
    for (size_t i = 0; i < started_stages; i++) {
        struct reading at = *reading;
        if (json_object_get(reading->object, "stages") != NULL)
            at.prefix = stage_prefix(&text, i);
        if (!keeps_stage(&at, &now->stage[i], &then->stage[i], i == 0))
            return false;
        unsigned least = rounds_least(now, i, started_stages, rounds_started);
        bool ended = i + 1 < started_stages;
        if (then->stage[i].rounds < least || (ended && then->stage[i].rounds > least))
            return fail(&at, "rounds",
                        ended ? "cannot change any more: the stage is over."
                              : "must not be fewer than have begun.");
    }
    return true;
}

/* What the event is about cannot change once it is played. */
static bool keeps_event(const struct reading *reading, const struct tournament_settings *now,
                        const struct tournament_settings *then)
{
    if (now->game != then->game)
        return fail(reading, strcmp(now->game->slug, then->game->slug) == 0 ? "version" : "ruleset",
                    "cannot change any more: the event has begun.");
    if (memcmp(&now->options, &then->options, sizeof now->options) != 0)
        return fail(reading, "options", "cannot change any more: the event has begun.");
    return now->seeding == then->seeding ||
           fail(reading, "seeding", "cannot change any more: numbers are given.");
}

/* Who wrote no stages is told of fields as they were written. */
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
    struct reading reading = {changes, "", true, NULL, fault};
    *fault = (struct settings_fault){0};
    if (!json_is_object(changes))
        return fail(&reading, "settings", "must be an object.");
    if (names_stage_field(changes) &&
        (now->stage_count > 1 || json_object_get(changes, "stages") != NULL) &&
        !check_event_names(&reading))
        return false;
    json_t *merged = merge(now, changes);
    bool good = settings_read(merged, true, result, fault);
    if (json_object_get(changes, "stages") == NULL)
        drop_prefix(fault, now->stage_count);
    if (json_object_get(changes, "name") == NULL)
        result->name = now->name;
    json_decref(merged);
    return good && (started_stages == 0 ||
                    (keeps_event(&reading, now, result) &&
                     keeps_stages(&reading, now, result, started_stages, rounds_started)));
}
