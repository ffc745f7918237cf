/* Settings of events: every field of every format with its default and the ends of its range, what
 * is refused and by which name, and what can still change once an event is played. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "engine/tournament/event/settings.h"

/* A field as it is documented: values as JSON. `initial` NULL: needed. */
struct documented {
    const char *name, *initial, *least, *most;
    const char *below, *above; /* refused; NULL where there is no such end */
};

/* Of shinjuku, which plays with two to four. */
#define SEATS                                                                                      \
    {"seats_max", "4", "2", "4", "1", "5"}, {"seats_min", "2", "2", "4", "1", "5"},                \
    {                                                                                              \
        "seats_preferred", "4", "2", "4", "1", "5"                                                 \
    }
#define CHAIN_PODS        "[\"PTS\",\"DE\",\"WIN\",\"OPA/C1\",\"SBA\",\"SHR\",\"LAST\",\"RND\"]"
#define CHAIN_SWISS       "[\"PTS\",\"DE\",\"BH/C1\",\"BH\",\"SB\",\"WIN\",\"BWG\",\"RND\"]"
#define CHAIN_ROUND_ROBIN "[\"PTS\",\"DE\",\"WIN\",\"SB\",\"KS\",\"RND\"]"
#define CHAIN_OF(chain)                                                                            \
    {                                                                                              \
        "tie_breaks", chain, "[\"PTS\"]",                                                          \
            "[\"PTS\",\"DE\",\"WIN\",\"WON\",\"BPG\",\"BWG\",\"REP\",\"STD\",\"PS\",\"BH\",\"FB\"" \
            ",\"BH/C1\"]",                                                                         \
            "[]",                                                                                  \
            "[\"PTS\",\"DE\",\"WIN\",\"WON\",\"BPG\",\"BWG\",\"REP\",\"STD\",\"PS\",\"BH\",\"FB\"" \
            ",\"BH/C1\",\"BH/C2\"]"                                                                \
    }
#define ROUNDS                                                                                     \
    {                                                                                              \
        "rounds", NULL, "1", "20", "0", "21"                                                       \
    }
#define MINUTES                                                                                    \
    {                                                                                              \
        "round_minutes", "0", "0", "43200", "-1", "43201"                                          \
    }
#define SCORING(code)                                                                              \
    {                                                                                              \
        "scoring", "\"" code "\"", "\"margin\"", "\"3-1-0\"", "\"3-2-1\"", "3"                     \
    }
#define UNPLAYED(rules)                                                                            \
    {                                                                                              \
        "unplayed_rules", "\"" rules "\"", "\"pods-1\"", "\"fide-2023\"", "\"fide-2022\"", "1"     \
    }
#define FREE_ROUNDS(usual)                                                                         \
    {                                                                                              \
        "free_rounds", "\"" usual "\"", "\"as_byes\"", "\"nothing\"", "\"some\"", "1"              \
    }
#define YES_NO(name)                                                                               \
    {                                                                                              \
        name, "false", "false", "true", "0", "\"yes\""                                             \
    }
#define CONSOLATION YES_NO("consolation")

#define PAIRING_VERSION                                                                            \
    {                                                                                              \
        "pairing_version", "3", "1", "3", "0", "4"                                                 \
    }

static const struct documented pod_swiss[] = {
    ROUNDS,
    MINUTES,
    SEATS,
    {"profile", "\"strict\"", "\"balanced\"", "\"power\"", "\"fair\"", "0"},
    PAIRING_VERSION,
    SCORING("5-3-2-1"),
    CHAIN_OF(CHAIN_PODS),
    UNPLAYED("pods-1"),
    {0}};
static const struct documented dutch[] = {
    ROUNDS, MINUTES, SCORING("1-half-0"), CHAIN_OF(CHAIN_SWISS), UNPLAYED("fide-2026"), {0}};
static const struct documented round_robin[] = {MINUTES,
                                                SCORING("1-half-0"),
                                                CHAIN_OF(CHAIN_ROUND_ROBIN),
                                                UNPLAYED("round-robin"),
                                                YES_NO("twice"),
                                                FREE_ROUNDS("nothing"),
                                                {0}};
static const struct documented pod_round_robin[] = {ROUNDS,
                                                    MINUTES,
                                                    SEATS,
                                                    PAIRING_VERSION,
                                                    SCORING("5-3-2-1"),
                                                    CHAIN_OF(CHAIN_PODS),
                                                    UNPLAYED("pods-1"),
                                                    {0}};
static const struct documented single[] = {MINUTES, CONSOLATION, {0}};
static const struct documented twofold[] = {
    MINUTES,
    CONSOLATION,
    {"grand_final", "\"simple\"", "\"none\"", "\"double\"", "\"triple\"", "2"},
    {0}};
static const struct documented pod_elimination[] = {
    MINUTES, SEATS, {"advance", "1", "1", "1", "0", "2"}, {0}};
static const struct documented league[] = {{"division", "8", "2", "256", "1", "257"},
                                           {"division_smallest", "4", "4", "8", "1", "9"},
                                           {"moves", "1", "0", "4", "-1", "5"},
                                           {"rounds", NULL, "1", "20", "0", "21"},
                                           MINUTES,
                                           {"seats_max", "4", "3", "4", "1", "5"},
                                           {"seats_min", "2", "2", "4", "1", "5"},
                                           {"seats_preferred", "4", "2", "4", "1", "5"},
                                           SCORING("5-3-2-1"),
                                           CHAIN_OF(CHAIN_PODS),
                                           UNPLAYED("pods-1"),
                                           FREE_ROUNDS("as_byes"),
                                           PAIRING_VERSION,
                                           {0}};
static const struct documented ladder[] = {
    {"reach", "3", "1", "1024", "0", "1025"},
    {"effect", "\"take_place\"", "\"take_place\"", "\"exchange\"", "\"swap\"", "1"},
    {"answer_minutes", "0", "0", "43200", "-1", "43201"},
    {0}};
static const struct documented open_play[] = {
    {"best", "5", "1", "64", "0", "65"},
    {"patience_minutes", "10", "0", "10080", "-1", "10081"},
    SEATS,
    SCORING("5-3-2-1"),
    {0}};
static const struct documented duplicate[] = {
    {"boards", NULL, "1", "32", "0", "33"},
    {"rounds", "1", "1", "20", "0", "21"},
    {"scoring", "\"matchpoints\"", "\"matchpoints\"", "\"total\"", "\"imps\"", "0"},
    {"play", "\"asynchronous\"", "\"asynchronous\"", "\"barometer\"", "\"postal\"", "0"},
    {"profile", "\"strict\"", "\"strict\"", "\"strict\"", "\"power\"", "0"},
    {"seats_max", "4", "4", "4", "3", "5"},
    {"seats_min", "4", "4", "4", "3", "5"},
    {"seats_preferred", "4", "2", "4", "1", "5"},
    {0}};

/* `given`: what is written besides the format, so that needed fields are there. */
static const struct {
    const char *name;
    const struct documented *fields;
    const char *given;
} documented_formats[TOURNAMENT_FORMATS] = {
    [FORMAT_POD_SWISS] = {"pod_swiss", pod_swiss, "\"rounds\":5"},
    [FORMAT_DUTCH] = {"dutch", dutch, "\"rounds\":5"},
    [FORMAT_ROUND_ROBIN] = {"round_robin", round_robin, NULL},
    [FORMAT_POD_ROUND_ROBIN] = {"pod_round_robin", pod_round_robin, "\"rounds\":5"},
    [FORMAT_SINGLE_ELIMINATION] = {"single_elimination", single, NULL},
    [FORMAT_DOUBLE_ELIMINATION] = {"double_elimination", twofold, NULL},
    [FORMAT_POD_ELIMINATION] = {"pod_elimination", pod_elimination, NULL},
    [FORMAT_LEAGUE] = {"league", league, "\"rounds\":5"},
    [FORMAT_LADDER] = {"ladder", ladder, NULL},
    [FORMAT_OPEN_PLAY] = {"open_play", open_play, NULL},
    [FORMAT_DUPLICATE] = {"duplicate", duplicate, "\"boards\":2"},
};

