/* What is remembered of hands, and positions as a viewer may imagine them.
 *
 *      hand = known             everybody saw these cards go there (from the Queue)
 *           + older             drawn unseen, before the discards were last shuffled
 *           + the rest          drawn unseen since then, from the same pile as those still in it
 *
 * The draw pile was made of open discards, so which cards are the older ones, of all hands that a
 * viewer does not see taken together, is known to it: `older` and the rest are dealt anew apart.
 * Cards of a ward are alike: of those that might have been paid with, the known one goes, then the
 * older one. Where a viewer cannot tell which it was (two hands or more have older cards), its bit
 * is set in `blurred`, and it takes all unseen cards as one, until the next shuffle. */
#ifndef TILLROLL_SHINJUKU_RECALL_H
#define TILLROLL_SHINJUKU_RECALL_H

#include "engine/game/game.h"
#include "engine/games/shinjuku/state.h"

/* A card goes into the seat's hand, and everybody sees it. */
void shinjuku_recall_taken(struct shinjuku_state *state, unsigned seat, uint8_t ward);

/* The active seat is about to pay with a card. */
void shinjuku_recall_paid(struct shinjuku_state *state, uint8_t ward);

/* The draw pile is empty, and the discards are about to be shuffled. */
void shinjuku_recall_shuffled(struct shinjuku_state *state);

/* See `imagine` in engine/game/game.h. */
void shinjuku_imagine(void *state, struct viewer viewer, const struct chance *chance);

#endif
