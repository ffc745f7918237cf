/* Decisions that several seats take at the same time: the auctions of Mall World. In a record they
 * stand together, in the order of seats and with one time, so that nobody can tell who was first.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/record/replay.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static struct roll roll;
static struct roll_lines lines;
static size_t first_bid; /* index of the first of some bids that belong together */

static const struct game *mall_world(void)
{
    return catalog_newest(span_of("mall-world"));
}

FIXTURE(write_game)
{
    struct game_options options = game_options_initial(mall_world());
    roll_write(&roll, mall_world(), 4, &options, 3, ROLL_RANDOM);
    roll_lines_of(&lines, roll_span(&roll));
    first_bid = roll_find(&lines, 0, " bid ");
    return 0;
}

FIXTURE(free_game)
{
    roll_lines_free(&lines);
    roll_free(&roll);
    return 0;
}

static void assert_forged(size_t line, const char *code)
{
    static struct replay proved;
    struct record_fault fault;
    struct text record = roll_chain(&lines);
    enum replay_verdict verdict = replay_verify(text_span(&record), NULL, &proved, &fault);
    free(record.at);
    assert_int_equal(verdict, REPLAY_INVALID);
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.line, line + 1);
}

LISTED_TEST(test_bids_stand_together)
{
    const char *bytes = lines.line[first_bid].bytes;
    struct span first = span_of(bytes);
    span_word(&first);
    struct span seat = span_word(&first);
    struct span elapsed = span_word(&first);
    unsigned previous = (unsigned)(seat.at[0] - '0');
    for (size_t i = first_bid + 1; i < first_bid + 3; i++) {
        struct span next = span_of(lines.line[i].bytes);
        span_word(&next);
        unsigned number = (unsigned)(span_word(&next).at[0] - '0');
        assert_true(number > previous);
        assert_true(span_equal(elapsed, span_word(&next)));
        assert_memory_equal(next.at, "bid ", 4);
        previous = number;
    }
}

LISTED_TEST(test_another_order)
{
    char moved[RECORD_LINE_MAX + 1];
    memcpy(moved, lines.line[first_bid].bytes, sizeof moved);
    roll_remove(&lines, first_bid);
    roll_insert(&lines, first_bid + 1, moved);
    roll_renumber(&lines);
    assert_forged(first_bid, "wrong-order");
}

LISTED_TEST(test_another_time)
{
    for (size_t i = first_bid + 2; strncmp(lines.line[i].bytes, "head", 4) != 0; i++)
        roll_set_word(&lines, i, 2, "100000000000");
    assert_forged(first_bid + 2, "wrong-time");
}

/* A bid cannot stand alone: without the others the game does not go on. */
LISTED_TEST(test_bid_missing)
{
    roll_remove(&lines, first_bid + 2);
    roll_renumber(&lines);
    static struct replay proved;
    struct record_fault fault;
    struct text record = roll_chain(&lines);
    assert_int_equal(replay_verify(text_span(&record), NULL, &proved, &fault), REPLAY_INVALID);
    assert_int_equal(fault.line, first_bid + 3);
    free(record.at);
}

/* Writing: an absent seat waits for the others, and then moves in its place. */
LISTED_TEST(test_absent_seat_waits)
{
    static struct replay replay;
    struct record_fault fault;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal;
    struct span rest = roll_span(&roll);
    struct span next;
    assert_true(replay_begin(&replay, NULL, &rest, roll.replay.secret, &fault));
    while (replay_simultaneous(&replay) == 0) {
        assert_true(span_line(&rest, &next));
        assert_true(replay_line(&replay, next, &fault));
    }
    uint32_t seats = replay_simultaneous(&replay);
    unsigned absent = 0;
    while ((seats >> absent & 1) == 0)
        absent++;
    assert_true(replay_add_fallback(&replay, absent, replay.elapsed_ms, &line, &refusal));
    text_clear(&line);
    assert_false(replay_add_due(&replay, replay.elapsed_ms, true, &line));
    assert_int_equal(replay_simultaneous(&replay), seats);
    for (unsigned seat = absent + 1; seat < GAME_SEATS_MAX; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        assert_false(replay_add_ply(&replay, seat, span_of("bid 0"), 0, &line, &refusal));
        break;
    }
    uint32_t seq = replay.seq;
    replay_add_quiet(&replay, absent, replay.elapsed_ms, &line);
    assert_int_equal(replay.seq, seq + 1);
    assert_true(replay.together);
}

#define GAME_TEST(test) cmocka_unit_test_setup_teardown(test, write_game, free_game)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAME_TEST(test_bids_stand_together), GAME_TEST(test_another_order),
        GAME_TEST(test_another_time),        GAME_TEST(test_bid_missing),
        GAME_TEST(test_absent_seat_waits),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
