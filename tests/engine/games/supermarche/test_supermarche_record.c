/* Records of a game with one seat: a header with a single seat line, one result, a score below
 * zero, and a seat whose fallback moves are played until the end. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/rules.h"
#include "engine/record/replay.h"
#include "tests/engine/games/supermarche/rule_of_thumb.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct supermarche_components *set;

enum { RECORD_MAX = 64 * 1024 };

static const char game_id[] = "01890a5d-ac96-774b-bcce-b302099a8057";

struct roll {
    struct text text;
    char bytes[RECORD_MAX];
    struct text line; /* the next one */
    char line_bytes[RECORD_LINE_MAX];
    struct replay replay;
};

static void keep_line(struct roll *roll)
{
    text_add_span(&roll->text, text_span(&roll->line));
    text_add_char(&roll->text, '\n');
    text_clear(&roll->line);
}

FIXTURE(start_up)
{
    return sodium_init() < 0;
}

/* The header of a game for one, written and read back. */
static void begin_roll(struct roll *roll, uint8_t secret, uint8_t difficulty)
{
    struct record_header header = {.game = catalog_newest(span_of("supermarche")),
                                   .options = {{difficulty}},
                                   .seats = 1,
                                   .start = "2026-11-20T15:04:05.123Z"};
    struct record_fault fault;
    uint8_t bytes[32];
    uint8_t hash[32];
    memset(bytes, secret, sizeof bytes);
    memcpy(header.game_id, game_id, sizeof game_id);
    memcpy(header.seat[0].player, game_id, sizeof game_id);
    strcpy(header.seat[0].name, "Grocer");
    record_commitment(span_of(game_id), bytes, header.commitment);
    roll->text = TEXT_OVER(roll->bytes);
    roll->line = TEXT_OVER(roll->line_bytes);
    record_print_header(&header, &roll->text, hash);
    text_add_char(&roll->text, '\n');
    struct span rest = text_span(&roll->text);
    if (!replay_begin(&roll->replay, NULL, &rest, bytes, &fault))
        fail_msg("line %u: %s", (unsigned)fault.line, fault.message);
    assert_int_equal(roll->replay.header.seats, 1);
    assert_int_equal(roll->replay.header.options.value[0], difficulty);
}

static void play_by_rule_of_thumb(struct roll *roll, unsigned plies)
{
    for (; plies > 0 && roll->replay.phase == REPLAY_PLAYING; plies--) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        struct refusal refusal;
        supermarche_plan(set, (const struct supermarche_state *)(const void *)roll->replay.state,
                         &move);
        assert_true(replay_add_ply(&roll->replay, 0, text_span(&move), 5, &roll->line, &refusal));
        keep_line(roll);
    }
}

static void add_due_lines(struct roll *roll)
{
    while (replay_add_due(&roll->replay, 7, true, &roll->line))
        keep_line(roll);
    assert_int_equal(roll->replay.phase, REPLAY_FINISHED);
}

static void assert_valid(const struct roll *roll, struct outcome *outcome)
{
    static struct replay proved;
    struct record_fault fault;
    if (replay_verify(text_span(&roll->text), NULL, &proved, &fault) != REPLAY_VALID)
        fail_msg("line %u: %s", (unsigned)fault.line, fault.message);
    assert_memory_equal(proved.state, roll->replay.state, sizeof(struct supermarche_state));
    proved.header.game->outcome(proved.header.game, proved.state, outcome);
}

TEST(test_a_record_of_one_seat)
{
    static struct roll roll;
    unsigned complete = 0;
    for (uint8_t secret = 0; secret < 6; secret++) {
        struct outcome outcome;
        begin_roll(&roll, secret, 0);
        play_by_rule_of_thumb(&roll, UINT32_MAX);
        add_due_lines(&roll);
        assert_valid(&roll, &outcome);
        complete += outcome.score[0] >= 0;
    }
    assert_true(complete > 0);
}

/* Fallback moves buy nothing, so the shop closes down: a score of -1. */
TEST(test_an_absent_seat_plays_quiet_moves_to_the_end)
{
    static struct roll roll;
    struct outcome outcome;
    struct refusal refusal;
    begin_roll(&roll, 9, 2);
    play_by_rule_of_thumb(&roll, 3);
    assert_true(replay_add_fallback(&roll.replay, 0, 6, &roll.line, &refusal));
    keep_line(&roll);
    add_due_lines(&roll);
    assert_valid(&roll, &outcome);
    assert_int_equal(outcome.score[0], -1);
    assert_int_equal(outcome.rank[0], 1);
    assert_non_null(strstr(roll.bytes, " result 0 -1 1 #"));
    assert_null(strstr(roll.bytes, " result 1 "));
}

TEST(test_another_seat_cannot_play)
{
    static struct roll roll;
    struct refusal refusal;
    begin_roll(&roll, 1, 1);
    assert_false(replay_add_ply(&roll.replay, 1, span_of("buy done"), 5, &roll.line, &refusal));
    assert_string_equal(refusal.code, "not-your-turn");
    assert_false(replay_add_fallback(&roll.replay, 1, 5, &roll.line, &refusal));
    assert_string_equal(refusal.code, "unknown-seat");
    assert_int_equal(roll.line.length, 0);
}

/* A second seat line has no place in the header of this game. */
TEST(test_a_second_seat_is_refused)
{
    struct record_header header = {.game = catalog_newest(span_of("supermarche")),
                                   .seats = 2,
                                   .start = "2026-11-20T15:04:05.123Z"};
    static char bytes[RECORD_MAX];
    struct text text = TEXT_OVER(bytes);
    struct record_fault fault;
    uint8_t hash[32];
    uint32_t lines = 0;
    memcpy(header.game_id, game_id, sizeof game_id);
    for (unsigned seat = 0; seat < 2; seat++) {
        memcpy(header.seat[seat].player, game_id, sizeof game_id);
        strcpy(header.seat[seat].name, "Grocer");
    }
    record_print_header(&header, &text, hash);
    struct span rest = text_span(&text);
    assert_false(record_read_header(&rest, &header, hash, &lines, &fault));
    assert_non_null(strstr(fault.message, "seat"));
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