static json_t *parse(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        fail_msg("not JSON: %s", text);
    return value;
}

/* The flat form of an event of a format, of the game for two to four. */
static json_t *event_of(size_t format)
{
    char text[200];
    const char *given = documented_formats[format].given;
    snprintf(text, sizeof text, "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"format\":\"%s\"%s%s}",
             documented_formats[format].name, given == NULL ? "" : ",", given == NULL ? "" : given);
    return parse(text);
}

static char *bytes_of(json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    return text;
}

/* Settings as read, written, and read and written once more, must be the same bytes. */
static json_t *read_and_write(json_t *document)
{
    struct tournament_settings settings, again;
    struct settings_fault fault = {0};
    if (!settings_read(document, true, &settings, &fault))
        fail_msg("%s %s", fault.field, fault.message);
    json_t *written = settings_write(&settings);
    if (!settings_read(written, false, &again, &fault))
        fail_msg("written: %s %s", fault.field, fault.message);
    json_t *twice = settings_write(&again);
    char *first = bytes_of(written), *second = bytes_of(twice);
    assert_string_equal(first, second);
    free(first);
    free(second);
    json_decref(twice);
    return written;
}

static void assert_fault(json_t *document, bool newest, enum settings_fault_kind kind,
                         const char *field)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    char *text = bytes_of(document);
    if (settings_read(document, newest, &settings, &fault))
        fail_msg("taken: %s", text);
    if (strcmp(fault.field, field) != 0 || fault.kind != kind)
        fail_msg("%s: %s %s", text, fault.field, fault.message);
    assert_true(strlen(fault.message) > 8);
    free(text);
}

static void assert_refused(const char *document, const char *field)
{
    json_t *object = parse(document);
    assert_fault(object, true, SETTINGS_FAULT_VALUE, field);
    json_decref(object);
}

static json_t *stage_of(json_t *written, size_t stage)
{
    return json_array_get(json_object_get(written, "stages"), stage);
}

static void assert_value(json_t *object, const char *field, const char *value)
{
    json_t *expected = parse(value);
    if (!json_equal(json_object_get(object, field), expected)) {
        char *text = bytes_of(object);
        fail_msg("%s is not %s in %s", field, value, text);
    }
    json_decref(expected);
}

/* ---- Fields ---- */

static void formats_have_their_names(void **state)
{
    (void)state;
    static const bool rounds[TOURNAMENT_FORMATS] = {
        [FORMAT_POD_SWISS] = true,          [FORMAT_DUTCH] = true,
        [FORMAT_ROUND_ROBIN] = true,        [FORMAT_POD_ROUND_ROBIN] = true,
        [FORMAT_SINGLE_ELIMINATION] = true, [FORMAT_DOUBLE_ELIMINATION] = true,
        [FORMAT_POD_ELIMINATION] = true,    [FORMAT_LEAGUE] = true,
        [FORMAT_DUPLICATE] = true};
    static const bool points[TOURNAMENT_FORMATS] = {[FORMAT_POD_SWISS] = true,
                                                    [FORMAT_DUTCH] = true,
                                                    [FORMAT_ROUND_ROBIN] = true,
                                                    [FORMAT_POD_ROUND_ROBIN] = true,
                                                    [FORMAT_LEAGUE] = true};
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        enum tournament_format format = (enum tournament_format)i;
        assert_string_equal(tournament_format_name(format), documented_formats[i].name);
        assert_int_equal(tournament_format_has_rounds(format), rounds[i]);
        assert_int_equal(tournament_format_has_points(format), points[i]);
    }
}

static void missing_fields_get_their_defaults(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        json_t *document = event_of(i), *written = read_and_write(document);
        json_t *stage = stage_of(written, 0);
        size_t count = 1;
        for (const struct documented *field = documented_formats[i].fields; field->name; field++) {
            if (field->initial != NULL)
                assert_value(stage, field->name, field->initial);
            count++;
        }
        /* the league's `twice` is a field too, for tables of two */
        assert_int_equal(json_object_size(stage), count + (i == FORMAT_LEAGUE));
        json_decref(written);
        json_decref(document);
    }
}

static void needed_fields_are_missed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        for (const struct documented *field = documented_formats[i].fields; field->name; field++) {
            json_t *document = event_of(i);
            json_object_del(document, field->name);
            if (field->initial == NULL)
                assert_fault(document, true,
                             i == FORMAT_LEAGUE ? SETTINGS_FAULT_VALUE : SETTINGS_FAULT_MISSING,
                             field->name);
            json_decref(document);
        }
}

static void both_ends_of_a_range_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        for (const struct documented *field = documented_formats[i].fields; field->name; field++)
            for (int end = 0; end < 2; end++) {
                const char *value = end == 0 ? field->least : field->most;
                json_t *document = event_of(i);
                json_object_set_new(document, field->name, parse(value));
                json_t *written = read_and_write(document);
                assert_value(stage_of(written, 0), field->name, value);
                json_decref(written);
                json_decref(document);
            }
}

static void what_lies_beyond_a_range_is_refused(void **state)
{
    (void)state;
    static const char *const never[] = {"null", "{}", "1.5", "\"\""};
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        for (const struct documented *field = documented_formats[i].fields; field->name; field++) {
            const char *refused[6] = {field->below, field->above};
            memcpy(refused + 2, never, sizeof never);
            for (size_t k = 0; k < 6; k++) {
                json_t *document = event_of(i);
                json_object_set_new(document, field->name, parse(refused[k]));
                assert_fault(document, true, SETTINGS_FAULT_VALUE, field->name);
                json_decref(document);
            }
        }
}

static bool documents(size_t format, const char *name)
{
    for (const struct documented *field = documented_formats[format].fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return true;
    return format == FORMAT_LEAGUE && strcmp(name, "twice") == 0;
}

static void fields_of_other_formats_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++)
        for (size_t other = 0; other < TOURNAMENT_FORMATS; other++)
            for (const struct documented *field = documented_formats[other].fields; field->name;
                 field++) {
                if (documents(i, field->name))
                    continue;
                json_t *document = event_of(i);
                json_object_set_new(document, field->name, parse(field->most));
                assert_fault(document, true, SETTINGS_FAULT_VALUE, field->name);
                json_decref(document);
            }
}

static void unknown_fields_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        json_t *document = event_of(i);
        json_object_set_new(document, "tables", json_integer(3));
        assert_fault(document, true, SETTINGS_FAULT_UNKNOWN, "tables");
        json_object_del(document, "tables");
        json_object_set_new(document, "a name that is longer than any field's name is",
                            json_integer(3));
        assert_fault(document, true, SETTINGS_FAULT_UNKNOWN, "(a long name)");
        json_decref(document);
    }
}

/* Logs that are older than a field have its default. */
static void assert_has_default(json_t *older, const json_t *written)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    assert_true(settings_read(older, false, &settings, &fault));
    json_t *again = settings_write(&settings);
    assert_true(json_equal(again, written));
    json_decref(again);
}

/* Older than the second version of pod Swiss: drawn by the first. */
static void assert_has_first_version(json_t *older)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    assert_true(settings_read(older, false, &settings, &fault));
    assert_int_equal(settings.stage[0].pairing_version, 1);
    assert_true(settings_read(older, true, &settings, &fault));
    assert_int_equal(settings.stage[0].pairing_version, POD_VERSION);
}

/* Older than the field: a free round was a pairing bye. */
static void assert_scores_free_rounds(json_t *older)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    assert_true(settings_read(older, false, &settings, &fault));
    const struct stage_settings *stage = &settings.stage[0];
    assert_int_equal(stage->free_rounds, FREE_ROUNDS_AS_BYES);
    assert_int_equal(stage->scoring.unplayed[ROUND_PAIRING_BYE],
                     stage->scheme->scoring.unplayed[ROUND_PAIRING_BYE]);
}

