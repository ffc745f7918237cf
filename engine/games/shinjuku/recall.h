/* What viewers remember of hands, and positions as a viewer may imagine them.
 *
 *      hand = known             everybody saw these cards go there (from the Queue)
 *           + older             drawn unseen, before the discards were last shuffled
 *           + the rest          drawn unseen since then, from the same pile as those still in it
 *
 * The draw pile was made of open discards, so a viewer knows the older cards of all unseen hands
 * taken together: `older` cards and the rest are redealt separately. Cards of a ward are alike: a
 * payment uses a known card first, then an older one. If a viewer cannot tell which it was (two or
 * more hands have older cards), its bit is set in `blurred`, and all unseen cards are treated as
 * one group until the next shuffle.
 */
#ifndef TILLROLL_SHINJUKU_RECALL_H
#define TILLROLL_SHINJUKU_RECALL_H

#include "engine/game/game.h"
#include "engine/games/shinjuku/state.h"

/* Call when a card goes into the seat's hand in the open. */
void shinjuku_recall_taken(struct shinjuku_state *state, unsigned seat, uint8_t ward);

/* Call before the active seat pays with a card. */
void shinjuku_recall_paid(struct shinjuku_state *state, uint8_t ward);

/* Call when the draw pile is empty, before the discards are shuffled. */
void shinjuku_recall_shuffled(struct shinjuku_state *state);

/* Puts a card of `ward` from a hand, where nobody has seen it, in the place of a card of the draw
 * pile. False if there is none that could be there. */
bool shinjuku_exchange(struct shinjuku_state *state, uint8_t *card, uint8_t ward);

/* See `imagine` and `fit` in engine/game/game.h. */
void shinjuku_imagine(const struct game *game, void *state, struct viewer viewer,
                      const struct chance *chance);
void shinjuku_fit(const struct game *game, void *state, unsigned seat, struct span move,
                  const struct chance *chance);

#endif
