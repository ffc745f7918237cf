/* Puzzles: one in a position where it is known to be, the same whatever is hidden from its seat,
 * and none where there is nothing to choose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/puzzle.h"
#include "source_dir.h"
#include "tests/test.h"

static char record_bytes[1 << 16];
static struct replay replay;

/* The position after line 42 of a record in which `tillroll puzzles` finds one for seat 1. */
static void go_there(void)
{
    const char *path = TILLROLL_SOURCE_DIR "/tests/engine/vectors/records/07.roll";
    struct record_fault fault;
    uint8_t secret[32];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(record_bytes, 1, sizeof record_bytes, file);
    (void)fclose(file);
    struct span record = {record_bytes, length}, rest = record, line;
    assert_int_equal(replay_verify(record, NULL, &replay, &fault), REPLAY_VALID);
    memcpy(secret, replay.secret, sizeof secret);
    assert_true(replay_begin(&replay, NULL, &rest, secret, &fault));
    while (replay.seq < 42 && span_line(&rest, &line))
        assert_true(replay_line_after(
            &replay, (struct span){record.at, (size_t)(line.at - record.at)}, line, &fault));
}

TEST(test_finds_it_whatever_is_hidden)
{
    enum { SEAT = 1 };
    struct move_list legal;
    struct puzzle puzzle, again;
    struct chance luck = {.stacks = NULL};
    go_there();
    const struct game *game = replay.header.game;
    struct puzzle_finder *finder = puzzle_finder_new(game);
    assert_true(move_list_init(&legal, game));
    game->legal(game, replay.state, SEAT, &legal);
    memcpy(luck.seed, replay.head, sizeof luck.seed);
    memset(&puzzle, 0, sizeof puzzle);
    memset(&again, 0, sizeof again);
    assert_true(puzzle_find(finder, replay.state, SEAT, &luck, &legal, &puzzle));
    assert_true(puzzle.apart >= 100 * PUZZLE_APART);
    assert_int_equal(puzzle.samples, PUZZLE_SAMPLES);
    for (size_t i = 0; i < legal.count; i++)
        assert_true(i == puzzle.best || puzzle.value[i] < puzzle.value[puzzle.best]);
    /* Another position that looks the same to the seat. */
    const struct chance other = {.seed = {9}};
    game->imagine(game, replay.state, (struct viewer){VIEWER_SEAT, SEAT}, &other);
    assert_true(puzzle_find(finder, replay.state, SEAT, &luck, &legal, &again));
    assert_memory_equal(&puzzle, &again, sizeof puzzle);
    move_list_free(&legal);
    puzzle_finder_free(finder);
}

TEST(test_needs_a_choice)
{
    struct move_list legal;
    struct puzzle puzzle;
    const struct chance luck = {.stacks = NULL};
    go_there();
    struct puzzle_finder *finder = puzzle_finder_new(replay.header.game);
    assert_true(move_list_init(&legal, replay.header.game));
    replay.header.game->legal(replay.header.game, replay.state, 1, &legal);
    assert_true(legal.count > PUZZLE_MOVES_MIN);
    size_t all = legal.count;
    for (legal.count = 0; legal.count < PUZZLE_MOVES_MIN; legal.count++)
        assert_false(puzzle_find(finder, replay.state, 1, &luck, &legal, &puzzle));
    legal.count = all;
    move_list_free(&legal);
    puzzle_finder_free(finder);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