/* Logs of before say nothing, and go on saying nothing. */
static void assert_parts_nobody(json_t *document)
{
    struct tournament_settings settings, changed;
    struct settings_fault fault = {0};
    assert_true(settings_read(document, false, &settings, &fault));
    assert_int_equal(settings.same_owner, SAME_OWNER_UNSAID);
    json_t *written = settings_write(&settings);
    assert_true(json_equal(written, document));
    json_decref(written);
    json_t *changes = parse("{\"capacity\":9}");
    assert_true(settings_change(&settings, changes, 0, 0, &changed, &fault));
    assert_int_equal(changed.same_owner, SAME_OWNER_UNSAID);
    json_decref(changes);
}

static void a_log_holds_every_field(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        json_t *document = event_of(i), *written = read_and_write(document);
        const char *name;
        json_t *value;
        json_object_foreach(written, name, value)
        {
            json_t *less = json_deep_copy(written);
            json_object_del(less, name);
            if (strcmp(name, "same_owner") == 0)
                assert_parts_nobody(less);
            else
                assert_fault(less, false, SETTINGS_FAULT_MISSING, name);
            json_decref(less);
        }
        json_object_foreach(stage_of(written, 0), name, value)
        {
            char field[80];
            snprintf(field, sizeof field, "stages[0].%s", name);
            json_t *less = json_deep_copy(written);
            json_object_del(stage_of(less, 0), name);
            if (strcmp(name, "answer_minutes") == 0)
                assert_has_default(less, written);
            else if (strcmp(name, "pairing_version") == 0)
                assert_has_first_version(less);
            else if (strcmp(name, "free_rounds") == 0)
                assert_scores_free_rounds(less);
            else
                assert_fault(less, false, SETTINGS_FAULT_MISSING, field);
            json_decref(less);
        }
        assert_fault(document, false, SETTINGS_FAULT_VALUE, "format");
        json_decref(written);
        json_decref(document);
    }
}

/* ---- Fields that depend on others ---- */

#define EVENT(rest)  "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\"," rest "}"
#define STAGES(rest) EVENT("\"stages\":[" rest "]")
#define SWISS        "{\"rounds\":5}"
#define SINGLE(rest) "{\"format\":\"single_elimination\"" rest "}"
#define TOP(n)       SINGLE(",\"entrants\":" #n)

static void seats_lie_within_each_other(void **state)
{
    (void)state;
    assert_refused(EVENT("\"rounds\":3,\"seats_min\":4,\"seats_max\":3"), "seats_max");
    assert_refused(EVENT("\"rounds\":3,\"seats_max\":3,\"seats_preferred\":4"), "seats_preferred");
    assert_refused(EVENT("\"rounds\":3,\"seats_min\":3,\"seats_preferred\":2"), "seats_preferred");
    json_t *document = parse(EVENT("\"rounds\":3,\"seats_min\":3"));
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    assert_true(settings_read(document, true, &settings, &fault));
    assert_int_equal(settings.stage[0].table.allowed, 1 << 3 | 1 << 4);
    assert_int_equal(settings.stage[0].table.preferred, 4);
    json_decref(document);
}

static void a_duplicate_event_has_tables_of_one_size_and_sixty_four_boards(void **state)
{
    (void)state;
    assert_refused(EVENT("\"format\":\"duplicate\",\"boards\":1,\"seats_preferred\":4,"
                         "\"seats_min\":3"),
                   "seats_min");
    assert_refused(EVENT("\"format\":\"duplicate\",\"boards\":13,\"rounds\":5"), "boards");
    json_t *document = parse(EVENT("\"format\":\"duplicate\",\"boards\":16,\"rounds\":4"));
    json_decref(read_and_write(document));
    json_decref(document);
}

static void more_go_on_from_larger_tables(void **state)
{
    (void)state;
    json_t *document = parse(EVENT("\"format\":\"pod_elimination\",\"seats_min\":4,\"advance\":3"));
    json_decref(read_and_write(document));
    json_decref(document);
    assert_refused(EVENT("\"format\":\"pod_elimination\",\"seats_min\":3,\"advance\":3"),
                   "advance");
}

static void a_league_at_tables_of_two_is_a_round_robin(void **state)
{
    (void)state;
    json_t *document = parse(EVENT("\"format\":\"league\",\"seats_max\":2,\"twice\":true,"
                                   "\"division\":32"));
    json_t *written = read_and_write(document);
    assert_value(stage_of(written, 0), "scoring", "\"1-half-0\"");
    assert_value(stage_of(written, 0), "tie_breaks", CHAIN_ROUND_ROBIN);
    assert_value(stage_of(written, 0), "division_smallest", "16");
    assert_value(stage_of(written, 0), "free_rounds", "\"nothing\"");
    json_decref(written);
    json_decref(document);
    assert_refused(EVENT("\"format\":\"league\",\"seats_max\":2,\"twice\":true,\"division\":33"),
                   "division");
    assert_refused(EVENT("\"format\":\"league\",\"seats_max\":2,\"division\":65"), "division");
    assert_refused(EVENT("\"format\":\"league\",\"seats_max\":2,\"rounds\":3"), "rounds");
    assert_refused(EVENT("\"format\":\"league\",\"rounds\":3,\"twice\":true"), "twice");
    assert_refused(EVENT("\"format\":\"league\",\"rounds\":3,\"seats_min\":3,\"division\":4,"
                         "\"division_smallest\":2"),
                   "division_smallest");
}

/* A scheme is written by its code although free rounds are worth nothing; points of one's own keep
 * everything else. */
static void free_rounds_of_a_schedule_for_two_are_worth_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *document;
        int32_t free_round;
        const char *scoring;
    } cases[] = {
        {EVENT("\"format\":\"round_robin\""), 0, "\"1-half-0\""},
        {EVENT("\"format\":\"round_robin\",\"scoring\":\"3-1-0\""), 0, "\"3-1-0\""},
        {EVENT("\"format\":\"round_robin\",\"free_rounds\":\"as_byes\""), 60, "\"1-half-0\""},
        {EVENT("\"format\":\"league\",\"seats_max\":2,\"twice\":true"), 0, "\"1-half-0\""},
        {EVENT("\"format\":\"league\",\"rounds\":3"), 165, "\"5-3-2-1\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tournament_settings settings;
        struct settings_fault fault = {0};
        json_t *document = parse(cases[i].document), *written = read_and_write(document);
        assert_true(settings_read(written, false, &settings, &fault));
        assert_int_equal(settings.stage[0].scoring.unplayed[ROUND_PAIRING_BYE],
                         cases[i].free_round);
        assert_value(stage_of(written, 0), "scoring", cases[i].scoring);
        json_decref(written);
        json_decref(document);
    }
    json_t *own = parse(EVENT("\"format\":\"round_robin\","
                              "\"scoring\":{\"scheme\":\"3-1-0\",\"half_bye\":\"3/2\"}"));
    json_t *written = read_and_write(own);
    json_t *scoring = json_object_get(stage_of(written, 0), "scoring");
    assert_value(scoring, "half_bye", "\"3/2\"");
    assert_value(scoring, "pairing_bye", "0");
    json_decref(written);
    json_decref(own);
    assert_refused(EVENT("\"format\":\"dutch\",\"rounds\":5,\"free_rounds\":\"nothing\""),
                   "free_rounds");
}

static void a_round_robin_has_no_more_entries_than_rounds(void **state)
{
    (void)state;
    json_t *document = parse(EVENT("\"format\":\"round_robin\"")), *written;
    written = read_and_write(document);
    assert_value(written, "capacity", "64");
    json_decref(written);
    json_object_set_new(document, "twice", json_true());
    written = read_and_write(document);
    assert_value(written, "capacity", "32");
    json_decref(written);
    json_object_set_new(document, "capacity", json_integer(33));
    assert_fault(document, true, SETTINGS_FAULT_VALUE, "capacity");
    json_decref(document);
}

