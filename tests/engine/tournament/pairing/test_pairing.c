/* Draws: what is refused and why, the order of numbers, schedules without those who are out, the
 * lines, and large events. */
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

/* The message is a sentence. */
static void expect_refused(const char *code)
{
    struct pairing pairing;
    struct refusal refusal = {"", ""};
    assert_false(pairing_next(&event, &chance, event.attempts + 1U, &pairing, &refusal));
    assert_string_equal(refusal.code, code);
    assert_true(strlen(refusal.message) >= 20);
    assert_int_equal(refusal.message[strlen(refusal.message) - 1], '.');
    assert_null(pairing.tables);
    assert_null(pairing.byes);
    assert_null(pairing.entries);
    assert_null(pairing.quality);
}

#define OF(format) "{'name':'Event','ruleset':'shinjuku','format':'" format "'"

LISTED_TEST(test_phases)
{
    struct pairing pairing;
    const char *code;
    begin(OF("dutch") ",'rounds':1}", 4, 8);
    tell(&event, "entries_opened", "{}");
    expect_refused(TOURNAMENT_REFUSAL_PHASE);
    tell(&event, "entries_closed", "{'numbers':[<1>,<2>,<3>,<4>]}");
    assert_true(try_draw(&pairing, &code));
    write_draw(&pairing);
    pairing_free(&pairing);
    expect_refused(TOURNAMENT_REFUSAL_ROUND);
    start_round();
    expect_refused(TOURNAMENT_REFUSAL_ROUND);
    play_round(0);
    expect_refused(PAIRING_REFUSAL_NO_ROUNDS);
    tell(&event, "closed", "{}");
    expect_refused(TOURNAMENT_REFUSAL_PHASE);
}

LISTED_TEST(test_formats_without_draws)
{
    begin(OF("ladder") "}", 4, 8);
    expect_refused(PAIRING_REFUSAL_FORMAT);
    tell(&event, "challenged", "{'players':[<2>,<1>]}");
    expect_refused(PAIRING_REFUSAL_FORMAT);
    begin(OF("open_play") "}", 4, 8);
    expect_refused(PAIRING_REFUSAL_FORMAT);
    begin(OF("duplicate") ",'boards':2}", 4, 8);
    expect_refused(PAIRING_REFUSAL_FORMAT);
}

LISTED_TEST(test_too_few)
{
    static const char *const formats[] = {
        OF("pod_swiss") ",'rounds':3}",
        OF("dutch") ",'rounds':3}",
        OF("round_robin") "}",
        OF("single_elimination") "}",
        OF("double_elimination") "}",
        OF("league") ",'seats_min':2,'seats_max':2,'seats_preferred':2}"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        begin(formats[i], 1, 8);
        expect_refused(PAIRING_REFUSAL_TOO_FEW);
    }
    begin(OF("pod_elimination") ",'seats_min':4,'seats_max':4,'seats_preferred':4}", 3, 8);
    expect_refused(PAIRING_REFUSAL_TOO_FEW);
    begin(OF("pod_round_robin") ",'rounds':3,'seats_min':4,'seats_max':4,'seats_preferred':4}", 3,
          8);
    expect_refused(PAIRING_REFUSAL_TOO_FEW);
}

/* Without a capacity, more can enter than a format takes: the first draw says so. */
LISTED_TEST(test_too_many)
{
    begin(OF("single_elimination") ",'capacity':null}", 129, 8);
    expect_refused(PAIRING_REFUSAL_TOO_MANY);
    begin(OF("round_robin") ",'capacity':null}", 65, 8); /* 65 rounds */
    expect_refused(PAIRING_REFUSAL_TOO_MANY);
    begin(OF("round_robin") ",'capacity':null}", 129, 8);
    expect_refused(PAIRING_REFUSAL_TOO_MANY);
    begin(OF("round_robin") ",'capacity':null,'twice':true}", 34, 8);
    expect_refused(PAIRING_REFUSAL_TOO_MANY);
    begin(OF("pod_round_robin") ",'capacity':null,'rounds':3}", 257, 8);
    expect_refused(PAIRING_REFUSAL_TOO_MANY);
}

