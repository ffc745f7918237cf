/* For the tests of Mall World: a position from the set-up lines of a worked case, and plies that
 * must be accepted. */
#ifndef TILLROLL_TESTS_MALL_WORLD_POSITION_H
#define TILLROLL_TESTS_MALL_WORLD_POSITION_H

#include <string.h>

#include "engine/games/mall-world/rules.h"

/* Lines that have no meaning fail the running test. Include cmocka.h first. */
static inline void load_position(struct mall_world_state *state, const char *text)
{
    struct case_line lines[24];
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = {.stacks = &stacks};
    char bytes[200];
    struct text error = TEXT_OVER(bytes);
    struct span rest = span_of(text);
    struct span line;
    size_t count = 0;
    while (span_line(&rest, &line)) {
        assert_true(count < sizeof lines / sizeof lines[0]);
        lines[count].key = span_word(&line);
        lines[count++].rest = line;
    }
    memset(state, 0, sizeof *state);
    if (!mall_world_load(state, lines, count, &stacks, &chance, &error))
        fail_msg("%s", bytes);
}

/* Plays `moves`, lines `seat> move`; all must be accepted. */
static inline void play_all(struct mall_world_state *state, const char *moves)
{
    struct chance chance = {.stacks = NULL};
    struct span rest = span_of(moves);
    struct span line;
    while (span_line(&rest, &line)) {
        struct refusal refusal = {"", ""};
        struct span move = {line.at + 3, line.length - 3};
        if (!mall_world_play(state, (unsigned)(line.at[0] - '0'), move, &chance, &refusal))
            fail_msg("%.*s was refused: %s", (int)line.length, line.at, refusal.code);
    }
}

#endif