static void rulesets_have_the_seats_of_the_format(void **state)
{
    (void)state;
    assert_int_equal(catalog_newest(span_of("supermarche"))->seats_max, 1);
    assert_refused("{\"name\":\"x\",\"ruleset\":\"supermarche\",\"rounds\":3}", "format");
    assert_refused("{\"name\":\"x\",\"ruleset\":\"supermarche\",\"format\":\"ladder\"}", "format");
    json_t *document = parse("{\"name\":\"x\",\"ruleset\":\"supermarche\","
                             "\"format\":\"duplicate\",\"boards\":3}");
    json_t *written = read_and_write(document);
    assert_value(stage_of(written, 0), "seats_min", "1");
    json_decref(written);
    json_decref(document);
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        bool two = game->seats_min <= 2 && game->seats_max >= 2;
        struct tournament_settings settings;
        struct settings_fault fault = {0};
        document = parse(EVENT("\"format\":\"ladder\""));
        json_object_set_new(document, "ruleset", json_string(game->slug));
        assert_int_equal(settings_read(document, true, &settings, &fault), two);
        json_decref(document);
    }
}

/* ---- The event ---- */

/* Logs that are older than the field do without it, and so does whoever has the usual time. */
static void the_time_for_protests_is_written_where_it_is_not_usual(void **state)
{
    (void)state;
    static const char *const bad[] = {"-1", "43201", "\"60\"", "1.5", "null"};
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    json_t *document = parse(EVENT("\"format\":\"ladder\"")), *written;
    written = read_and_write(document);
    assert_null(json_object_get(written, "protest_minutes"));
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.protest_minutes, 1440);
    json_object_set_new(written, "protest_minutes", json_integer(43200));
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.protest_minutes, 43200);
    json_decref(written);
    json_object_set_new(document, "protest_minutes", json_integer(0));
    written = read_and_write(document);
    assert_value(written, "protest_minutes", "0");
    json_decref(written);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_object_set_new(document, "protest_minutes", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "protest_minutes");
    }
    json_decref(document);
}

static void spectators_are_behind_where_an_event_says_so(void **state)
{
    (void)state;
    static const char *const bad[] = {"-1", "1001", "\"3\"", "1.5", "null"};
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    json_t *document = parse(EVENT("\"format\":\"ladder\"")), *written;
    written = read_and_write(document);
    assert_null(json_object_get(written, "delay_entries"));
    json_decref(written);
    json_object_set_new(document, "delay_entries", json_integer(1000));
    written = read_and_write(document);
    assert_value(written, "delay_entries", "1000");
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.delay_entries, 1000);
    json_decref(written);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_object_set_new(document, "delay_entries", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "delay_entries");
    }
    json_decref(document);
}

/* Apart where an organizer says nothing; what was said stays when something else is changed. */
static void those_with_one_owner_are_kept_apart_or_allowed(void **state)
{
    (void)state;
    struct tournament_settings settings, changed;
    struct settings_fault fault = {0};
    json_t *document = parse(EVENT("\"format\":\"ladder\"")), *written;
    written = read_and_write(document);
    assert_value(written, "same_owner", "\"apart\"");
    json_decref(written);
    json_object_set_new(document, "same_owner", json_string("allowed"));
    written = read_and_write(document);
    assert_value(written, "same_owner", "\"allowed\"");
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.same_owner, SAME_OWNER_ALLOWED);
    json_t *changes = parse("{\"capacity\":9}");
    assert_true(settings_change(&settings, changes, 0, 0, &changed, &fault));
    assert_int_equal(changed.same_owner, SAME_OWNER_ALLOWED);
    json_object_set_new(changes, "same_owner", json_string("apart"));
    assert_true(settings_change(&settings, changes, 1, 0, &changed, &fault));
    assert_int_equal(changed.same_owner, SAME_OWNER_APART);
    json_decref(changes);
    json_decref(written);
    static const char *const bad[] = {"\"unsaid\"", "true", "null", "\"\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_object_set_new(document, "same_owner", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "same_owner");
    }
    json_decref(document);
}

/* Logs that do not say it take no guests, and what is usual is not written: equal settings stay
 * equal bytes. */
static void guests_are_written_where_they_are_allowed(void **state)
{
    (void)state;
    struct tournament_settings settings, changed;
    struct settings_fault fault = {0};
    json_t *document = parse(EVENT("\"format\":\"ladder\"")), *written;
    written = read_and_write(document);
    assert_null(json_object_get(written, "guests"));
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.guests, GUESTS_NO);
    json_decref(written);
    json_object_set_new(document, "guests", json_string("allowed"));
    written = read_and_write(document);
    assert_value(written, "guests", "\"allowed\"");
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.guests, GUESTS_ALLOWED);
    json_t *changes = parse("{\"capacity\":9}");
    assert_true(settings_change(&settings, changes, 0, 0, &changed, &fault));
    assert_int_equal(changed.guests, GUESTS_ALLOWED);
    json_object_set_new(changes, "guests", json_string("no"));
    assert_true(settings_change(&settings, changes, 1, 0, &changed, &fault));
    assert_int_equal(changed.guests, GUESTS_NO);
    json_decref(changes);
    json_decref(written); /* the settings' texts are its */
    static const char *const bad[] = {"\"yes\"", "true", "null", "\"\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_object_set_new(document, "guests", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "guests");
    }
    json_decref(document);
}

/* What is usual is not written: logs of events before house players stay equal bytes. */
static void programs_are_written_where_they_are_not_usual(void **state)
{
    (void)state;
    static const struct {
        const char *name, *usual, *other, *bad[5];
    } fields[] = {
        {"house", "\"none\"", "\"strong\"", {"\"divine\"", "true", "null", "\"\"", "3"}},
        {"bots", "true", "false", {"\"yes\"", "null", "0", "[]", "\"none\""}},
        {"rate_house", "false", "true", {"\"yes\"", "null", "1", "[]", "\"none\""}},
    };
    struct tournament_settings settings, changed;
    struct settings_fault fault = {0};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *name = fields[i].name;
        json_t *document = parse(EVENT("\"format\":\"pod_swiss\",\"rounds\":3")), *written;
        json_object_set_new(document, name, json_loads(fields[i].usual, JSON_DECODE_ANY, NULL));
        written = read_and_write(document);
        assert_null(json_object_get(written, name));
        json_decref(written);
        json_object_set_new(document, name, json_loads(fields[i].other, JSON_DECODE_ANY, NULL));
        written = read_and_write(document);
        assert_value(written, name, fields[i].other);
        assert_true(settings_read(written, false, &settings, &fault));
        json_t *changes = parse("{\"capacity\":9}");
        assert_true(settings_change(&settings, changes, 0, 0, &changed, &fault));
        json_t *again = settings_write(&changed);
        assert_value(again, name, fields[i].other);
        json_decref(again);
        json_object_set_new(changes, name, json_loads(fields[i].usual, JSON_DECODE_ANY, NULL));
        assert_true(settings_change(&settings, changes, 0, 0, &changed, &fault));
        bool may = settings_change(&settings, changes, 1, 1, &changed, &fault);
        assert_int_equal(may, strcmp(name, "rate_house") != 0);
        if (!may)
            assert_string_equal(fault.field, "rate_house");
        json_decref(changes);
        json_decref(written);
        for (size_t bad = 0; bad < 5; bad++) {
            json_object_set_new(document, name,
                                json_loads(fields[i].bad[bad], JSON_DECODE_ANY, NULL));
            assert_fault(document, true, SETTINGS_FAULT_VALUE, name);
        }
        json_decref(document);
    }
}

/* Settings name the levels without depending on the search that plays them. */
static void every_level_can_be_allowed(void **state)
{
    (void)state;
    size_t count = 0;
    for (; level_at(count) != NULL; count++)
        assert_string_equal(level_at(count)->name,
                            house_choice_name((enum house_choice)(count + 1)));
    assert_int_equal(count + 1, HOUSE_CHOICES);
}

/* A schedule or a bracket says who meets; a stage like that makes an event one that parts nobody.
 */
static void some_formats_cannot_part(void **state)
{
    (void)state;
    static const bool parts[TOURNAMENT_FORMATS] = {[FORMAT_POD_SWISS] = true,
                                                   [FORMAT_DUTCH] = true,
                                                   [FORMAT_LADDER] = true,
                                                   [FORMAT_OPEN_PLAY] = true};
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        struct tournament_settings settings = {.stage_count = 2};
        settings.stage[0].format = FORMAT_POD_SWISS;
        settings.stage[1].format = (enum tournament_format)i;
        assert_ptr_equal(settings_unparted(&settings), parts[i] ? NULL : &settings.stage[1]);
    }
}

