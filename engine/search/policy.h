/* Choosing among legal moves by the weights that the game gives them (weigh() in game.h). Integers
 * only: the same state, list and luck give the same move on every machine.
 */
#ifndef TILLROLL_ENGINE_SEARCH_POLICY_H
#define TILLROLL_ENGINE_SEARCH_POLICY_H

#include "engine/game/game.h"

enum { POLICY_SHARE_ONE = 1 << 16, POLICY_MOVES_MAX = 4096 };

/* The index of the move with the greatest weight, the first among equals. `weight` has list->count
 * entries, at least one. */
size_t policy_best(const struct move_list *list, const int32_t *weight);

/* The index of the move that a sensible player makes for `seat`: the best by weight. `list` is what
 * legal() lists, 1 to POLICY_MOVES_MAX moves. */
size_t policy_advise(const struct game *game, const void *state, unsigned seat,
                     const struct move_list *list);

/* How likely a sensible player makes each move, in shares of POLICY_SHARE_ONE for the best one: a
 * share halves with every `unit` that a move is worse, in sixteen linear steps, and is never 0. */
void policy_shares(const int32_t *weight, size_t count, int32_t unit, uint32_t *share);

/* Draws an index with these shares. `count` is at least 1 and at most 65,535. */
size_t policy_draw(const uint32_t *share, size_t count, struct chance_stream *stream);

#endif
