/* Events of every format from their entries to the end, with results by lot, people who leave and
 * come back, late entries and byes. Each draw keeps what pairing_event.h asks of it. */
#include "engine/tournament/pairing/ranking.h"
#include "tests/engine/tournament/pairing/pairing_event.h"
#include "tests/test.h"

/* Plays rounds until none is left; returns how many there were. */
static unsigned play_to_the_end(unsigned level)
{
    const char *code;
    unsigned rounds = 0;
    while (whole_round(level, &code))
        rounds++;
    assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
    tell(&event, "closed", "{}");
    return rounds;
}

static bool is_out(uint16_t entry)
{
    return (event.entrants[entry].out >> event.rounds_started & 1) != 0;
}

/* Between rounds: some leave, some come back, some ask for a bye, some come late. */
static void stir(bool late, bool return_allowed)
{
    unsigned next = event.rounds_started + 1U;
    for (unsigned n = 1; n <= event.numbered; n++) {
        uint16_t entry = tournament_entry_numbered(&event, (uint16_t)n);
        unsigned chance_of = roll(100);
        if (is_out(entry)) {
            if (return_allowed && chance_of < 30)
                tell(&event, "returned", "{'player':<%u>,'from':%u}", n, next);
        } else if (chance_of < 4) {
            tell(&event, "dropped", "{'player':<%u>,'after':%u}", n, next - 1);
        } else if (chance_of < 12) {
            static const char *const kinds[] = {"full", "half", "zero"};
            tell(&event, "bye_granted", "{'player':<%u>,'round':%u,'kind':'%s'}", n, next,
                 kinds[roll(3)]);
        }
    }
    if (late && roll(2) == 0)
        tell(&event, "entered", "{'player':<%u>,'rating':null,'late':true}",
             (unsigned)event.entrant_count + 1);
}

#define SHINJUKU(name) "{'name':'" name "','ruleset':'shinjuku',"
#define TWO            "'seats_min':2,'seats_max':2,'seats_preferred':2"

LISTED_TEST(test_pod_swiss)
{
    static const char settings[] =
        SHINJUKU("Pods") "'late_entries':3,'format':'pod_swiss','rounds':5,'seats_min':3,"
                         "'seats_max':4,'seats_preferred':4}";
    static const unsigned fields[] = {4, 9, 11, 12};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        begin(settings, fields[i], (uint8_t)(i + 1));
        assert_int_equal(play_to_the_end(10), 5);
    }
}

LISTED_TEST(test_pod_swiss_stirred)
{
    static const char settings[] =
        SHINJUKU("Pods") "'late_entries':4,'format':'pod_swiss','rounds':6,'seats_min':3,"
                         "'seats_max':4,'seats_preferred':4}";
    const char *code;
    begin(settings, getenv("TILLROLL_LONG") == NULL ? 15 : 27, 1);
    for (unsigned a = 1; a <= 8; a += 2)
        tell(&event, "kept_apart", "{'players':[<%u>,<%u>],'weight':'forbidden'}", a, a + 1);
    tell(&event, "kept_apart", "{'players':[<9>,<10>],'weight':500}");
    for (unsigned round = 1; round <= 6; round++) {
        stir(round >= 2 && round <= 4, true);
        assert_true(whole_round(10, &code));
    }
    assert_false(whole_round(10, &code));
    assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
}

LISTED_TEST(test_dutch_stirred)
{
    static const char settings[] =
        SHINJUKU("Dutch") "'late_entries':4,'format':'dutch','rounds':7}";
    for (uint8_t number = 1; number <= 8; number++) {
        const char *code;
        begin(settings, 17U + number * 2U, number);
        for (unsigned a = 1; a <= 8; a += 2)
            tell(&event, "kept_apart", "{'players':[<%u>,<%u>],'weight':'forbidden'}", a, a + 1);
        for (unsigned round = 1; round <= 7; round++) {
            stir(round >= 2 && round <= 4, true);
            assert_true(whole_round(20, &code));
        }
        assert_false(whole_round(10, &code));
        assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
    }
}

/* How often each two met at tables where nobody forfeited. */
static unsigned count_meetings(uint16_t a, uint16_t b)
{
    unsigned meetings = 0;
    for (size_t i = 0; i < event.table_count; i++) {
        unsigned found = 0;
        for (unsigned seat = 0; seat < event.tables[i].seats; seat++)
            found += event.tables[i].entry[seat] == a || event.tables[i].entry[seat] == b;
        meetings += found == 2;
    }
    return meetings;
}