/* Off where nothing is said; and never where several tables have the same luck. */
static void games_wait_for_entropy_where_an_event_says_so(void **state)
{
    (void)state;
    static const char *const bad[] = {"-1", "604801", "\"60\"", "1.5", "null"};
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    json_t *document = parse(EVENT("\"format\":\"ladder\"")), *written;
    written = read_and_write(document);
    assert_null(json_object_get(written, "entropy_seconds"));
    json_decref(written);
    json_object_set_new(document, "entropy_seconds", json_integer(604800));
    written = read_and_write(document);
    assert_value(written, "entropy_seconds", "604800");
    assert_true(settings_read(written, false, &settings, &fault));
    assert_int_equal(settings.entropy_seconds, 604800);
    json_decref(written);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_object_set_new(document, "entropy_seconds", json_loads(bad[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "entropy_seconds");
    }
    json_decref(document);
    document = parse(EVENT("\"format\":\"duplicate\",\"boards\":2,\"entropy_seconds\":0"));
    json_decref(read_and_write(document));
    json_object_set_new(document, "entropy_seconds", json_integer(1));
    assert_fault(document, true, SETTINGS_FAULT_VALUE, "entropy_seconds");
    json_decref(document);
}

static void events_have_their_defaults_and_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name, *initial, *least, *most, *below, *above;
    } event[] = {{"capacity", "null", "1", "4096", "0", "4097"},
                 {"check_in", "false", "false", "true", "0", "\"true\""},
                 {"late_entries", "0", "0", "64", "-1", "65"},
                 {"seeding", "\"entering\"", "\"rating\"", "\"draw\"", "\"random\"", "null"},
                 {"options", "{\"advanced\":\"off\"}", "{}", "{\"advanced\":\"on\"}",
                  "{\"advanced\":\"perhaps\"}", "{\"expert\":\"on\"}"},
                 {"version", "\"1.0.0\"", "\"1.0.0\"", "\"1.0.0\"", "\"0.9.0\"", "1"},
                 {"name", NULL, "\"x\"", "\"y\"", "1", "null"},
                 {"ruleset", NULL, "\"shinjuku\"", "\"shinjuku\"", "\"chess\"", "[]"},
                 {"stages", NULL, "[" SWISS "]", "[" SWISS "," TOP(8) "," TOP(4) "," TOP(2) "]",
                  "[]", "[" SWISS "," TOP(8) "," TOP(4) "," TOP(4) "," TOP(2) "]"}};
    for (size_t i = 0; i < sizeof event / sizeof event[0]; i++) {
        json_t *document = parse(STAGES(SWISS)), *written = read_and_write(document);
        if (event[i].initial != NULL)
            assert_value(written, event[i].name, event[i].initial);
        json_decref(written);
        for (int end = 0; end < 2; end++) {
            json_object_set_new(document, event[i].name,
                                parse(end == 0 ? event[i].least : event[i].most));
            json_decref(read_and_write(document));
            json_object_set_new(document, event[i].name,
                                parse(end == 0 ? event[i].below : event[i].above));
            assert_fault(document, true, SETTINGS_FAULT_VALUE, event[i].name);
        }
        json_decref(document);
    }
}

static void stages_follow_each_other(void **state)
{
    (void)state;
    json_t *document = parse(STAGES(SWISS "," TOP(8))), *written = read_and_write(document);
    assert_value(stage_of(written, 1), "entrants", "8");
    assert_null(json_object_get(stage_of(written, 0), "entrants"));
    json_decref(written);
    json_decref(document);
    assert_refused(STAGES("{\"rounds\":5,\"entrants\":8}"), "stages[0].entrants");
    assert_refused(STAGES(SWISS "," TOP(1)), "stages[1].entrants");
    assert_refused(STAGES(SWISS "," TOP(129)), "stages[1].entrants");
    assert_refused(STAGES(SWISS "," TOP(8) "," TOP(9)), "stages[2].entrants");
    assert_refused(STAGES(SWISS ",{\"format\":\"ladder\",\"entrants\":8}"), "stages[1].format");
    assert_refused(STAGES("{\"format\":\"open_play\"}," TOP(8)), "stages[0].format");
    assert_refused(STAGES("{\"format\":\"duplicate\",\"boards\":2}," TOP(8)), "stages[0].format");
    assert_refused(STAGES(SWISS ",3"), "stages");
    assert_refused(EVENT("\"rounds\":5,\"stages\":[" SWISS "]"), "rounds");
    json_t *without = parse(STAGES(SWISS "," SINGLE("")));
    assert_fault(without, true, SETTINGS_FAULT_MISSING, "stages[1].entrants");
    json_decref(without);
}

static void an_event_has_sixty_four_rounds_at_most(void **state)
{
    (void)state;
#define LONG(rounds, entrants) "{\"rounds\":" #rounds ",\"entrants\":" #entrants "}"
    json_t *document =
        parse(STAGES("{\"rounds\":20}," LONG(20, 64) "," LONG(20, 32) "," LONG(4, 16)));
    json_decref(read_and_write(document));
    json_decref(document);
    assert_refused(STAGES("{\"rounds\":20}," LONG(20, 64) "," LONG(20, 32) "," LONG(5, 16)),
                   "stages[3].rounds");
}

static void a_tie_break_stands_once(void **state)
{
    (void)state;
    assert_refused(EVENT("\"rounds\":3,\"tie_breaks\":[\"PTS\",\"BH/M1\",\"MB\"]"), "tie_breaks");
    assert_refused(EVENT("\"rounds\":3,\"tie_breaks\":[\"PTS\",\"LUCK\"]"), "tie_breaks");
    assert_refused(EVENT("\"rounds\":3,\"tie_breaks\":[\"PTS\",\"EDEBT\"]"), "tie_breaks");
    assert_refused(EVENT("\"rounds\":3,\"tie_breaks\":[\"PTS\",\"DE\",\"EDE\"]"), "tie_breaks");
    json_t *document = parse(EVENT("\"rounds\":3,\"tie_breaks\":[\"PTS\",\"BH-C1\",\"MED2\"]"));
    json_t *written = read_and_write(document);
    assert_value(stage_of(written, 0), "tie_breaks", "[\"PTS\",\"BH/C1\",\"BH/M2\"]");
    json_decref(written);
    json_decref(document);
}

static void names_are_written_in_byte_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOURNAMENT_FORMATS; i++) {
        json_t *document = event_of(i), *written = read_and_write(document);
        char *as_written = bytes_of(written);
        char *sorted = json_dumps(written, JSON_COMPACT | JSON_SORT_KEYS);
        assert_string_equal(as_written, sorted);
        free(as_written);
        free(sorted);
        json_decref(written);
        json_decref(document);
    }
}

/* ---- Changes ---- */

struct changing {
    json_t *document;
    struct tournament_settings now;
};

static struct changing changing(const char *document)
{
    struct changing changing = {.document = parse(document)};
    struct settings_fault fault = {0};
    if (!settings_read(changing.document, true, &changing.now, &fault))
        fail_msg("%s %s", fault.field, fault.message);
    return changing;
}

/* `field` NULL: the change is taken, and the new settings are returned written. */
static json_t *change(const char *document, const char *changes, size_t stages, unsigned rounds,
                      const char *field)
{
    struct changing event = changing(document);
    struct tournament_settings result;
    struct settings_fault fault = {0};
    json_t *values = parse(changes), *written = NULL;
    bool good = settings_change(&event.now, values, stages, rounds, &result, &fault);
    if (good != (field == NULL) || (field != NULL && strcmp(field, fault.field) != 0))
        fail_msg("%s: %s %s", changes, fault.field, fault.message);
    if (good) {
        json_t *as_read = settings_write(&result);
        written = read_and_write(as_read);
        json_decref(as_read);
    } else {
        assert_true(strlen(fault.message) > 8);
    }
    json_decref(values);
    json_decref(event.document);
    return written;
}

static void assert_changes(const char *document, const char *changes, size_t stages,
                           unsigned rounds)
{
    json_decref(change(document, changes, stages, rounds, NULL));
}

