/* Drawing: the draw pile of ward cards, the bag of customers, and the Queue they go to. */
#ifndef TILLROLL_SHINJUKU_PILES_H
#define TILLROLL_SHINJUKU_PILES_H

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/games/shinjuku/state.h"

/* Makes the draw pile of `copies[w]` cards of each ward w: all 72 cards in canonical order are
 * shuffled, and the copies that are not in the pile are removed. So the n-th shuffle of a seed is
 * the same permutation whatever was played, and tables with one seed stay comparable. */
void shinjuku_build_deck(const struct shinjuku_components *set, struct shinjuku_state *state,
                         const uint8_t copies[static WARDS], const struct chance *chance);

/* Puts all customers into the bag. */
void shinjuku_fill_bag(const struct shinjuku_components *set, struct shinjuku_state *state,
                       const struct chance *chance);

/* Takes the top card and returns its ward. If the draw pile is empty, the discard pile is shuffled
 * first; both are never empty when a card is drawn, because hands are limited. */
uint8_t shinjuku_draw_card(const struct shinjuku_components *set, struct shinjuku_state *state,
                           const struct chance *chance);

/* The same for a card that everyone sees. */
uint8_t shinjuku_turn_card_up(const struct shinjuku_components *set, struct shinjuku_state *state,
                              const struct chance *chance);

/* Takes a customer from the bag, which is not empty, and returns its kind. */
uint8_t shinjuku_draw_customer(const struct shinjuku_components *set, struct shinjuku_state *state,
                               const struct chance *chance);

/* Rulebook, The Customer Queue: a customer joins the card that holds its good, otherwise the lowest
 * one without customers. */
void shinjuku_queue_add(struct shinjuku_state *state, uint8_t kind);

/* See `rekey` in engine/game/game.h. */
void shinjuku_rekey(const struct game *game, void *state, unsigned epoch,
                    const struct chance *chance);

/* See `drawn` in engine/game/game.h. */
uint32_t shinjuku_drawn(const struct game *game, const void *state);

#endif