/* Everybody meets everybody, once or twice, whoever leaves. */
LISTED_TEST(test_round_robin)
{
    for (unsigned twice = 0; twice < 2; twice++) {
        for (unsigned players = 2; players <= 11; players++) {
            const char *code;
            unsigned rounds = 0;
            begin(twice == 0 ? SHINJUKU("Berger") "'format':'round_robin'}"
                             : SHINJUKU("Berger") "'format':'round_robin','twice':true}",
                  players, (uint8_t)(players + twice));
            while (whole_round(20, &code)) {
                rounds++;
                if (rounds >= 2)
                    stir(false, true);
            }
            assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
            assert_int_equal(rounds, (players - 1 + players % 2) * (1 + twice));
            for (uint16_t a = 0; a < players; a++)
                for (uint16_t b = 0; b < a; b++)
                    assert_int_equal(count_meetings(a, b), 1 + twice);
        }
    }
}

LISTED_TEST(test_pod_round_robin)
{
    static const char settings[] =
        SHINJUKU("Nights") "'format':'pod_round_robin','rounds':5,'seats_min':4,'seats_max':4,"
                           "'seats_preferred':4}";
    begin(settings, 16, 1);
    assert_int_equal(play_to_the_end(10), 5);
    for (uint16_t a = 0; a < 16; a++)
        for (uint16_t b = 0; b < a; b++)
            assert_int_equal(count_meetings(a, b), 1);
    for (unsigned players = 9; players <= 11; players += 2) {
        const char *code;
        unsigned rounds = 0;
        begin(SHINJUKU("Nights") "'format':'pod_round_robin','rounds':4,'seats_min':3,"
                                 "'seats_max':4,'seats_preferred':4}",
              players, (uint8_t)players);
        while (whole_round(10, &code)) {
            rounds++;
            stir(false, true);
        }
        assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
        assert_int_equal(rounds, 4);
    }
}

/* 8 + 11: what is left over joins the last division, which plays longer. */
LISTED_TEST(test_league)
{
    const char *code;
    unsigned rounds = 0;
    begin(SHINJUKU("League") "'format':'league','division':8,'division_smallest':4," TWO "}", 19,
          3);
    while (whole_round(20, &code)) {
        rounds++;
        if (rounds > 2)
            stir(false, true);
    }
    assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
    assert_int_equal(rounds, 11);
    uint16_t division[19];
    assert_int_equal(pairing_divisions(&event, 0, division), 2);
    for (uint16_t a = 0; a < 19; a++) {
        assert_int_equal(division[a], a < 8 ? 1 : 2);
        for (uint16_t b = 0; b < a; b++)
            assert_int_equal(count_meetings(a, b), division[a] == division[b]);
    }
}

LISTED_TEST(test_pod_league)
{
    begin(SHINJUKU("League") "'format':'league','division':8,'division_smallest':4,'rounds':3,"
                             "'seats_min':3,'seats_max':4,'seats_preferred':4}",
          21, 4);
    assert_int_equal(play_to_the_end(20), 3);
    uint16_t division[21];
    assert_int_equal(pairing_divisions(&event, 0, division), 3);
}

/* Expects one winner of the bracket. */
static void expect_one_winner(void)
{
    struct elimination bracket;
    struct refusal refusal;
    uint16_t place[ELIMINATION_SIZE_MAX];
    unsigned winners = 0;
    assert_true(
        pairing_bracket(&event, event.stages - 1, event.rounds_started, &bracket, &refusal));
    assert_true(bracket.over);
    elimination_places(&bracket, place);
    for (unsigned i = 0; i < bracket.rule.size; i++)
        winners += place[i] == 1;
    assert_true(winners <= 1);
    assert_int_equal(bracket.unused_results, 0);
}

LISTED_TEST(test_eliminations)
{
    static const char *const settings[] = {
        SHINJUKU("Cup") "'format':'single_elimination'}",
        SHINJUKU("Cup") "'format':'single_elimination','consolation':true}",
        SHINJUKU("Cup") "'format':'double_elimination'}",
        SHINJUKU("Cup") "'format':'double_elimination','grand_final':'double'}",
        SHINJUKU("Cup") "'format':'double_elimination','grand_final':'none','consolation':true}"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        for (unsigned players = 2; players <= 19; players++) {
            begin(settings[i], players, (uint8_t)(16 * i + players));
            play_to_the_end(25);
            expect_one_winner();
        }
    }
}

/* People leave: their matches are walkovers, and the bracket comes to an end. Byes put off a
 * match. */
LISTED_TEST(test_eliminations_stirred)
{
    unsigned walkovers = 0;
    for (uint8_t number = 1; number <= 30; number++) {
        const char *code;
        begin(number % 2 == 0 ? SHINJUKU("Cup") "'format':'single_elimination'}"
                              : SHINJUKU("Cup") "'format':'double_elimination'}",
              6U + number, number);
        while (true) {
            stir(false, false);
            bool drawn = whole_round(15, &code);
            if (!drawn && strcmp(code, PAIRING_REFUSAL_TOO_FEW) == 0) {
                for (unsigned n = 1; n <= event.numbered; n++) {
                    uint16_t entry = tournament_entry_numbered(&event, (uint16_t)n);
                    enum round_kind kind =
                        tournament_presence(&event, entry, event.rounds_started + 1U);
                    if (kind != ROUND_PLAYED && kind != ROUND_ABSENT)
                        tell(&event, "bye_revoked", "{'player':<%u>,'round':%u}", n,
                             event.rounds_started + 1U);
                }
                drawn = whole_round(15, &code);
            }
            if (!drawn)
                break;
        }
        assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
        expect_one_winner();
        for (size_t i = 0; i < event.entrant_count; i++)
            walkovers += event.entrants[i].out != 0;
    }
    assert_true(walkovers > 30);
}

