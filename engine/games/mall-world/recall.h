/* What viewers remember of hands, and positions as a viewer may imagine them.
 *
 * Approval cards come into a hand unseen when the game begins, and openly after that: `known`
 * counts the cards of a hand that everyone saw go there. Cards of a type are alike: when one leaves
 * the hand, a known one goes first. A seat that passes the progress action without having offered
 * or confirmed reveals what it does not hold: types that its unseen cards cannot be are `barred`.
 * If it has no coin left, and so cannot offer a single card, it has at most one card of the types
 * in `single`. (Of several such sets the last is kept.)
 *
 * Coins are paid and earned in the open, and orders are accepted in the open, so only the special
 * order that each seat was dealt has to be imagined.
 */
#ifndef TILLROLL_MALL_WORLD_RECALL_H
#define TILLROLL_MALL_WORLD_RECALL_H

#include "engine/game/game.h"
#include "engine/games/mall-world/state.h"

/* Call before `count` cards leave the active seat's hand in the open. */
void mall_world_recall_left(struct mall_world_state *state, unsigned card, unsigned count);

/* Call when the active seat passes the progress action. */
void mall_world_recall_passed(const struct mall_world_components *set,
                              struct mall_world_state *state);

/* A card of type `card` is turned up from the stack: puts it on top, from a hand where nobody has
 * seen it. False if it cannot come from the stack. */
bool mall_world_exchange(const struct mall_world_components *set, struct mall_world_state *state,
                         uint8_t card, const struct chance *chance);

/* See `imagine` and `fit` in engine/game/game.h. */
void mall_world_imagine(const struct game *game, void *state, struct viewer viewer,
                        const struct chance *chance);
void mall_world_fit(const struct game *game, void *state, unsigned seat, struct span move,
                    const struct chance *chance);

#endif
