/* What viewers remember of hands, and positions as a viewer may imagine them.
 *
 * All cards that a seat owns are open, and so are its discards. When its draw pile is empty and the
 * discards are shuffled, all other cards are in its hand: everyone knows them from then on, as well
 * as cards bought to the hand. Equal cards have no identity: a known one is played first.
 */
#ifndef TILLROLL_SUPER_MOTHERLOAD_RECALL_H
#define TILLROLL_SUPER_MOTHERLOAD_RECALL_H

#include "engine/game/game.h"
#include "engine/games/super-motherload/state.h"

/* Call when a card goes into the seat's hand in the open. */
void motherload_recall_taken(struct motherload_state *state, unsigned seat, unsigned card);

/* Call before `count` cards leave the active seat's hand in the open. */
void motherload_recall_left(struct motherload_state *state, unsigned card, unsigned count);

/* Call when the seat's draw pile is empty, before its discards are shuffled. */
void motherload_recall_shuffled(struct motherload_state *state, unsigned seat);

/* See `imagine` in engine/game/game.h. */
void motherload_imagine(void *state, struct viewer viewer, const struct chance *chance);

#endif