/* Everybody but one is out, or has asked for a bye. */
LISTED_TEST(test_nobody_there)
{
    static const char *const formats[] = {"pod_swiss", "dutch"};
    for (size_t i = 0; i < 2; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, OF("%s") ",'rounds':3}", formats[i]);
        begin(settings, 4, 8);
        tell(&event, "dropped", "{'player':<1>,'after':0}");
        tell(&event, "dropped", "{'player':<2>,'after':0}");
        tell(&event, "bye_granted", "{'player':<3>,'round':1,'kind':'zero'}");
        expect_refused(PAIRING_REFUSAL_TOO_FEW);
    }
}

LISTED_TEST(test_forbidden_pairs)
{
    begin(OF("pod_swiss") ",'rounds':3,'seats_min':4,'seats_max':4,'seats_preferred':4}", 4, 8);
    tell(&event, "kept_apart", "{'players':[<1>,<2>],'weight':'forbidden'}");
    expect_refused("forbidden-pairs");
    begin(OF("dutch") ",'rounds':3}", 2, 8);
    tell(&event, "kept_apart", "{'players':[<1>,<2>],'weight':'forbidden'}");
    expect_refused("no-legal-pairing");
    tell(&event, "not_kept_apart", "{'players':[<1>,<2>]}");
    tell(&event, "kept_apart", "{'players':[<1>,<2>],'weight':100}");
    struct pairing pairing;
    const char *code;
    assert_true(try_draw(&pairing, &code)); /* a weight is for larger tables */
    pairing_free(&pairing);
}

/* ---- Schedules ---- */

/* 1-6 2-5 3-4 with 5 out: table 2 keeps its seats, and is named. */
LISTED_TEST(test_forfeited)
{
    struct pairing pairing;
    const char *code;
    begin(OF("round_robin") "}", 6, 8);
    tell(&event, "dropped", "{'player':<5>,'after':0}");
    assert_true(try_draw(&pairing, &code));
    assert_int_equal(pairing.table_count, 3);
    assert_int_equal(pairing.bye_count, 0);
    const json_t *forfeited = json_object_get(pairing.quality, "forfeited");
    assert_int_equal(json_array_size(forfeited), 1);
    assert_int_equal(json_integer_value(json_array_get(forfeited, 0)), 2);
    assert_int_equal(pairing.tables[1].entry[0], 1);
    assert_int_equal(pairing.tables[1].entry[1], 4);
    pairing_free(&pairing);
}

/* Tables of four with one out are three; with three out, the last one has a bye. */
LISTED_TEST(test_tables_without_those_out)
{
    struct pairing full, pairing;
    const char *code;
    begin(OF("pod_round_robin") ",'rounds':3,'seats_min':4,'seats_max':4,'seats_preferred':4}", 16,
          8);
    assert_true(try_draw(&full, &code));
    assert_int_equal(full.table_count, 4);
    tell(&event, "dropped", "{'player':<%u>,'after':0}", full.tables[0].entry[1] + 1U);
    for (unsigned seat = 0; seat < 3; seat++)
        tell(&event, "dropped", "{'player':<%u>,'after':0}", full.tables[2].entry[seat] + 1U);
    assert_true(try_draw(&pairing, &code));
    assert_int_equal(pairing.table_count, 3);
    assert_int_equal(pairing.tables[0].seats, 3);
    assert_int_equal(pairing.tables[0].entry[0], full.tables[0].entry[0]);
    assert_int_equal(pairing.tables[0].entry[1], full.tables[0].entry[2]);
    assert_int_equal(pairing.tables[1].seats, 4);
    unsigned byes = 0;
    for (size_t i = 0; i < pairing.bye_count; i++)
        if (pairing.byes[i].kind == ROUND_PAIRING_BYE) {
            assert_int_equal(pairing.byes[i].entry, full.tables[2].entry[3]);
            byes++;
        }
    assert_int_equal(byes, 1);
    assert_int_equal(pairing.bye_count, 5);
    pairing_free(&full);
    pairing_free(&pairing);
}

/* The schedule is that of the first round's attempt, whatever a later round's is. */
static __attribute__((unused)) void test_schedule_stays(void **state)
{
    (void)state;
    struct pairing first, second, again;
    const char *code;
    begin(OF("pod_round_robin") ",'rounds':3,'seats_min':3,'seats_max':4,'seats_preferred':4}", 9,
          8);
    assert_true(try_draw(&first, &code));
    write_draw(&first);
    tell(&event, "round_withdrawn", "{'round':1}");
    assert_true(whole_round(0, &code)); /* the second attempt */
    assert_true(try_draw(&second, &code));
    write_draw(&second);
    tell(&event, "round_withdrawn", "{'round':2}");
    assert_true(try_draw(&again, &code));
    assert_int_equal(again.attempt, 2);
    assert_int_equal(second.table_count, again.table_count);
    assert_memory_equal(second.tables, again.tables, again.table_count * sizeof *again.tables);
    const json_t *division = json_array_get(json_object_get(again.quality, "divisions"), 0);
    assert_int_equal(json_integer_value(json_object_get(division, "schedule_round")), 2);
    assert_true(json_integer_value(json_object_get(division, "repeats")) >=
                json_integer_value(json_object_get(division, "repeats_bound")));
    pairing_free(&first);
    pairing_free(&second);
    pairing_free(&again);
}

