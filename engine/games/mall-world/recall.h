/* What is remembered of hands, and positions as a viewer may imagine them.
 *
 * Approval cards come into a hand unseen when the game begins, and openly after that: `known` are
 * those of a hand that everybody saw go there. Cards of a type are alike: of those that might have
 * been offered or removed the known one goes. A seat that passes the progress action without having
 * offered or confirmed tells what it does not hold: types that its unseen cards cannot be are
 * `barred`, and with no coin left, for want of which a single card is not offered, it can have one
 * card at most of the types in `single`. (Of several such sets the last is kept.)
 *
 * Coins are paid and earned in the open, and orders are accepted in the open: of both there is
 * nothing to imagine, but the special order that each seat was dealt. */
#ifndef TILLROLL_MALL_WORLD_RECALL_H
#define TILLROLL_MALL_WORLD_RECALL_H

#include "engine/game/game.h"
#include "engine/games/mall-world/state.h"

/* `count` cards leave the active seat's hand in the open; they are still in it. */
void mall_world_recall_left(struct mall_world_state *state, unsigned card, unsigned count);

/* The active seat passes the progress action. */
void mall_world_recall_passed(struct mall_world_state *state);

/* See `imagine` in engine/game/game.h. */
void mall_world_imagine(void *state, struct viewer viewer, const struct chance *chance);

#endif
