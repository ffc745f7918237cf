/* The lines that tell what happens besides plies: time-outs, presence, stops, disputes and rulings.
 * What they do, where they may stand, and what they make of the result. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

#define DISPUTE "0190163d-8694-739b-aea5-966c26f8adb0"
#define OTHER   "0190163d-8694-739b-aea5-966c26f8adb1"
#define BY      " by 0190163d-8694-739b-aea5-966c26f8adc0 why misapplied-rule"

static struct roll roll;
static struct roll_writer writer;
static struct replay proved;

static const struct clock_control none;
static const struct clock_control bank = {
    .kind = CLOCK_BANK, .bank_ms = 60000, .increment_ms = 1000, .cap_ms = 60500};
static const struct clock_control each = {.kind = CLOCK_MOVE, .move_ms = 5000};

static void begin(const char *slug, unsigned seats, const struct clock_control *clock)
{
    const struct game *game = catalog_newest(span_of(slug));
    struct game_options options = game_options_initial(game);
    struct record_header header;
    uint8_t secret[32];
    roll_header(&header, game, seats, &options, 4, secret);
    header.clock = *clock;
    roll_begin(&writer, &roll, &header, secret, 4);
}

static void end(void)
{
    roll_end(&writer);
    roll_free(&roll);
}

static void good(const char *words)
{
    const char *code = roll_say(&writer, words);
    if (code != NULL)
        fail_msg("%s: %s", words, code);
}

/* It is refused with this code, and nothing has changed. */
static void bad(const char *words, const char *code)
{
    static struct replay before;
    memcpy(&before, &roll.replay, sizeof before);
    const char *found = roll_say(&writer, words);
    if (found == NULL || strcmp(found, code) != 0)
        fail_msg("%s: %s, expected %s", words, found == NULL ? "accepted" : found, code);
    assert_memory_equal(&before, &roll.replay, sizeof before);
}

static uint32_t deciders(void)
{
    return roll.replay.header.game->deciders(roll.replay.state);
}

/* The one seat that decides. */
static unsigned decider(void)
{
    unsigned seat = 0;
    while ((deciders() >> seat & 1) == 0)
        seat++;
    assert_int_equal(deciders(), 1u << seat);
    return seat;
}

static void ply_at(int64_t elapsed_ms)
{
    writer.elapsed_ms = elapsed_ms;
    roll_ply(&writer);
}

/* Random plies, 10 ms each, until the seat alone decides. */
static void play_until(unsigned seat)
{
    while (deciders() != 1u << seat)
        ply_at(writer.elapsed_ms + 10);
}

static int64_t left_ms(unsigned seat)
{
    return clock_left_ms(&roll.replay.clock, seat, roll.replay.elapsed_ms);
}

static void finish(void)
{
    while (roll.replay.phase != REPLAY_FINISHED) {
        writer.elapsed_ms += roll.replay.together ? 0 : 1;
        if (!roll_due(&writer))
            roll_ply(&writer);
    }
}

static void assert_valid(void)
{
    struct record_fault fault = {0};
    if (replay_verify(roll_span(&roll), NULL, &proved, &fault) != REPLAY_VALID)
        fail_msg("line %u: %s: %s", (unsigned)fault.line, fault.code, fault.message);
}

/* ---- Clocks ---- */

TEST(test_a_timeout_is_justified_by_the_clock)
{
    begin("shinjuku", 3, &bank);
    assert_int_equal(decider(), 0);
    bad("- 59999 timeout 0", "bad-timeout");
    bad("- 60000 timeout 1", "bad-timeout"); /* it has nothing to decide */
    bad("- 60000 timeout 4", "bad-timeout");
    assert_int_equal(replay_timed_out(&roll.replay, 59999), 0);
    assert_int_equal(replay_timed_out(&roll.replay, 60000), 1u << 0);
    bad("0 60000 income", "time-is-up");
    good("- 60000 timeout 0");
    bad("- 60000 timeout 0", "bad-timeout"); /* once is enough */
    ply_at(61000);
    assert_int_equal(left_ms(0), 1000); /* nothing was left; the increment came */
    finish();
    assert_valid();
    end();
}

