/* What is remembered of hands, and positions as a viewer may imagine them.
 *
 * Which cards a seat has in all is open, and so is what it discards. When its draw pile is empty
 * and the discards are shuffled, all other cards are in its hand: everybody knows them from then
 * on, and likewise cards bought to the hand. Cards that are alike have no identity: of those that
 * might have been played the known one goes. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_RECALL_H
#define TILLROLL_SUPER_MOTHERLOAD_RECALL_H

#include "engine/game/game.h"
#include "engine/games/super-motherload/state.h"

/* A card goes into the seat's hand, and everybody sees it. */
void motherload_recall_taken(struct motherload_state *state, unsigned seat, unsigned card);

/* `count` cards leave the active seat's hand in the open; they are still in it. */
void motherload_recall_left(struct motherload_state *state, unsigned card, unsigned count);

/* The seat's draw pile is empty, and its discards are about to be shuffled. */
void motherload_recall_shuffled(struct motherload_state *state, unsigned seat);

/* See `imagine` in engine/game/game.h. */
void motherload_imagine(void *state, struct viewer viewer, const struct chance *chance);

#endif