static void assert_keeps(const char *document, const char *changes, size_t stages, unsigned rounds,
                         const char *field)
{
    change(document, changes, stages, rounds, field);
}

/* ---- What an event says of itself ---- */

#define CUP(members) "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"rounds\":3" members "}"
#define EXAMPLE                                                                                    \
    ",\"banner\":\"violet\",\"contact\":\"Ada\",\"description\":\"One.\\n\\nTwo \u00fc.\","        \
    "\"fee\":\"5 EUR\",\"place\":\"Town hall\",\"prizes\":\"1st: a cup\\n2nd: none\","             \
    "\"starts_at\":\"2026-12-01T18:00:00.000Z\""

static void an_event_says_where_and_when(void **state)
{
    (void)state;
    json_t *document = parse(CUP(EXAMPLE)), *plain = parse(CUP(""));
    json_t *written = read_and_write(document), *bare = read_and_write(plain);
    for (size_t i = 0; i < SETTINGS_DETAILS; i++) {
        const char *name = settings_details[i].name;
        assert_non_null(json_object_get(document, name));
        assert_true(json_equal(json_object_get(written, name), json_object_get(document, name)));
        assert_null(json_object_get(bare, name));
        json_object_del(written, name);
    }
    /* Who says nothing has the same bytes as before there were such fields. */
    char *rest = bytes_of(written), *before = bytes_of(bare);
    assert_string_equal(rest, before);
    free(rest);
    free(before);
    json_decref(written);
    json_decref(bare);
    json_decref(document);
    json_decref(plain);
}

static void what_an_event_says_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *document, *field;
    } refused[] = {
        {CUP(",\"banner\":\"pink\""), "banner"},
        {CUP(",\"contact\":\"\""), "contact"},
        {CUP(",\"contact\":7"), "contact"},
        {CUP(",\"place\":\"a\\nb\""), "place"},
        {CUP(",\"description\":\"a\\tb\""), "description"},
        {CUP(",\"starts_at\":\"2026-02-29T18:00:00.000Z\""), "starts_at"},
        {CUP(",\"starts_at\":\"2026-12-01T24:00:00.000Z\""), "starts_at"},
        {CUP(",\"starts_at\":\"2026-12-01T18:00:00Z\""), "starts_at"},
        {CUP(",\"starts_at\":\"2026-12-01 18:00:00.000Z\""), "starts_at"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_refused(refused[i].document, refused[i].field);
    for (size_t i = 0; i < SETTINGS_DETAILS; i++) {
        const struct settings_detail_field *field = &settings_details[i];
        if (i == DETAIL_BANNER || i == DETAIL_STARTS_AT)
            continue;
        char *long_text = calloc(1, field->bytes + 2U);
        memset(long_text, 'x', field->bytes);
        json_t *document = parse(CUP(""));
        json_object_set_new(document, field->name, json_string(long_text));
        json_decref(read_and_write(document));
        long_text[field->bytes] = 'x';
        json_object_set_new(document, field->name, json_string(long_text));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, field->name);
        json_decref(document);
        free(long_text);
    }
}

/* At any time of an event, one by one; null takes one away. */
static void what_an_event_says_can_change(void **state)
{
    (void)state;
    json_t *moved = change(CUP(EXAMPLE), "{\"place\":\"Library\",\"fee\":null}", 1, 2, NULL);
    assert_string_equal(json_string_value(json_object_get(moved, "place")), "Library");
    assert_null(json_object_get(moved, "fee"));
    assert_string_equal(json_string_value(json_object_get(moved, "contact")), "Ada");
    json_decref(moved);
    json_t *renamed = change(CUP(EXAMPLE), "{\"name\":\"Other\"}", 0, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(renamed, "starts_at")),
                        "2026-12-01T18:00:00.000Z");
    json_decref(renamed);
    assert_keeps(CUP(""), "{\"banner\":\"pink\"}", 0, 0, "banner");
}

/* ---- Scoring of an organizer's own ---- */

#define OWN(members)                                                                               \
    "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"rounds\":3,\"scoring\":{" members "}}"

static struct scoring own_scoring(const char *document, const char *written_as)
{
    struct tournament_settings settings;
    struct settings_fault fault = {0};
    json_t *object = parse(document), *written = read_and_write(object);
    char *text = bytes_of(json_object_get(stage_of(written, 0), "scoring"));
    assert_string_equal(text, written_as);
    assert_true(settings_read(object, true, &settings, &fault));
    free(text);
    json_decref(written);
    json_decref(object);
    return settings.stage[0].scoring;
}

static void organizers_have_points_of_their_own(void **state)
{
    (void)state;
    struct scoring football =
        own_scoring(OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":1"),
                    "{\"draw\":1,\"full_bye\":3,\"half_bye\":1,\"neutral\":1,\"pairing_bye\":1,"
                    "\"places\":{\"2\":[3,0],\"3\":[3,0,0],\"4\":[3,0,0,0],\"5\":[3,0,0,0,0]},"
                    "\"scheme\":\"3-1-0\",\"zero_bye\":0}");
    assert_int_equal(football.unplayed[ROUND_PAIRING_BYE], 60);
    assert_int_equal(football.unplayed[ROUND_FULL_BYE], 180);
    struct scoring laurels = own_scoring(
        OWN("\"scheme\":\"5-3-2-1\",\"places\":{\"4\":[10,\"15/2\",5,\"5/2\"]},\"half_bye\":\"1/"
            "12\","
            "\"zero_bye\":\"2/60\",\"draw\":2"),
        "{\"draw\":2,\"full_bye\":\"11/4\",\"half_bye\":\"1/12\",\"neutral\":\"11/4\","
        "\"pairing_bye\":\"11/4\",\"places\":{\"2\":[5,1],\"3\":[5,2,1],\"4\":[10,\"15/2\",5,"
        "\"5/2\"],\"5\":[5,4,3,2,1]},\"scheme\":\"5-3-2-1\",\"zero_bye\":\"1/30\"}");
    assert_int_equal(laurels.place[4][1], 450);
    assert_int_equal(laurels.place[4][3], 150);
    assert_int_equal(laurels.unplayed[ROUND_HALF_BYE], 5);
    assert_true(laurels.pairing_apart);
    assert_false(own_scoring(OWN("\"scheme\":\"1-half-0\",\"draw\":null"),
                             "{\"draw\":null,\"full_bye\":1,\"half_bye\":\"1/2\",\"neutral\":"
                             "\"1/2\",\"pairing_bye\":1,\"places\":{\"2\":[1,0],\"3\":[1,0,0],"
                             "\"4\":[1,0,0,0],\"5\":[1,0,0,0,0]},\"scheme\":\"1-half-0\","
                             "\"zero_bye\":0}")
                     .pairing_apart);
}

static void points_as_in_a_scheme_are_that_scheme(void **state)
{
    (void)state;
    own_scoring(OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"6/2\",\"places\":{\"2\":[3,0]}"),
                "\"3-1-0\"");
    own_scoring(OWN("\"scheme\":\"margin\""), "\"margin\"");
}

static void points_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        OWN(""),
        OWN("\"pairing_bye\":1"),
        OWN("\"scheme\":\"5-4-3\""),
        OWN("\"scheme\":5"),
        OWN("\"scheme\":\"3-1-0\",\"bye\":1"),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":-1"),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":274"),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":1.5"),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":null"),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"1/7\""),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"1/0\""),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"1\""),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"/2\""),
        OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"16400/60\""),
        OWN("\"scheme\":\"3-1-0\",\"draw\":4"),
        OWN("\"scheme\":\"3-1-0\",\"places\":[3,0]"),
        OWN("\"scheme\":\"3-1-0\",\"places\":{\"6\":[3,0,0,0,0,0]}"),
        OWN("\"scheme\":\"3-1-0\",\"places\":{\"22\":[3,0]}"),
        OWN("\"scheme\":\"3-1-0\",\"places\":{\"3\":[3,0]}"),
        OWN("\"scheme\":\"3-1-0\",\"places\":{\"2\":[1,1]}"),
        OWN("\"scheme\":\"3-1-0\",\"places\":{\"3\":[3,0,1]}"),
        OWN("\"scheme\":\"5-3-2-1\",\"places\":{\"3\":[\"1/60\",0,0]}"),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(wrong[i], "scoring");
    json_t *object = parse(OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":1"));
    json_t *written = read_and_write(object);
    json_object_del(json_object_get(stage_of(written, 0), "scoring"), "draw");
    assert_fault(written, false, SETTINGS_FAULT_VALUE, "stages[0].scoring");
    json_decref(written);
    json_decref(object);
}