TEST(test_a_flag_that_nobody_called)
{
    struct record_fault fault;
    struct roll_lines lines;
    begin("shinjuku", 2, &bank);
    good("- 60000 timeout 0");
    ply_at(60000);
    finish();
    assert_valid();
    roll_lines_of(&lines, roll_span(&roll));
    size_t at = roll_find(&lines, 0, "timeout 0");
    roll_remove(&lines, at);
    roll_renumber(&lines);
    struct text record = roll_chain(&lines);
    assert_int_equal(replay_verify(text_span(&record), NULL, &proved, &fault), REPLAY_INVALID);
    assert_string_equal(fault.code, "missed-timeout");
    assert_int_equal(fault.line, at + 1);
    free(record.at);
    roll_insert(&lines, at, "1 - 59999 timeout 0");
    roll_renumber(&lines);
    record = roll_chain(&lines);
    assert_int_equal(replay_verify(text_span(&record), NULL, &proved, &fault), REPLAY_INVALID);
    assert_string_equal(fault.code, "bad-timeout");
    assert_int_equal(fault.line, at + 1);
    free(record.at);
    roll_lines_free(&lines);
    end();
}

TEST(test_only_those_who_decide_lose_time)
{
    unsigned seat;
    int64_t at_ms;
    begin("shinjuku", 2, &bank);
    ply_at(20000);
    assert_int_equal(left_ms(0), 41000);
    assert_int_equal(left_ms(1), 60000);
    play_until(1);
    int64_t before = left_ms(0);
    assert_true(replay_next_timeout(&roll.replay, &seat, &at_ms));
    assert_int_equal(seat, 1);
    assert_int_equal(at_ms, roll.replay.elapsed_ms + left_ms(1));
    ply_at(writer.elapsed_ms + 30000);
    assert_int_equal(left_ms(0), before);
    end();
}

TEST(test_the_increment_stops_at_the_cap)
{
    begin("shinjuku", 2, &bank);
    ply_at(0);
    assert_int_equal(left_ms(0), 60500);
    end();
}

TEST(test_every_decision_has_its_deadline)
{
    begin("shinjuku", 2, &each);
    ply_at(4999);
    if (decider() == 0) {
        bad("0 9999 income", "time-is-up");
        good("- 9999 timeout 0");
        ply_at(9999);
    }
    play_until(1);
    assert_int_equal(left_ms(1), 5000);
    end();
}

TEST(test_without_clocks_nobody_is_late)
{
    unsigned seat;
    int64_t at_ms;
    begin("shinjuku", 2, &none);
    bad("- 999999999999999 timeout 0", "bad-timeout");
    assert_int_equal(replay_timed_out(&roll.replay, INT64_MAX), 0);
    assert_false(replay_next_timeout(&roll.replay, &seat, &at_ms));
    end();
}

/* A stop costs nobody time, and nobody plays meanwhile. */
TEST(test_stops)
{
    begin("shinjuku", 2, &bank);
    bad("- 0 resume", "stopped");
    good("- 59999 stop server");
    assert_int_equal(left_ms(0), 1);
    bad("0 70000 income", "stopped");
    bad("0 70000 undo 1", "stopped");
    bad("- 70000 timeout 0", "stopped");
    bad("- 70000 sealed 0", "stopped");
    bad("- 70000 fallback 1", "stopped");
    bad("- 70000 forfeit 1", "stopped");
    bad("- 70000 return 1", "stopped");
    bad("- 70000 stop pause", "stopped");
    bad("- 70000 ruling " DISPUTE " stands" BY, "stopped");
    good("- 900000 resume");
    assert_int_equal(left_ms(0), 1);
    bad("- 900000 timeout 0", "bad-timeout");
    good("- 900001 timeout 0");
    good("- 900001 stop pause");
    good("- 900002 freeze " DISPUTE);
    bad("- 900002 freeze " DISPUTE, "stopped");
    good("- 900003 resume");
    ply_at(900004);
    finish();
    assert_valid();
    end();
}

/* Random plies up to a decision of several seats. */
static void play_until_together(void)
{
    while (replay_simultaneous(&roll.replay) == 0)
        ply_at(writer.elapsed_ms + 10);
}

/* A seat that has decided in secret waits for the others, and its clock stands. */
TEST(test_sealed)
{
    char words[64];
    begin("mall-world", 3, &each);
    bad("- 0 sealed 0", "bad-sealed");
    play_until_together();
    uint32_t seats = replay_simultaneous(&roll.replay);
    unsigned first = (seats & 1) != 0 ? 0 : 1;
    unsigned last = (seats >> 2 & 1) != 0 ? 2 : 1;
    int64_t now = writer.elapsed_ms;
    snprintf(words, sizeof words, "- %lld sealed %u", (long long)now + 1000, first);
    good(words);
    bad(words, "bad-sealed");
    assert_int_equal(left_ms(first), 4000);
    snprintf(words, sizeof words, "- %lld timeout %u", (long long)now + 5000, first);
    bad(words, "bad-timeout");
    snprintf(words, sizeof words, "- %lld sealed %u", (long long)now + 5000, last);
    bad(words, "time-is-up");
    assert_int_equal(replay_timed_out(&roll.replay, now + 5000), seats & ~(1u << first));
    for (unsigned seat = first + 1; seat <= last; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        snprintf(words, sizeof words, "- %lld timeout %u", (long long)now + 5000, seat);
        good(words);
    }
    ply_at(now + 6000);
    assert_int_equal(roll.replay.sealed & (1u << first), 0);
    bad("- 999999 fallback 4", "unknown-seat");
    assert_true(roll.replay.together);
    bad("- 999999 stop pause", "bad-stop");
    end();
}