/* Later rounds are read from what the first one tells: the same as if the search were made again.
 */
static __attribute__((unused)) void test_schedule_is_told(void **state)
{
    (void)state;
    struct pairing read, searched;
    struct refusal refusal;
    const char *code;
    begin(OF("pod_round_robin") ",'rounds':4,'seats_min':3,'seats_max':4,'seats_preferred':4}", 11,
          8);
    assert_true(whole_round(0, &code));
    const json_t *told = json_object_get(json_array_get(event.schedules, 0), "schedule");
    assert_int_equal(json_array_size(told), 4);
    while (try_draw(&read, &code)) {
        struct tournament *without = tournament_copy(&event);
        assert_non_null(without);
        json_decref(without->schedules);
        without->schedules = json_string("nothing that can be read");
        assert_true(pairing_next(without, &chance, 1, &searched, &refusal));
        assert_int_equal(read.table_count, searched.table_count);
        assert_memory_equal(read.tables, searched.tables, read.table_count * sizeof *read.tables);
        assert_true(json_equal(read.quality, searched.quality));
        tournament_free(without);
        free(without);
        pairing_free(&searched);
        pairing_free(&read);
        assert_true(whole_round(0, &code));
    }
    assert_int_equal(event.rounds_started, 4);
}

/* ---- Numbers ---- */

static void create(const char *seeding, bool check_in)
{
    struct tournament_settings settings;
    struct settings_fault fault;
    json_t *document =
        json_pack("{ss ss ss ss sb si}", "name", "Event", "ruleset", "shinjuku", "format", "dutch",
                  "seeding", seeding, "check_in", (int)check_in, "rounds", 3);
    tournament_free(&event);
    assert_true(settings_read(document, true, &settings, &fault));
    take("created", settings_write(&settings));
    json_decref(document);
    tell(&event, "entries_opened", "{}");
    tell(&event, "entered", "{'player':<1>,'rating':1500}");
    tell(&event, "entered", "{'player':<2>,'rating':null}");
    tell(&event, "entered", "{'player':<3>,'rating':1800}");
    tell(&event, "entered", "{'player':<4>,'rating':1500}");
    tell(&event, "entered", "{'player':<5>,'rating':null}");
    tell(&event, "entered", "{'player':<6>,'rating':900}");
    tell(&event, "withdrawn", "{'player':<1>}");
    tell(&event, "entered", "{'player':<1>,'rating':1500}"); /* again, at the end */
    tell(&event, "withdrawn", "{'player':<6>}");
}

