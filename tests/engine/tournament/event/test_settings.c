/* Settings of stages: every field of every format with its default and the ends of its range, and
 * what depends on another field. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "tests/engine/tournament/event/settings_text.h"
#include "tests/test.h"

/* A field as it is documented: values as JSON. `initial` NULL: needed. */
struct documented {
    const char *name, *initial, *least, *most;
    const char *below, *above; /* refused; NULL where there is no such end */
};

/* The seats of shinjuku, which plays with two to four. */
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
        "pairing_version", "4", "1", "4", "0", "5"                                                 \
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

/* The flat form of an event of a format, of the game for two to four. */
static json_t *event_of(size_t format)
{
    char text[200];
    const char *given = documented_formats[format].given;
    snprintf(text, sizeof text, "{\"name\":\"Cup\",\"ruleset\":\"shinjuku\",\"format\":\"%s\"%s%s}",
             documented_formats[format].name, given == NULL ? "" : ",", given == NULL ? "" : given);
    return parse(text);
}

/* ---- Fields ---- */

TEST(formats_have_their_names)
{
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

TEST(missing_fields_get_their_defaults)
{
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

TEST(needed_fields_are_missed)
{
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

TEST(both_ends_of_a_range_are_taken)
{
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

TEST(what_lies_beyond_a_range_is_refused)
{
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

TEST(fields_of_other_formats_are_refused)
{
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

TEST(unknown_fields_are_refused)
{
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
    assert_false(settings.stage[0].table.even);
    assert_true(settings_read(older, true, &settings, &fault));
    assert_int_equal(settings.stage[0].pairing_version, POD_VERSION);
    assert_true(settings.stage[0].table.even);
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

TEST(a_log_holds_every_field)
{
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

TEST(names_are_written_in_byte_order)
{
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

/* ---- Fields that depend on others ---- */

TEST(seats_lie_within_each_other)
{
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

TEST(a_duplicate_event_has_tables_of_one_size_and_sixty_four_boards)
{
    assert_refused(EVENT("\"format\":\"duplicate\",\"boards\":1,\"seats_preferred\":4,"
                         "\"seats_min\":3"),
                   "seats_min");
    assert_refused(EVENT("\"format\":\"duplicate\",\"boards\":13,\"rounds\":5"), "boards");
    struct tournament_settings settings;
    struct settings_fault fault;
    json_t *smaller = parse(EVENT("\"format\":\"duplicate\",\"boards\":1,\"seats_max\":3"));
    assert_false(settings_read(smaller, true, &settings, &fault));
    assert_string_equal(fault.field, "seats_max");
    assert_string_equal(fault.message,
                        "must be the same as seats_preferred, since all tables of a duplicate "
                        "event have one size.");
    json_decref(smaller);
    json_t *document = parse(EVENT("\"format\":\"duplicate\",\"boards\":16,\"rounds\":4"));
    json_decref(read_and_write(document));
    json_decref(document);
}

TEST(more_go_on_from_larger_tables)
{
    json_t *document = parse(EVENT("\"format\":\"pod_elimination\",\"seats_min\":4,\"advance\":3"));
    json_decref(read_and_write(document));
    json_decref(document);
    assert_refused(EVENT("\"format\":\"pod_elimination\",\"seats_min\":3,\"advance\":3"),
                   "advance");
}

TEST(a_league_at_tables_of_two_is_a_round_robin)
{
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
TEST(free_rounds_of_a_schedule_for_two_are_worth_nothing)
{
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

TEST(a_round_robin_has_no_more_entries_than_rounds)
{
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

TEST(rulesets_have_the_seats_of_the_format)
{
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

TEST(a_tie_break_stands_once)
{
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

TEST(organizers_have_points_of_their_own)
{
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

TEST(points_as_in_a_scheme_are_that_scheme)
{
    own_scoring(OWN("\"scheme\":\"3-1-0\",\"pairing_bye\":\"6/2\",\"places\":{\"2\":[3,0]}"),
                "\"3-1-0\"");
    own_scoring(OWN("\"scheme\":\"margin\""), "\"margin\"");
}

TEST(points_that_make_no_sense_are_refused)
{
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

int main(void)
{
    return run_all_tests(NULL, NULL);
}