LISTED_TEST(test_pod_elimination)
{
    for (unsigned players = 3; players <= 40; players++) {
        struct pod_elimination bracket;
        struct refusal refusal;
        const char *code;
        unsigned rounds = 0;
        begin(SHINJUKU("Cup") "'format':'pod_elimination','advance':1,'seats_min':3,"
                              "'seats_max':4,'seats_preferred':4}",
              players, (uint8_t)players);
        while (whole_round(10, &code)) {
            rounds++;
            for (unsigned n = 1; players % 3 == 0 && n <= 2; n++) {
                unsigned who = 1 + roll(players);
                if (!is_out((uint16_t)(who - 1)))
                    tell(&event, "dropped", "{'player':<%u>,'after':%u}", who,
                         event.rounds_started);
            }
        }
        if (strcmp(code, PAIRING_REFUSAL_TOO_FEW) == 0 && players == 5)
            continue;
        assert_string_equal(code, PAIRING_REFUSAL_NO_ROUNDS);
        assert_true(pairing_pod_bracket(&event, 0, event.rounds_started, &bracket, &refusal));
        assert_true(bracket.over);
        for (unsigned i = 0; i < players; i++)
            assert_true(bracket.place[i] >= 1 && bracket.place[i] <= players);
        assert_int_equal(bracket.rounds, rounds);
        pod_elimination_free(&bracket);
    }
}

/* Swiss rounds, then a cut to a bracket, in the order of the standings. */
LISTED_TEST(test_two_stages)
{
    begin(SHINJUKU("Both") "'stages':[{'format':'pod_swiss','rounds':3,'seats_min':3,"
                           "'seats_max':4,'seats_preferred':4},{'format':'pod_elimination',"
                           "'entrants':8,'advance':1,'seats_min':4,'seats_max':4,"
                           "'seats_preferred':4}]}",
          11, 7);
    assert_int_equal(play_to_the_end(10), 3 + 2);
    assert_int_equal(event.stages, 2);
    assert_int_equal(event.stage[1].entry_count, 8);
    begin(SHINJUKU("Both") "'stages':[{'format':'dutch','rounds':4},{'format':"
                           "'single_elimination','entrants':8,'consolation':true},{'format':"
                           "'round_robin','entrants':4}]}",
          20, 8);
    assert_int_equal(play_to_the_end(0), 4 + 3 + 3);
    assert_int_equal(event.stages, 3);
    assert_int_equal(event.stage[2].entry_count, 4);
}

/* An entry that has dropped out does not advance; the next best does. */
LISTED_TEST(test_cut)
{
    struct ranking ranking;
    struct refusal refusal;
    struct pairing pairing;
    const char *code;
    begin(SHINJUKU("Both") "'stages':[{'format':'dutch','rounds':3},{'format':"
                           "'single_elimination','entrants':4}]}",
          9, 8);
    for (unsigned round = 1; round <= 3; round++)
        assert_true(whole_round(0, &code));
    assert_true(ranking_make(&event, &chance, 3, &ranking, &refusal));
    tell(&event, "dropped", "{'player':<%u>,'after':3}", ranking.places[1].entry + 1U);
    assert_true(try_draw(&pairing, &code));
    assert_true(pairing.begins_stage);
    assert_int_equal(pairing.stage, 1);
    assert_int_equal(pairing.entry_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pairing.entries[i], ranking.places[i + (i > 0)].entry);
    assert_int_equal(pairing.tables[0].entry[0], pairing.entries[0]);
    assert_int_equal(pairing.tables[0].entry[1], pairing.entries[3]);
    pairing_free(&pairing);
    ranking_free(&ranking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_pod_swiss, clear),
        cmocka_unit_test_teardown(test_pod_swiss_stirred, clear),
        cmocka_unit_test_teardown(test_dutch_stirred, clear),
        cmocka_unit_test_teardown(test_round_robin, clear),
        cmocka_unit_test_teardown(test_pod_round_robin, clear),
        cmocka_unit_test_teardown(test_league, clear),
        cmocka_unit_test_teardown(test_pod_league, clear),
        cmocka_unit_test_teardown(test_eliminations, clear),
        cmocka_unit_test_teardown(test_eliminations_stirred, clear),
        cmocka_unit_test_teardown(test_pod_elimination, clear),
        cmocka_unit_test_teardown(test_two_stages, clear),
        cmocka_unit_test_teardown(test_cut, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