static void everything_changes_before_the_first_round(void **state)
{
    (void)state;
    const char *document = EVENT("\"rounds\":5,\"options\":{\"advanced\":\"on\"}");
    json_t *written = change(document, "{\"name\":\"Bowl\",\"rounds\":7}", 0, 0, NULL);
    assert_value(written, "name", "\"Bowl\"");
    assert_value(written, "options", "{\"advanced\":\"on\"}");
    assert_value(stage_of(written, 0), "rounds", "7");
    json_decref(written);
    written = change(document, "{\"ruleset\":\"mall-world\",\"seats_max\":3}", 0, 0, NULL);
    assert_value(written, "ruleset", "\"mall-world\"");
    assert_value(written, "name", "\"Cup\"");
    assert_value(stage_of(written, 0), "seats_max", "3");
    assert_value(stage_of(written, 0), "rounds", "5");
    json_decref(written);
    written = change(document, "{\"format\":\"dutch\",\"rounds\":6}", 0, 0, NULL);
    assert_value(stage_of(written, 0), "scoring", "\"1-half-0\"");
    assert_null(json_object_get(stage_of(written, 0), "seats_max"));
    json_decref(written);
    /* Nobody has said that tables of four are preferred. */
    written = change(document, "{\"seats_max\":3}", 0, 0, NULL);
    assert_value(stage_of(written, 0), "seats_preferred", "3");
    json_decref(written);
    assert_keeps(document, "{\"seats_max\":3}", 1, 1, "seats_max");
    assert_keeps(document, "{\"seats_max\":3,\"seats_preferred\":4}", 0, 0, "seats_preferred");
    assert_keeps(document, "{\"format\":\"dutch\"}", 0, 0, "rounds");
    assert_keeps(document, "{\"boards\":3}", 0, 0, "boards");
    assert_keeps(document, "{\"rounds\":21}", 0, 0, "rounds");
    assert_keeps(document, "{\"colour\":1}", 0, 0, "colour");
    assert_changes(document, "{\"stages\":[{\"format\":\"ladder\"}]}", 0, 0);
    assert_changes(document, "{}", 0, 0);
    assert_keeps(document, "[]", 0, 0, "settings");
}

/* The stage goes on by the rules that its first round was drawn by. */
static void a_stage_keeps_its_pairing_version(void **state)
{
    (void)state;
    const char *first = EVENT("\"rounds\":5,\"pairing_version\":1");
    static const char *const kept[] = {
        "{\"rounds\":6}",
        "{\"pairing_version\":1}",
        "{\"stages\":[{\"format\":\"pod_swiss\",\"rounds\":6}]}",
    };
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        json_t *written = change(first, kept[i], 1, 2, NULL);
        assert_value(stage_of(written, 0), "pairing_version", "1");
        json_decref(written);
    }
    assert_changes(first, "{\"pairing_version\":2}", 0, 0);
}

/* Its later rounds may be drawn by newer rules, never by older ones; a schedule of all rounds is
 * made once. */
static void a_stage_of_pod_swiss_can_get_a_newer_version(void **state)
{
    (void)state;
    const char *second = EVENT("\"rounds\":5,\"pairing_version\":2");
    static const char *const newer[] = {
        "{\"pairing_version\":3}",
        "{\"stages\":[{\"format\":\"pod_swiss\",\"rounds\":6,\"pairing_version\":3}]}",
    };
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        json_t *written = change(second, newer[i], 1, 2, NULL);
        assert_value(stage_of(written, 0), "pairing_version", "3");
        json_decref(written);
    }
    assert_keeps(second, "{\"pairing_version\":1}", 1, 2, "pairing_version");
    assert_keeps(second,
                 "{\"stages\":[{\"format\":\"pod_swiss\",\"rounds\":6,\"pairing_version\":1}]}", 1,
                 2, "stages[0].pairing_version");
    assert_keeps("{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"format\":\"pod_round_robin\","
                 "\"rounds\":5,\"pairing_version\":2}",
                 "{\"pairing_version\":3}", 1, 2, "pairing_version");
}

static void stages_are_changed_as_a_whole(void **state)
{
    (void)state;
    const char *document = STAGES(SWISS "," TOP(8));
    assert_keeps(document, "{\"rounds\":4}", 0, 0, "rounds");
    assert_keeps(document, "{\"stages\":[" SWISS "],\"rounds\":4}", 0, 0, "rounds");
    json_t *written = change(document, "{\"stages\":[" SWISS "]}", 0, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(written, "stages")), 1);
    json_decref(written);
}

static void what_is_played_cannot_change(void **state)
{
    (void)state;
    const char *document = EVENT("\"rounds\":5,\"seats_min\":3");
    static const char *const kept[][2] = {{"{\"ruleset\":\"mall-world\"}", "ruleset"},
                                          {"{\"options\":{\"advanced\":\"on\"}}", "options"},
                                          {"{\"seeding\":\"draw\"}", "seeding"},
                                          {"{\"format\":\"dutch\",\"rounds\":5}", "format"},
                                          {"{\"seats_min\":2}", "seats_min"},
                                          {"{\"seats_preferred\":3}", "seats_preferred"},
                                          {"{\"rounds\":2}", "rounds"}};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_keeps(document, kept[i][0], 1, 3, kept[i][1]);
    static const char *const changed[] = {"{\"rounds\":3}",
                                          "{\"rounds\":9}",
                                          "{\"name\":\"Bowl\"}",
                                          "{\"scoring\":\"margin\"}",
                                          "{\"tie_breaks\":[\"PTS\",\"RND\"]}",
                                          "{\"unplayed_rules\":\"fide-2026\"}",
                                          "{\"profile\":\"power\"}",
                                          "{\"round_minutes\":90}",
                                          "{\"capacity\":12}",
                                          "{\"late_entries\":2}",
                                          "{\"check_in\":true}"};
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
        assert_changes(document, changed[i], 1, 3);
    assert_changes(document, "{\"seats_min\":2}", 0, 0);
}

static void schedules_cannot_change(void **state)
{
    (void)state;
    assert_keeps(EVENT("\"format\":\"pod_round_robin\",\"rounds\":5"), "{\"rounds\":6}", 1, 1,
                 "rounds");
    assert_keeps(EVENT("\"format\":\"round_robin\",\"capacity\":8"), "{\"twice\":true}", 1, 1,
                 "twice");
    assert_keeps(EVENT("\"format\":\"single_elimination\""), "{\"consolation\":true}", 1, 1,
                 "consolation");
    assert_keeps(EVENT("\"format\":\"ladder\""), "{\"reach\":2}", 1, 0, "reach");
    assert_keeps(EVENT("\"format\":\"duplicate\",\"boards\":3"), "{\"boards\":4}", 1, 1, "boards");
    assert_changes(EVENT("\"format\":\"duplicate\",\"boards\":3"), "{\"scoring\":\"total\"}", 1, 1);
    assert_changes(EVENT("\"format\":\"open_play\""), "{\"best\":3}", 1, 0);
    assert_changes(EVENT("\"format\":\"league\",\"rounds\":3"), "{\"moves\":2}", 1, 3);
}

