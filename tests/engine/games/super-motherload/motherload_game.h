/* For the tests of Super Motherload: games from their setup on, played by move, at random or by
 * advice. */
#ifndef TILLROLL_TESTS_ENGINE_GAMES_SUPER_MOTHERLOAD_MOTHERLOAD_GAME_H
#define TILLROLL_TESTS_ENGINE_GAMES_SUPER_MOTHERLOAD_MOTHERLOAD_GAME_H

#include <string.h>

#include "engine/games/super-motherload/rules.h"
#include "engine/search/policy.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, set by the tests that include this. */
static const struct game *game;

/* `options`: bit 0 for decks=seat, bit 1 for sides=drawn. */
static inline void begin_game(struct motherload_state *state, unsigned seats, unsigned options,
                              uint8_t seed)
{
    struct chance chance = chance_of(seed);
    struct game_options chosen = {{0}};
    chosen.value[OPTION_DECKS] = (uint8_t)(options & 1);
    chosen.value[OPTION_SIDES] = (uint8_t)(options >> 1 & 1);
    memset(state, 0, sizeof *state);
    game->setup(game, state, seats, &chosen, &chance);
}

static inline void play(struct motherload_state *state, const char *move)
{
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    if (!game->play(game, state, state->active, span_of(move), &chance, &refusal))
        fail_msg("%s was refused: %s", move, refusal.code);
}

typedef void inspect_position(const struct motherload_state *state, const struct move_list *legal,
                              const struct chance *chance);

/* Picks seat 0's moves by advice if `advised`, all others at random but the same in every run;
 * shows every position on the way to `inspect`. */
static inline void play_through(struct motherload_state *state, uint8_t seed, bool advised,
                                inspect_position *inspect)
{
    struct chance chance = chance_of(seed);
    struct chance_stream choice;
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    chance_open(&choice, &chance, "test", 0);
    while (game->deciders(state) != 0) {
        move_list_clear(&legal);
        game->legal(game, state, state->active, &legal);
        inspect(state, &legal, &chance);
        size_t i = chance_uniform(&choice, (uint32_t)legal.count);
        if (advised && state->active == 0) {
            i = policy_advise(game, state, 0, &legal);
            assert_true(i < legal.count);
        }
        struct refusal refusal = {"", ""};
        struct span move = move_list_get(&legal, i);
        if (!game->play(game, state, state->active, move, &chance, &refusal))
            fail_msg("%s was refused: %s", move.at, refusal.code);
    }
    move_list_free(&legal);
}

#endif
