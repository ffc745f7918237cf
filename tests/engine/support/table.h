/* A game in progress, for tests: the ruleset, the choices made before it, its luck and its state.
 * The bytes behind the state are a fence: a game that writes there is found out. */
#ifndef TILLROLL_TESTS_TABLE_H
#define TILLROLL_TESTS_TABLE_H

#include "engine/game/game.h"

enum { TABLE_FENCE = 64 };

struct table {
    const struct game *game;
    unsigned seats;
    struct game_options options;
    struct chance chance;
    _Alignas(8) unsigned char state[GAME_STATE_MAX + TABLE_FENCE];
};

/* Sets up game `number` of a ruleset; `number` is its seed. */
void table_set(struct table *table, const struct game *game, unsigned seats,
               const struct game_options *options, uint32_t number);

/* True if nothing was written behind the state. */
bool table_fence_stands(const struct table *table);

/* The next combination of option values after `options`. False after the last one. */
bool table_next_options(const struct game *game, struct game_options *options);

/* How many combinations of seats and option values a ruleset has. */
size_t table_combinations(const struct game *game);

/* A list with room for more and longer moves than the game's bounds allow, so that a game that
 * exceeds them is found out instead of ending the program. Ends the program when memory is short.
 */
void table_list_init(struct move_list *list, const struct game *game);

/* Refills `list` with the legal moves of `seat`. */
void table_legal(const struct game *game, const void *state, unsigned seat, struct move_list *list);

/* The moves of a game in their order. */
struct played {
    unsigned seat;
    unsigned length;
    char move[GAME_MOVE_MAX + 1];
};

struct span played_move(const struct played *played);

#endif
