/* Everything random: the order of the customers and of the cost cards, and each customer's dice. */
#ifndef TILLROLL_SUPERMARCHE_LUCK_H
#define TILLROLL_SUPERMARCHE_LUCK_H

#include "engine/game/game.h"
#include "engine/games/supermarche/state.h"

/* Shuffles both decks, from the order of the component data. */
void supermarche_shuffle(const struct supermarche_components *set, struct supermarche_state *state,
                         const struct chance *chance);

/* Rolls both dice for the shopping customer. False, with nothing changed, if its dice are fixed
 * (chance_stack_find) and no roll is left. */
bool supermarche_roll(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct chance *chance);

/* The customer in a position of the row, or the cost card of the round, is turned up. `chance` may
 * be NULL. */
void supermarche_turn_customer_up(const struct supermarche_components *set,
                                  struct supermarche_state *state, unsigned position,
                                  const struct chance *chance);
void supermarche_turn_cost_up(const struct supermarche_components *set,
                              struct supermarche_state *state, const struct chance *chance);

/* Forgets the dice that were thrown ahead for the shopper. */
void supermarche_drop_dice(struct supermarche_state *state);

/* See `rekey`, `imagine` and `drawn` in engine/game/game.h. */
void supermarche_rekey(const struct game *game, void *state, unsigned epoch,
                       const struct chance *chance);
void supermarche_imagine(const struct game *game, void *state, struct viewer viewer,
                         const struct chance *chance);
uint32_t supermarche_drawn(const struct game *game, const void *state);

#endif
