/* Pairing round after round of events, with the history counted from their results. */
#include <string.h>

#include "tests/engine/tournament/formats/pods/pod_event.h"
#include "tests/test.h"

LISTED_TEST(no_repeats_when_avoidable)
{
    static struct event event;
    static const struct {
        size_t players;
        uint16_t rounds;
    } events[] = {
        {16, 3},
        {24, 4},
#ifndef PLAYOUTS_DEFAULT /* these take long with checks built in */
        {32, 6},
        {64, 6},
#endif
    };
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        event_start(&event, events[i].players);
        for (uint16_t round = 1; round <= events[i].rounds; round++)
            assert_int_equal(event_round(&event).value[POD_P3_REPEATS], 0);
    }
}

/* 12 players at three tables: in every round each table repeats a pair of every earlier one, and
 * the pigeonhole bound says so. */
LISTED_TEST(repeats_meet_their_bound)
{
    static struct event event;
    event_start(&event, 12);
    for (int64_t round = 1; round <= 3; round++)
        assert_int_equal(event_round(&event).value[POD_P3_REPEATS], 3 * (round - 1));
    event_start(&event, 8);
    for (int64_t round = 1; round <= 4; round++)
        assert_int_equal(event_round(&event).value[POD_P3_REPEATS], 4 * (round - 1));
}

LISTED_TEST(nobody_has_two_byes_before_all_had_one)
{
    static struct event event;
    event_start(&event, 13);
    event.field.request.rule = table_rule_range(4, 4, 4);
    for (uint16_t round = 1; round <= 13; round++)
        event_round(&event);
    for (size_t i = 0; i < 13; i++) {
        assert_int_equal(event.field.players[i].byes, 1);
        assert_int_equal(event.field.players[i].unplayed, 1);
    }
}

/* Rounds as many as a multiple of the seats: nobody sits in one seat much more than in another. */
static __attribute__((unused)) void seats_even_out(void **state)
{
    (void)state;
    static struct event event;
    event_start(&event, 32);
    for (uint16_t round = 1; round <= 6; round++)
        event_round(&event);
    for (size_t i = 0; i < 32; i++) {
        const uint16_t *seats = event.field.players[i].seat_count;
        for (unsigned seat = 0; seat < 4; seat++)
            assert_in_range(seats[seat], 1, 2);
    }
}

/* 13 players sit at 4+3+3+3: 9 of 13 are short in every round, 36 sittings in 4 rounds. Repeats
 * come before short tables, so they are left out here. */
LISTED_TEST(short_tables_are_shared_out)
{
    static struct event event;
    unsigned sittings = 0;
    event_start(&event, 13);
    event.field.request.met = NULL;
    event.field.request.before = NULL;
    event.field.request.earlier_groups = NULL;
    for (uint16_t round = 1; round <= 4; round++) {
        event.field.request.earlier_rounds = 0;
        event_round(&event);
    }
    for (size_t i = 0; i < 13; i++) {
        sittings += event.field.players[i].short_sittings;
        assert_in_range(event.field.players[i].short_sittings, 2, 3);
    }
    assert_int_equal(sittings, 36);
}

/* Entry 2 forfeits at table 1, entry 6 is absent: neither has met anybody or sat anywhere. */
LISTED_TEST(history_of_one_round)
{
    static const struct entry entries[] = {{1}, {2}, {3}, {4}, {5}, {6}, {7}};
    static const uint16_t present[] = {0, 1, 2, 3, 4, 6};
    static const struct table_result results[] = {
        {.round = 1,
         .table = 1,
         .seats = 4,
         .seat = {{0, ROUND_PLAYED, 2, 9},
                  {1, ROUND_PLAYED, 1, 12},
                  {2, ROUND_FORFEIT_LOSS, 4, 0},
                  {3, ROUND_PLAYED, 3, 5}}},
        {.round = 1, .seats = 1, .seat = {{5, ROUND_ABSENT, 0, 0}}},
        {.round = 1, .seats = 1, .seat = {{4, ROUND_PAIRING_BYE, 0, 0}}}};
    struct pod_history history = {.entries = entries,
                                  .entry_count = 7,
                                  .results = results,
                                  .result_count = 3,
                                  .scoring = &scoring_default,
                                  .present = present,
                                  .present_count = 6,
                                  .rounds = 1,
                                  .preferred = 4};
    struct pod_player players[6];
    uint8_t met[36], before[36];
    uint16_t groups[1];
    int32_t work[7];
    pod_history_count(&history, players, met, before, groups, work);
    assert_int_equal(groups[0], 4); /* the table, entries 2, 4 and 6 */
    assert_int_equal(players[0].score, 180);
    assert_int_equal(players[1].score, 300);
    assert_int_equal(players[2].score, 0);
    assert_int_equal(players[3].score, 120);
    assert_int_equal(players[4].score, 165);
    assert_int_equal(players[4].byes, 1);
    assert_int_equal(players[4].full_without_play, 0);
    assert_int_equal(players[5].unplayed, 1);
    assert_int_equal(players[2].unplayed, 1);
    assert_int_equal(players[1].unplayed, 0);
    assert_int_equal(players[3].seat_count[3], 1);
    assert_int_equal(players[2].seat_count[2], 0);
    assert_int_equal(met[0 * 6 + 3], 1);
    assert_int_equal(met[0 * 6 + 2], 0);
    assert_int_equal(before[3 * 6 + 0], 1);
    assert_int_equal(before[0 * 6 + 1], 1);
    assert_int_equal(before[1 * 6 + 0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_repeats_when_avoidable),
        cmocka_unit_test(repeats_meet_their_bound),
        cmocka_unit_test(nobody_has_two_byes_before_all_had_one),
#ifndef PLAYOUTS_DEFAULT /* takes long with checks built in */
        cmocka_unit_test(seats_even_out),
#endif
        cmocka_unit_test(short_tables_are_shared_out),
        cmocka_unit_test(history_of_one_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