static void expect_order(const uint16_t *expected, size_t count)
{
    uint16_t order[8];
    assert_int_equal(pairing_seeding(&event, &chance, order), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(order[i] + 1, expected[i]);
}

LISTED_TEST(test_seeding)
{
    set_luck(8);
    create("entering", false);
    expect_order((const uint16_t[]){2, 3, 4, 5, 1}, 5);
    create("rating", false);
    expect_order((const uint16_t[]){3, 4, 1, 2, 5}, 5);
    create("rating", true);
    expect_order(NULL, 0);
    tell(&event, "checked_in", "{'player':<5>,'present':true}");
    tell(&event, "checked_in", "{'player':<4>,'present':true}");
    expect_order((const uint16_t[]){4, 5}, 2);
}

/* Every order comes about: 5 players, 1,000 draws. */
LISTED_TEST(test_seeding_drawn)
{
    unsigned first[6] = {0}, last[6] = {0};
    create("draw", false);
    for (unsigned i = 0; i < 1000; i++) {
        uint16_t order[8], again[8];
        chance.seed[0] = (uint8_t)i;
        chance.seed[1] = (uint8_t)(i >> 8);
        assert_int_equal(pairing_seeding(&event, &chance, order), 5);
        assert_int_equal(pairing_seeding(&event, &chance, again), 5);
        assert_memory_equal(order, again, 5 * sizeof order[0]);
        first[order[0]]++;
        last[order[4]]++;
    }
    assert_int_equal(first[5] + last[5], 0); /* withdrawn */
    for (unsigned player = 0; player < 5; player++) {
        assert_in_range(first[player], 150, 250);
        assert_in_range(last[player], 150, 250);
    }
}

/* ---- Lines ---- */

LISTED_TEST(test_lines)
{
    struct pairing pairing;
    const char *code;
    begin(OF("dutch") ",'rounds':3}", 5, 8);
    tell(&event, "bye_granted", "{'player':<2>,'round':1,'kind':'half'}");
    tell(&event, "dropped", "{'player':<3>,'after':0}");
    assert_true(try_draw(&pairing, &code));
    json_t *stage = pairing_stage_line(&event, &pairing),
           *round = pairing_round_line(&event, &pairing);
    json_t *expected = json_pack("{s:i, s:[iiiii]}", "stage", 1, "entries", 1, 2, 3, 4, 5);
    assert_true(json_equal(stage, expected));
    assert_int_equal(json_integer_value(json_object_get(round, "round")), 1);
    assert_int_equal(json_integer_value(json_object_get(round, "stage")), 1);
    assert_int_equal(json_integer_value(json_object_get(round, "attempt")), 1);
    assert_null(json_object_get(round, "matches"));
    assert_int_equal(json_array_size(json_object_get(round, "tables")), 1);
    assert_int_equal(json_array_size(json_object_get(round, "byes")), 1);
    json_t *absent = json_pack("[[is][is]]", 2, "half_bye", 3, "absent");
    assert_true(json_equal(json_object_get(round, "absent"), absent));
    assert_true(json_equal(json_object_get(round, "quality"), pairing.quality));
    json_decref(absent);
    json_decref(expected);
    json_decref(stage);
    json_decref(round);
    pairing_free(&pairing);
}

/* ---- Large events ---- */

static void expect_two_rounds(const char *settings, unsigned players)
{
    begin(settings, players, 8);
    for (unsigned round = 1; round <= 2; round++) {
        struct pairing pairing;
        struct refusal refusal;
        assert_true(pairing_next(&event, &chance, 1, &pairing, &refusal));
        expect_everybody_once(&pairing);
        write_draw(&pairing);
        pairing_free(&pairing);
        start_round();
        play_round(10);
    }
}

#ifdef PLAYOUTS_DEFAULT /* searches take long with checks built in */
enum { PODS = 60, DUTCH = 100, LEAGUE = 160 };
#else
enum { PODS = 400, DUTCH = 400, LEAGUE = 1600 };
#endif

LISTED_TEST(test_large)
{
    expect_two_rounds(OF("pod_swiss") ",'rounds':3,'seats_min':3,'seats_max':4,"
                                      "'seats_preferred':4}",
                      PODS);
    expect_two_rounds(OF("dutch") ",'rounds':3}", DUTCH);
    expect_two_rounds(OF("double_elimination") "}", 128);
    expect_two_rounds(OF("pod_elimination") ",'seats_min':3,'seats_max':4,'seats_preferred':4}",
                      1000);
    expect_two_rounds(OF("league") ",'division':16,'division_smallest':8,'rounds':4,"
                                   "'seats_min':4,'seats_max':4,'seats_preferred':4}",
                      LEAGUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_phases, clear),
        cmocka_unit_test_teardown(test_formats_without_draws, clear),
        cmocka_unit_test_teardown(test_too_few, clear),
        cmocka_unit_test_teardown(test_too_many, clear),
        cmocka_unit_test_teardown(test_nobody_there, clear),
        cmocka_unit_test_teardown(test_forbidden_pairs, clear),
        cmocka_unit_test_teardown(test_forfeited, clear),
        cmocka_unit_test_teardown(test_tables_without_those_out, clear),
#ifndef PLAYOUTS_DEFAULT /* searches take long with checks built in */
        cmocka_unit_test_teardown(test_schedule_stays, clear),
        cmocka_unit_test_teardown(test_schedule_is_told, clear),
#endif
        cmocka_unit_test_teardown(test_seeding, clear),
        cmocka_unit_test_teardown(test_seeding_drawn, clear),
        cmocka_unit_test_teardown(test_lines, clear),
        cmocka_unit_test_teardown(test_large, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