/* ---- Presence ---- */

TEST(test_return)
{
    begin("shinjuku", 3, &none);
    bad("- 0 return 1", "bad-return");
    bad("- 0 return 3", "bad-return");
    good("- 0 fallback 1");
    good("- 5 return 1");
    bad("- 5 return 1", "bad-return");
    play_until(1);
    roll_ply(&writer);
    assert_int_equal(roll.replay.fallback, 0);
    finish();
    assert_valid();
    end();
}

TEST(test_substitutes)
{
    struct record_fault fault;
    begin("shinjuku", 2, &none);
    good("- 1 substitute 1 0190163d-8694-739b-aea5-966c26f8adf0 Jo%20%C3%89. "
         "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    assert_string_equal(roll.replay.header.seat[1].name, "Jo \xc3\x89.");
    assert_true(roll.replay.header.seat[1].has_key);
    assert_int_equal(roll.replay.header.seat[1].key[0], 0xd7);
    /* Without the secret, too: who sits there now is known from the lines alone. */
    assert_int_equal(replay_verify(roll_span(&roll), NULL, &proved, &fault), REPLAY_UNFINISHED);
    assert_string_equal(proved.header.seat[1].player, "0190163d-8694-739b-aea5-966c26f8adf0");
    assert_string_equal(proved.header.seat[1].name, "Jo \xc3\x89.");
    assert_int_equal(proved.header.seat[1].key[31], 0x1a);
    bad("- 1 substitute 1 0190163d-8694-739b-aea5-966c26f8adf0 Jo -", "bad-substitute");
    bad("- 1 substitute 0 0190163d-8694-739b-aea5-966c26f8adf0 Jo -", "bad-substitute");
    bad("- 1 substitute 2 0190163d-8694-739b-aea5-966c26f8adf1 Jo -", "bad-substitute");
    good("- 1 forfeit 0");
    bad("- 1 substitute 0 0190163d-8694-739b-aea5-966c26f8adf1 Jo -", "bad-substitute");
    finish();
    assert_valid();
    assert_string_equal(proved.header.seat[1].name, "Jo \xc3\x89.");
    end();
}

TEST(test_long_names_of_substitutes)
{
    struct record_entry entry = {.kind = RECORD_SUBSTITUTE, .subject = 1};
    begin("shinjuku", 2, &none);
    memcpy(entry.player.player, "0190163d-8694-739b-aea5-966c26f8adf0", RECORD_ID_LENGTH);
    for (size_t i = 0; i < 64; i++)
        memcpy(entry.player.name + 2 * i, "\xc3\x89", 2);
    entry.player.has_key = true;
    writer.elapsed_ms = 999999999999999;
    assert_false(roll_add(&writer, &entry)); /* 513 bytes and more */
    entry.player.name[2 * 56] = '\0';
    assert_true(roll_add(&writer, &entry));
    end();
}

/* A house player decides for a seat until it is replaced. Decisions begin behind the last ply. */
TEST(test_house_players)
{
    static const char *const none_of_them[] = {
        "1 - 1 house 1 regular 0",  "1 - 1 house 1 regular 4294967296",
        "1 - 1 house 1 Regular 1",  "1 - 1 house 1 abcdefghijklmnopq 1",
        "1 - 1 house 1 regular",    "1 - 1 house 1 regular 01",
        "1 - 1 house 1 regular 1 1"};
    uint8_t began[32];
    struct record_entry entry;
    struct record_fault fault;
    for (size_t i = 0; i < sizeof none_of_them / sizeof *none_of_them; i++)
        assert_false(record_read_entry(span_of(none_of_them[i]), &entry, &fault));
    begin("shinjuku", 2, &none);
    assert_memory_equal(roll.replay.decided_at, roll.replay.head, sizeof began);
    memcpy(began, roll.replay.head, sizeof began);
    good("- 1 house 1 regular 1");
    assert_string_equal(roll.replay.house[1].level, "regular");
    assert_int_equal(roll.replay.house[1].version, 1);
    assert_int_equal(roll.replay.house[0].version, 0);
    assert_memory_equal(roll.replay.decided_at, began, sizeof began);
    bad("- 1 house 1 regular 1", "bad-house");
    bad("- 1 house 2 regular 1", "bad-house");
    good("- 1 house 1 regular 4294967295");
    good("- 1 stop pause");
    good("- 2 house 1 casual 1");
    good("- 2 resume");
    roll_ply(&writer);
    if (!roll.replay.together)
        assert_memory_equal(roll.replay.decided_at, roll.replay.head, sizeof began);
    good("- 9999 substitute 1 0190163d-8694-739b-aea5-966c26f8adf0 Jo -");
    assert_int_equal(roll.replay.house[1].version, 0);
    good("- 9999 forfeit 0");
    bad("- 9999 house 0 regular 1", "bad-house");
    finish();
    assert_valid();
    end();
}

/* Seats that forfeit rank below all that play on, later ones above earlier ones; scores are those
 * of the game with fallback moves. */
TEST(test_forfeits_rank_last)
{
    struct outcome outcome;
    struct outcome plain;
    begin("shinjuku", 4, &none);
    for (unsigned i = 0; i < 60; i++)
        ply_at(writer.elapsed_ms + 10);
    while (deciders() == 1u << 2)
        roll_ply(&writer);
    char words[32];
    snprintf(words, sizeof words, "- %lld forfeit 2", (long long)writer.elapsed_ms);
    good(words);
    bad(words, "bad-forfeit");
    words[strlen(words) - 1] = '4';
    bad(words, "bad-forfeit");
    while (replay_simultaneous(&roll.replay) != 0 || roll_due(&writer) || deciders() == 1u << 0)
        if (deciders() == 1u << 0)
            roll_ply(&writer);
    words[strlen(words) - 1] = '0';
    good(words);
    bad("- 999999 return 0", "bad-return");
    finish();
    assert_valid();
    replay_outcome(&proved, &outcome);
    proved.header.game->outcome(proved.header.game, proved.state, &plain);
    assert_memory_equal(outcome.score, plain.score, sizeof outcome.score);
    assert_int_equal(outcome.rank[2], 4);
    assert_int_equal(outcome.rank[0], 3);
    bool level = plain.rank[1] == plain.rank[3];
    assert_int_equal(outcome.rank[1], plain.rank[1] <= plain.rank[3] ? 1 : 2);
    assert_int_equal(outcome.rank[3], level || plain.rank[3] < plain.rank[1] ? 1 : 2);
    end();
}

TEST(test_all_forfeit)
{
    struct outcome outcome;
    begin("shinjuku", 2, &none);
    good("- 0 forfeit 1");
    good("- 0 forfeit 0");
    assert_true(roll_due(&writer)); /* fallback moves to the end */
    finish();
    assert_valid();
    replay_outcome(&proved, &outcome);
    assert_int_equal(outcome.rank[0], 1);
    assert_int_equal(outcome.rank[1], 2);
    end();
}

TEST(test_the_end_comes_last)
{
    begin("shinjuku", 2, &none);
    bad("- 0 reveal 0400000000000000000000000000000000000000000000000000000000000000",
        "early-reveal");
    bad("- 0 result 0 5 1", "wrong-result");
    good("- 0 freeze " DISPUTE);
    good("- 0 ruling " DISPUTE " void" BY);
    bad("- 0 reveal 0500000000000000000000000000000000000000000000000000000000000000",
        "wrong-commitment");
    end();
}

/* ---- Disputes ---- */

TEST(test_rulings_belong_to_their_dispute)
{
    begin("shinjuku", 2, &bank);
    bad("- 0 ruling " DISPUTE " stands" BY, "stopped");
    good("- 1000 freeze " DISPUTE);
    bad("- 2000 ruling " OTHER " stands" BY, "bad-ruling");
    good("- 2000 ruling " DISPUTE " stands" BY);
    bad("- 2000 ruling " DISPUTE " forfeit 2" BY, "bad-ruling");
    bad("- 2000 ruling " DISPUTE " adjust 2 5" BY, "bad-ruling");
    bad("- 2000 reveal 0400000000000000000000000000000000000000000000000000000000000000",
        "stopped");
    assert_false(roll_due(&writer));
    good("- 3000 substitute 0 0190163d-8694-739b-aea5-966c26f8adf0 Jo -");
    good("- 4000 resume");
    assert_int_equal(left_ms(0), 59000);
    finish();
    assert_valid();
    end();
}

/* What no line could say is not written either. */
TEST(test_points_that_no_line_has)
{
    static const int32_t scores[] = {0, RECORD_POINTS_MAX + 1, -RECORD_POINTS_MAX - 1, INT32_MAX,
                                     INT32_MIN};
    struct record_entry entry = {
        .kind = RECORD_RULING, .ruling = RECORD_RULING_ADJUST, .dispute = DISPUTE, .code = "none"};
    memcpy(entry.by, DISPUTE, sizeof entry.by);
    begin("shinjuku", 2, &none);
    good("- 0 freeze " DISPUTE);
    good("- 0 ruling " DISPUTE " adjust 0 -1" BY);
    for (size_t i = 0; i < sizeof scores / sizeof scores[0]; i++) {
        entry.score = scores[i];
        assert_false(roll_add(&writer, &entry));
    }
    entry.score = 1;
    assert_true(roll_add(&writer, &entry));
    end();
}

TEST(test_points)
{
    struct outcome outcome;
    struct outcome plain;
    begin("shinjuku", 2, &none);
    good("- 0 freeze " DISPUTE);
    good("- 0 ruling " DISPUTE " adjust 0 999999" BY);
    bad("- 0 ruling " DISPUTE " adjust 0 2" BY, "bad-ruling");
    good("- 0 ruling " DISPUTE " adjust 0 1" BY);
    good("- 0 ruling " DISPUTE " adjust 1 -1000000" BY);
    bad("- 0 ruling " DISPUTE " adjust 1 -1" BY, "bad-ruling");
    good("- 0 resume");
    finish();
    assert_valid();
    replay_outcome(&proved, &outcome);
    proved.header.game->outcome(proved.header.game, proved.state, &plain);
    assert_int_equal(outcome.score[0], plain.score[0] + 1000000);
    assert_int_equal(outcome.score[1], plain.score[1] - 1000000);
    assert_int_equal(outcome.rank[0], 1);
    assert_int_equal(outcome.rank[1], 2);
    end();
}

TEST(test_forfeit_by_ruling)
{
    struct outcome outcome;
    begin("shinjuku", 2, &none);
    good("- 0 freeze " DISPUTE);
    good("- 0 ruling " DISPUTE " forfeit 0" BY);
    bad("- 0 ruling " DISPUTE " forfeit 0" BY, "bad-ruling");
    good("- 0 resume");
    finish();
    assert_valid();
    replay_outcome(&proved, &outcome);
    assert_int_equal(outcome.rank[0], 2);
    assert_int_equal(outcome.rank[1], 1);
    end();
}

/* A void game is over: its secret is shown, and there are no results. */
TEST(test_void)
{
    begin("shinjuku", 2, &none);
    ply_at(10);
    good("- 20 freeze " DISPUTE);
    good("- 20 ruling " DISPUTE " void" BY);
    bad("0 30 income", REFUSAL_GAME_OVER);
    bad("- 30 stop server", REFUSAL_GAME_OVER);
    finish();
    roll.bytes[roll.length] = '\0';
    assert_null(strstr(roll.bytes, " result "));
    assert_valid();
    assert_true(proved.voided);
    end();
}

/* Before the secret is shown, a game that is over can still be disputed. */
TEST(test_disputes_after_the_end)
{
    begin("supermarche", 1, &none);
    while (roll.replay.phase == REPLAY_PLAYING)
        ply_at(writer.elapsed_ms + 10);
    uint32_t last = roll.replay.seq;
    char words[200];
    bad("- 100000 fallback 0", REFUSAL_GAME_OVER);
    bad("- 100000 forfeit 0", REFUSAL_GAME_OVER);
    good("- 100000 freeze " DISPUTE);
    snprintf(words, sizeof words, "- 100000 ruling " DISPUTE " takeback %u%s" BY, (unsigned)last,
             roll.replay.drawn_seq >= last ? " rekey" : "");
    good(words);
    assert_int_equal(roll.replay.phase, REPLAY_PLAYING);
    good("- 100000 resume");
    finish();
    bad("- 200000 freeze " DISPUTE, REFUSAL_GAME_OVER);
    assert_valid();
    end();
}

/* Fallback moves that are due come before anything else. */
TEST(test_quiet_moves_come_first)
{
    begin("shinjuku", 2, &none);
    good("- 0 fallback 0");
    bad("- 0 freeze " DISPUTE, "bad-freeze");
    bad("- 0 return 0", "bad-return");
    bad("- 0 stop server", "bad-stop");
    bad("- 0 forfeit 1", "bad-forfeit");
    assert_true(roll_due(&writer));
    end();
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
