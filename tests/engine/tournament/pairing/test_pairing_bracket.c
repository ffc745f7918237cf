/* Brackets of events: who meets whom, level results, walkovers, postponed matches, corrections,
 * names of rounds; the same at larger tables. */
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

#define CUP "{'name':'Cup','ruleset':'shinjuku','format':'single_elimination'"

/* Draws and starts the next round and expects tables `1 4 / 2 3` by numbers, byes `5 6`. */
static void expect_round(const char *tables, const char *byes)
{
    char bytes[400], byes_bytes[200];
    struct text text = TEXT_OVER(bytes), bye_text = TEXT_OVER(byes_bytes);
    struct pairing pairing;
    const char *code;
    if (!try_draw(&pairing, &code))
        fail_msg("not drawn: %s", code);
    for (size_t t = 0; t < pairing.table_count; t++)
        for (unsigned seat = 0; seat < pairing.tables[t].seats; seat++) {
            if (text.length > 0)
                text_add(&text, seat > 0 ? " " : " / ");
            text_add_number(&text, event.entrants[pairing.tables[t].entry[seat]].number);
        }
    for (size_t i = 0; i < pairing.bye_count; i++) {
        if (i > 0)
            text_add_char(&bye_text, ' ');
        text_add_number(&bye_text, event.entrants[pairing.byes[i].entry].number);
    }
    assert_string_equal(bytes, tables);
    assert_string_equal(byes_bytes, byes);
    write_draw(&pairing);
    start_round();
    pairing_free(&pairing);
}

static void expect_over(void)
{
    struct pairing pairing;
    const char *code;
    assert_false(try_draw(&pairing, &code));
    assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
}

/* Places by number, 0 for who can still move. */
static void expect_places(const unsigned *expected, unsigned count)
{
    struct elimination bracket;
    struct refusal refusal;
    uint16_t place[ELIMINATION_SIZE_MAX];
    assert_true(
        pairing_bracket(&event, event.stages - 1, event.rounds_started, &bracket, &refusal));
    elimination_places(&bracket, place);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(place[i], expected[i]);
}

LISTED_TEST(test_single)
{
    begin(CUP ",'consolation':true}", 6, 6);
    expect_round("4 5 / 3 6", "1 2");
    tell_results(&event, 1, "2 1 / 1 2");
    expect_round("1 5 / 2 3", "");
    tell_results(&event, 2, "1 2 / 2 1");
    expect_round("1 3 / 5 2", "");
    tell_results(&event, 3, "2 1 / 2 1");
    expect_over();
    expect_places((const unsigned[]){2, 3, 1, 5, 4, 5}, 6);
}

/* Level games are played again with seats exchanged; after the third the better seed goes on. */
LISTED_TEST(test_level)
{
    begin(CUP "}", 4, 6);
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 1, "1 1 / 1 1");
    expect_round("4 1 / 3 2", "");
    tell_results(&event, 2, "1 1 / 1 2");
    expect_round("1 4", "3");
    tell_result(&event, 3, 1, "1 1");
    expect_round("1 3", "");
    tell_result(&event, 4, 1, "1 2");
    expect_over();
    expect_places((const unsigned[]){1, 3, 2, 3}, 4);
}

/* A level game that is ruled otherwise later: what was played after it counts no more. */
LISTED_TEST(test_level_corrected)
{
    begin(CUP "}", 4, 6);
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 1, "1 1 / 1 2");
    expect_round("4 1", "2");
    tell_result(&event, 2, 1, "2 1");
    tell_ruling(&event, 1, 1, "2a 1a");
    expect_round("4 2", "");
    tell_result(&event, 3, 1, "2 1");
    expect_over();
    expect_places((const unsigned[]){3, 1, 3, 2}, 4);
}

/* A second bracket with the same matches between the same entries begins anew. */
LISTED_TEST(test_two_brackets)
{
    begin("{'name':'Cups','ruleset':'shinjuku','stages':[{'format':'single_elimination'},"
          "{'format':'single_elimination','entrants':4}]}",
          4, 6);
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 1, "1 2 / 1 2");
    expect_round("1 2", "");
    tell_result(&event, 2, 1, "1 2");
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 3, "2 1 / 1 2");
    expect_round("4 2", "");
    tell_result(&event, 4, 1, "1 2");
    expect_over();
    expect_places((const unsigned[]){3, 2, 3, 1}, 4);
}

static void nobody_goes_on(const char *ruling)
{
    begin(CUP "}", 4, 6);
    expect_round("1 4 / 2 3", "");
    tell_ruling(&event, 1, 1, ruling);
    tell_result(&event, 1, 2, "1 2");
    expect_over();
    expect_places((const unsigned[]){2, 1, 2, 2}, 4); /* nobody has lost a final */
}

LISTED_TEST(test_double_forfeit)
{
    nobody_goes_on("1- 1-");
}

/* A void game is lost for both. */
LISTED_TEST(test_void_game)
{
    nobody_goes_on("1v 1v");
}

