/* For the tests of Supermarché: a position from the set-up lines of a worked case. */
#ifndef TILLROLL_TESTS_ENGINE_GAMES_SUPERMARCHE_SUPERMARCHE_POSITION_H
#define TILLROLL_TESTS_ENGINE_GAMES_SUPERMARCHE_SUPERMARCHE_POSITION_H

#include <string.h>

#include "engine/games/supermarche/rules.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, set by the tests that include this. */
static const struct game *game;

struct position {
    struct supermarche_state state;
    struct chance_stacks stacks; /* the dice that the lines fix */
    struct chance chance;
};

static inline void load_position(struct position *position, const char *text)
{
    memset(position, 0, sizeof *position);
    position->chance.stacks = &position->stacks;
    load_with(game, &position->state, sizeof position->state, text, &position->stacks,
              &position->chance);
}

/* Plays moves parted by ` | `; each must be legal. */
static inline void play_moves(struct position *position, const char *moves)
{
    while (*moves != '\0') {
        const char *end = strstr(moves, " | ");
        size_t length = end == NULL ? strlen(moves) : (size_t)(end - moves);
        struct refusal refusal = {"", ""};
        if (!supermarche_play(game, &position->state, 0, (struct span){moves, length},
                              &position->chance, &refusal))
            fail_msg("%.*s: %s", (int)length, moves, refusal.code);
        moves += length + (end == NULL ? 0 : 3);
    }
}

#endif