static void later_stages_change_until_they_begin(void **state)
{
    (void)state;
    const char *document = STAGES(SWISS "," TOP(8));
    assert_changes(document, "{\"stages\":[" SWISS "," TOP(4) "]}", 1, 5);
    assert_changes(document, "{\"stages\":[" SWISS "]}", 1, 5);
    assert_keeps(document, "{\"stages\":[" SWISS "," TOP(4) "]}", 2, 6, "stages[1].entrants");
    assert_keeps(document, "{\"stages\":[" SWISS "]}", 2, 6, "stages");
    assert_keeps(document, "{\"stages\":[{\"rounds\":6}," TOP(8) "]}", 2, 6, "stages[0].rounds");
    assert_keeps(document, "{\"stages\":[{\"rounds\":4}," TOP(8) "]}", 2, 6, "stages[0].rounds");
    const char *swiss = STAGES(SWISS ",{\"rounds\":5,\"entrants\":8}");
    assert_changes(swiss, "{\"stages\":[" SWISS ",{\"rounds\":2,\"entrants\":8}]}", 2, 7);
    assert_keeps(swiss, "{\"stages\":[" SWISS ",{\"rounds\":1,\"entrants\":8}]}", 2, 7,
                 "stages[1].rounds");
    const char *after = STAGES(SINGLE("") ",{\"rounds\":5,\"entrants\":8}");
    assert_keeps(after, "{\"stages\":[" SINGLE("") ",{\"rounds\":4,\"entrants\":8}]}", 2, 4,
                 "stages[1].rounds");
}

/* ---- Co-dealers ---- */

#define KEY_A             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
#define KEY_B             "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
#define DEALERS(list)     EVENT("\"format\":\"pod_swiss\",\"rounds\":1,\"dealers\":" list)
#define DEALER(name, key) "{\"name\":\"" name "\",\"key\":\"" key "\"}"

static void dealers_are_written_in_order(void **state)
{
    (void)state;
    struct tournament_settings settings;
    struct settings_fault fault;
    json_t *document =
        parse(DEALERS("[" DEALER("zoe", KEY_A) "," DEALER("ada.example", KEY_B) "]"));
    json_object_set_new(document, "dealers_seconds", json_integer(60));
    assert_true(settings_read(document, true, &settings, &fault));
    json_t *written = settings_write(&settings);
    assert_value(written, "dealers",
                 "[{\"key\":\"" KEY_B "\",\"name\":\"ada.example\"},{\"key\":\"" KEY_A
                 "\",\"name\":\"zoe\"}]");
    assert_value(written, "dealers_seconds", "60");
    json_decref(written);
    json_decref(document);

    document = parse(DEALERS("[]"));
    assert_true(settings_read(document, true, &settings, &fault));
    written = settings_write(&settings);
    assert_null(json_object_get(written, "dealers"));
    assert_null(json_object_get(written, "dealers_seconds"));
    json_decref(written);
    json_decref(document);
}

static void dealers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        DEALERS("null"),
        DEALERS("{}"),
        DEALERS("[1]"),
        DEALERS("[{\"name\":\"ada\"}]"),
        DEALERS("[{\"name\":\"ada\",\"key\":\"" KEY_A "\",\"url\":\"https://ada.example\"}]"),
        DEALERS("[" DEALER("Ada", KEY_A) "]"),
        DEALERS("[" DEALER("", KEY_A) "]"),
        DEALERS("[" DEALER("ada", "00") "]"),
        DEALERS("[" DEALER("ada", "01000000000000000000000000000000000000000000000000000000000000"
                                  "00") "]"),
        DEALERS("[" DEALER("ada", KEY_A) "," DEALER("ada", KEY_B) "]"),
        DEALERS("[" DEALER("ada", KEY_A) "," DEALER("ben", KEY_A) "]"),
        DEALERS("[1,2,3,4,5,6]"),
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *document = parse(bad[i]);
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "dealers");
        json_decref(document);
    }
    static const char *const seconds[] = {"-1", "604801", "\"60\"", "null", "1.5"};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        json_t *document = parse(DEALERS("[]"));
        json_object_set_new(document, "dealers_seconds",
                            json_loads(seconds[i], JSON_DECODE_ANY, NULL));
        assert_fault(document, true, SETTINGS_FAULT_VALUE, "dealers_seconds");
        json_decref(document);
    }
}

static bool may_change(const struct tournament_settings *now, const char *text, size_t started)
{
    struct tournament_settings then;
    struct settings_fault fault;
    json_t *document = parse(text);
    bool good = settings_change(now, document, started, (unsigned)started, &then, &fault);
    json_decref(document);
    return good;
}

static void dealers_stay(void **state)
{
    (void)state;
    struct tournament_settings settings;
    struct settings_fault fault;
    json_t *document = parse(DEALERS("[" DEALER("ada", KEY_A) "]"));
    assert_true(settings_read(document, true, &settings, &fault));
    assert_true(may_change(&settings, "{\"dealers\":[]}", 0));
    assert_false(may_change(&settings, "{\"dealers\":[]}", 1));
    assert_false(may_change(&settings, "{\"dealers\":[" DEALER("ada", KEY_B) "]}", 1));
    assert_false(may_change(&settings, "{\"dealers\":[" DEALER("ben", KEY_A) "]}", 1));
    assert_true(may_change(&settings, "{\"dealers\":[" DEALER("ada", KEY_A) "]}", 1));
    assert_true(may_change(&settings, "{\"dealers_seconds\":30}", 1));
    settings.dealers_seconds = 60;
    assert_true(may_change(&settings, "{\"dealers_seconds\":30}", 1));
    assert_false(may_change(&settings, "{\"dealers_seconds\":0}", 1));
    assert_true(may_change(&settings, "{\"dealers_seconds\":0}", 0));
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_their_names),
        cmocka_unit_test(missing_fields_get_their_defaults),
        cmocka_unit_test(needed_fields_are_missed),
        cmocka_unit_test(both_ends_of_a_range_are_taken),
        cmocka_unit_test(what_lies_beyond_a_range_is_refused),
        cmocka_unit_test(fields_of_other_formats_are_refused),
        cmocka_unit_test(unknown_fields_are_refused),
        cmocka_unit_test(a_log_holds_every_field),
        cmocka_unit_test(seats_lie_within_each_other),
        cmocka_unit_test(a_duplicate_event_has_tables_of_one_size_and_sixty_four_boards),
        cmocka_unit_test(more_go_on_from_larger_tables),
        cmocka_unit_test(a_league_at_tables_of_two_is_a_round_robin),
        cmocka_unit_test(free_rounds_of_a_schedule_for_two_are_worth_nothing),
        cmocka_unit_test(a_round_robin_has_no_more_entries_than_rounds),
        cmocka_unit_test(rulesets_have_the_seats_of_the_format),
        cmocka_unit_test(the_time_for_protests_is_written_where_it_is_not_usual),
        cmocka_unit_test(spectators_are_behind_where_an_event_says_so),
        cmocka_unit_test(those_with_one_owner_are_kept_apart_or_allowed),
        cmocka_unit_test(guests_are_written_where_they_are_allowed),
        cmocka_unit_test(programs_are_written_where_they_are_not_usual),
        cmocka_unit_test(every_level_can_be_allowed),
        cmocka_unit_test(some_formats_cannot_part),
        cmocka_unit_test(games_wait_for_entropy_where_an_event_says_so),
        cmocka_unit_test(events_have_their_defaults_and_ranges),
        cmocka_unit_test(stages_follow_each_other),
        cmocka_unit_test(an_event_has_sixty_four_rounds_at_most),
        cmocka_unit_test(a_tie_break_stands_once),
        cmocka_unit_test(names_are_written_in_byte_order),
        cmocka_unit_test(organizers_have_points_of_their_own),
        cmocka_unit_test(points_as_in_a_scheme_are_that_scheme),
        cmocka_unit_test(points_that_make_no_sense_are_refused),
        cmocka_unit_test(everything_changes_before_the_first_round),
        cmocka_unit_test(a_stage_keeps_its_pairing_version),
        cmocka_unit_test(an_event_says_where_and_when),
        cmocka_unit_test(what_an_event_says_is_bounded),
        cmocka_unit_test(what_an_event_says_can_change),
        cmocka_unit_test(a_stage_of_pod_swiss_can_get_a_newer_version),
        cmocka_unit_test(stages_are_changed_as_a_whole),
        cmocka_unit_test(what_is_played_cannot_change),
        cmocka_unit_test(schedules_cannot_change),
        cmocka_unit_test(later_stages_change_until_they_begin),
        cmocka_unit_test(dealers_are_written_in_order),
        cmocka_unit_test(dealers_that_are_none_are_refused),
        cmocka_unit_test(dealers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