/* An entry that leaves loses the match that is ready; entries that leave later change nothing of
 * that. */
LISTED_TEST(test_walkovers)
{
    begin(CUP "}", 8, 6);
    tell(&event, "dropped", "{'player':<8>,'after':0}");
    expect_round("4 5 / 2 7 / 3 6", "1");
    tell_results(&event, 1, "1 2 / 1 2 / 1 2");
    tell(&event, "dropped", "{'player':<3>,'after':1}");
    expect_round("1 4", "2");
    tell(&event, "dropped", "{'player':<2>,'after':2}");
    tell_result(&event, 2, 1, "2 1");
    expect_over();
    expect_places((const unsigned[]){3, 2, 3, 1, 5, 5, 5, 5}, 8);
}

/* An entry that drops out between draw and start keeps its seat, and the table is ruled. */
LISTED_TEST(test_left_after_the_draw)
{
    begin(CUP "}", 4, 6);
    expect_round("1 4 / 2 3", "");
    tell(&event, "dropped", "{'player':<1>,'after':1}");
    tell_result(&event, 1, 1, "1 2"); /* plays it to the end, and wins */
    tell_result(&event, 1, 2, "1 2");
    expect_over();
    expect_places((const unsigned[]){2, 1, 3, 3}, 4);
}

/* A bye that was asked for puts the match off; nothing else waits for it. */
LISTED_TEST(test_postponed)
{
    struct pairing pairing;
    const char *code;
    begin(CUP "}", 8, 6);
    tell(&event, "bye_granted", "{'player':<2>,'round':1,'kind':'half'}");
    expect_round("1 8 / 4 5 / 3 6", "2 7");
    for (unsigned n = 1; n <= 3; n++)
        tell_result(&event, 1, n, "1 2");
    expect_round("2 7 / 1 4", "3");
    tell_results(&event, 2, "2 1 / 1 2");
    tell(&event, "bye_granted", "{'player':<7>,'round':3,'kind':'zero'}");
    assert_false(try_draw(&pairing, &code));
    assert_string_equal(code, PAIRING_REFUSAL_TOO_FEW);
    tell(&event, "bye_revoked", "{'player':<7>,'round':3}");
    expect_round("7 3", "1");
    tell_result(&event, 3, 1, "2 1");
    expect_round("1 3", "");
    tell_result(&event, 4, 1, "2 1");
    expect_over();
}

/* A corrected result sends another one on; what was played meanwhile counts where it still can. */
LISTED_TEST(test_corrected)
{
    begin(CUP "}", 4, 6);
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 1, "1 2 / 1 2");
    expect_round("1 2", "");
    tell_result(&event, 2, 1, "1 2");
    expect_over();
    tell_ruling(&event, 1, 2, "2a 1a");
    expect_round("1 3", "");
    tell_result(&event, 3, 1, "2 1");
    expect_over();
    expect_places((const unsigned[]){2, 3, 1, 3}, 4);
    tell(&event, "ruling_revoked", "{'round':1,'table':2,'reason':'it was right'}");
    expect_places((const unsigned[]){1, 2, 3, 3}, 4);
    expect_over();
}

/* Both lost once: a second match of the grand final. */
LISTED_TEST(test_double)
{
    begin("{'name':'Cup','ruleset':'shinjuku','format':'double_elimination','grand_final':"
          "'double'}",
          4, 6);
    expect_round("1 4 / 2 3", "");
    tell_results(&event, 1, "1 2 / 1 2");
    expect_round("1 2 / 4 3", "");
    tell_results(&event, 2, "1 2 / 1 2");
    expect_round("2 4", "1");
    tell_result(&event, 3, 1, "1 2");
    expect_round("1 2", "");
    tell_result(&event, 4, 1, "2 1");
    expect_round("1 2", "");
    tell_result(&event, 5, 1, "1 2");
    expect_over();
    expect_places((const unsigned[]){1, 2, 4, 3}, 4);
}

/* ---- Names ---- */

static void expect_names(const char *settings, unsigned players, const char *const *names)
{
    begin(settings, players, 6);
    for (unsigned round = 0; names[round] != NULL; round++) {
        struct pairing pairing;
        const char *code;
        assert_true(try_draw(&pairing, &code));
        const json_t *tables = json_object_get(pairing.quality, "tables");
        char bytes[300];
        struct text text = TEXT_OVER(bytes);
        const char *last = "";
        unsigned count = (unsigned)pairing.table_count;
        assert_int_equal(json_array_size(tables), pairing.table_count);
        for (size_t t = 0; t < pairing.table_count; t++) {
            const json_t *table = json_array_get(tables, t);
            const char *name = json_string_value(json_object_get(table, "name"));
            assert_int_equal(json_integer_value(json_object_get(table, "match")),
                             pairing.tables[t].match);
            if (strcmp(name, last) != 0) {
                text_add(&text, *last == '\0' ? "" : ", ");
                text_add(&text, name);
            }
            last = name;
        }
        assert_string_equal(bytes, names[round]);
        write_draw(&pairing);
        start_round();
        pairing_free(&pairing);
        for (unsigned n = 1; n <= count; n++)
            tell_result(&event, event.rounds_started, n, round == 3 ? "2 1" : "1 2");
    }
    expect_over();
}

