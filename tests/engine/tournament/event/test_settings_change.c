/* Settings that change: what may, and until when. */
#include "tests/engine/tournament/event/settings_text.h"
#include "tests/test.h"

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

TEST(everything_changes_before_the_first_round)
{
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
TEST(a_stage_keeps_its_pairing_version)
{
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
TEST(a_stage_of_pod_swiss_can_get_a_newer_version)
{
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

TEST(stages_are_changed_as_a_whole)
{
    const char *document = STAGES(SWISS "," TOP(8));
    assert_keeps(document, "{\"rounds\":4}", 0, 0, "rounds");
    assert_keeps(document, "{\"stages\":[" SWISS "],\"rounds\":4}", 0, 0, "rounds");
    json_t *written = change(document, "{\"stages\":[" SWISS "]}", 0, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(written, "stages")), 1);
    json_decref(written);
}

TEST(what_is_played_cannot_change)
{
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

TEST(schedules_cannot_change)
{
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

TEST(later_stages_change_until_they_begin)
{
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

/* At any time of an event, one by one; null takes one away. */
TEST(what_an_event_says_can_change)
{
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

static bool may_change(const struct tournament_settings *now, const char *text, size_t started)
{
    struct tournament_settings then;
    struct settings_fault fault;
    json_t *document = parse(text);
    bool good = settings_change(now, document, started, (unsigned)started, &then, &fault);
    json_decref(document);
    return good;
}

TEST(dealers_stay)
{
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
    return run_all_tests(NULL, NULL);
}
