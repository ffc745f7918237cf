/* Settings of an event besides its stages, and how stages follow each other. */
#include <stdio.h>

#include "engine/search/level.h"
#include "tests/engine/tournament/event/settings_text.h"
#include "tests/test.h"

/* Logs that are older than the field do without it, and so does whoever has the usual time. */
TEST(the_time_for_protests_is_written_where_it_is_not_usual)
{
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

TEST(spectators_are_behind_where_an_event_says_so)
{
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
TEST(those_with_one_owner_are_kept_apart_or_allowed)
{
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
TEST(guests_are_written_where_they_are_allowed)
{
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
TEST(programs_are_written_where_they_are_not_usual)
{
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
TEST(every_level_can_be_allowed)
{
    size_t count = 0;
    for (; level_at(count) != NULL; count++)
        assert_string_equal(level_at(count)->name,
                            house_choice_name((enum house_choice)(count + 1)));
    assert_int_equal(count + 1, HOUSE_CHOICES);
}

/* A schedule or a bracket says who meets; a stage like that makes an event one that parts nobody.
 */
TEST(some_formats_cannot_part)
{
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
TEST(games_wait_for_entropy_where_an_event_says_so)
{
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

TEST(events_have_their_defaults_and_ranges)
{
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

TEST(stages_follow_each_other)
{
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

TEST(an_event_has_sixty_four_rounds_at_most)
{
#define LONG(rounds, entrants) "{\"rounds\":" #rounds ",\"entrants\":" #entrants "}"
    json_t *document =
        parse(STAGES("{\"rounds\":20}," LONG(20, 64) "," LONG(20, 32) "," LONG(4, 16)));
    json_decref(read_and_write(document));
    json_decref(document);
    assert_refused(STAGES("{\"rounds\":20}," LONG(20, 64) "," LONG(20, 32) "," LONG(5, 16)),
                   "stages[3].rounds");
}

/* ---- What an event says of itself ---- */

TEST(an_event_says_where_and_when)
{
    json_t *document = parse(CUP(EXAMPLE)), *plain = parse(CUP(""));
    json_t *written = read_and_write(document), *bare = read_and_write(plain);
    for (size_t i = 0; i < SETTINGS_DETAILS; i++) {
        const char *name = settings_details[i].name;
        assert_non_null(json_object_get(document, name));
        assert_true(json_equal(json_object_get(written, name), json_object_get(document, name)));
        assert_null(json_object_get(bare, name));
        json_object_del(written, name);
    }
    /* Settings without these fields have the same bytes as before there were such fields. */
    char *rest = bytes_of(written), *before = bytes_of(bare);
    assert_string_equal(rest, before);
    free(rest);
    free(before);
    json_decref(written);
    json_decref(bare);
    json_decref(document);
    json_decref(plain);
}

TEST(what_an_event_says_is_bounded)
{
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

/* ---- Co-dealers ---- */

TEST(dealers_are_written_in_order)
{
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

TEST(dealers_that_are_none_are_refused)
{
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

int main(void)
{
    return run_all_tests(NULL, NULL);
}