LISTED_TEST(test_names)
{
    expect_names(CUP ",'consolation':true}", 16,
                 (const char *const[]){"round of 16", "quarter-final", "semi-final",
                                       "final, match for the third place", NULL});
    expect_names("{'name':'Cup','ruleset':'shinjuku','format':'double_elimination','grand_final':"
                 "'double'}",
                 4,
                 (const char *const[]){"upper semi-final", "upper final, lower round 1",
                                       "lower final", "grand final", "grand final, second match",
                                       NULL});
}

/* ---- Larger tables ---- */

#define PODS                                                                                       \
    "{'name':'Cup','ruleset':'shinjuku','format':'pod_elimination','advance':1,'seats_min':4,"     \
    "'seats_max':4,'seats_preferred':4}"

static void expect_name(const char *name, unsigned entries, unsigned on)
{
    struct pairing pairing;
    const char *code;
    assert_true(try_draw(&pairing, &code));
    assert_string_equal(json_string_value(json_object_get(pairing.quality, "name")), name);
    assert_int_equal(json_integer_value(json_object_get(pairing.quality, "entries")), entries);
    assert_int_equal(json_integer_value(json_object_get(pairing.quality, "on")), on);
    pairing_free(&pairing);
}

LISTED_TEST(test_pods)
{
    begin(PODS, 10, 6);
    expect_name("semi-final", 10, 4);
    expect_round("3 6 7 10 / 4 5 8 9", "1 2");
    tell_results(&event, 1, "2 1 3 4 / 4 3 1 2");
    expect_name("final", 4, 0);
    expect_round("1 2 6 8", "");
    tell_result(&event, 2, 1, "4 3 2 1");
    expect_over();
}

/* A corrected result sends another one to the final, which is played again. */
LISTED_TEST(test_pods_corrected)
{
    begin(PODS, 7, 6);
    expect_round("4 5 6 7", "1 2 3");
    tell_result(&event, 1, 1, "1 2 3 4");
    expect_round("1 2 3 4", "");
    tell_result(&event, 2, 1, "1 2 3 4");
    expect_over();
    tell_ruling(&event, 1, 1, "4a 1a 2a 3a");
    expect_round("1 2 3 5", "");
    tell_result(&event, 3, 1, "4 3 2 1");
    expect_over();
    struct pod_elimination bracket;
    struct refusal refusal;
    assert_true(pairing_pod_bracket(&event, 0, 3, &bracket, &refusal));
    assert_int_equal(bracket.place[4], 1);
    assert_int_equal(bracket.place[3], 7);
    pod_elimination_free(&bracket);
}

/* A table waits for who has asked for a bye, and who leaves meanwhile is not in the next round. */
LISTED_TEST(test_pods_postponed)
{
    begin(PODS, 16, 6);
    tell(&event, "bye_granted", "{'player':<16>,'round':1,'kind':'zero'}");
    expect_round("2 7 10 15 / 3 6 11 14 / 4 5 12 13", "1 8 9 16");
    for (unsigned n = 1; n <= 3; n++)
        tell_result(&event, 1, n, "1 2 3 4");
    expect_round("1 8 9 16", "2 7 10 15 3 6 11 14 4 5 12 13");
    tell(&event, "dropped", "{'player':<2>,'after':2}");
    tell_result(&event, 2, 1, "2 1 3 4");
    expect_round("3 4 7 8", ""); /* of those left out, 7 has come in second, as a better seed */
    tell_result(&event, 3, 1, "2 1 3 4");
    expect_over();
}

/* An entry that leaves between the stage's beginning and its first round has no seat. */
LISTED_TEST(test_pods_left_before)
{
    begin(PODS, 8, 6);
    tell_stage(&event, "");
    tell(&event, "dropped", "{'player':<8>,'after':0}");
    expect_round("4 5 6 7", "1 2 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_single, clear),
        cmocka_unit_test_teardown(test_level, clear),
        cmocka_unit_test_teardown(test_two_brackets, clear),
        cmocka_unit_test_teardown(test_level_corrected, clear),
        cmocka_unit_test_teardown(test_double_forfeit, clear),
        cmocka_unit_test_teardown(test_void_game, clear),
        cmocka_unit_test_teardown(test_walkovers, clear),
        cmocka_unit_test_teardown(test_left_after_the_draw, clear),
        cmocka_unit_test_teardown(test_postponed, clear),
        cmocka_unit_test_teardown(test_corrected, clear),
        cmocka_unit_test_teardown(test_double, clear),
        cmocka_unit_test_teardown(test_names, clear),
        cmocka_unit_test_teardown(test_pods, clear),
        cmocka_unit_test_teardown(test_pods_corrected, clear),
        cmocka_unit_test_teardown(test_pods_postponed, clear),
        cmocka_unit_test_teardown(test_pods_left_before, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
