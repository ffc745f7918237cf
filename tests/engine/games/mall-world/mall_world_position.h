/* For the tests of Mall World: plies that must be accepted. */
#ifndef TILLROLL_TESTS_ENGINE_GAMES_MALL_WORLD_MALL_WORLD_POSITION_H
#define TILLROLL_TESTS_ENGINE_GAMES_MALL_WORLD_MALL_WORLD_POSITION_H

#include "engine/games/mall-world/rules.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, set by the tests that include this. */
static const struct game *game;

/* Plays `moves`, lines `seat> move`; all must be accepted. */
static inline void play_all(struct mall_world_state *state, const char *moves)
{
    struct chance chance = {.stacks = NULL};
    struct span rest = span_of(moves);
    struct span line;
    while (span_line(&rest, &line)) {
        struct refusal refusal = {"", ""};
        struct span move = {line.at + 3, line.length - 3};
        if (!mall_world_play(game, state, (unsigned)(line.at[0] - '0'), move, &chance, &refusal))
            fail_msg("%.*s was refused: %s", (int)line.length, line.at, refusal.code);
    }
}

#endif
