/* The automatic steps between two decisions: the phases of a round and the shopping. */
#ifndef TILLROLL_SUPERMARCHE_TURN_H
#define TILLROLL_SUPERMARCHE_TURN_H

#include "engine/game/chance.h"
#include "engine/games/supermarche/state.h"

/* Takes automatic steps until there is a decision that is not forced, or the game is over. False if
 * fixed dice ran out; the state is then unusable. */
bool supermarche_advance(const struct supermarche_components *set, struct supermarche_state *state,
                         const struct chance *chance);

/* The same, but stops with the point AT_DICE when dice are to be rolled: the caller then sets the
 * dice of the shopper and calls supermarche_read_dice(). `chance` may be NULL where no luck is
 * told. */
void supermarche_advance_to_dice(const struct supermarche_components *set,
                                 struct supermarche_state *state, const struct chance *chance);

/* Moves `number` cubes to the Store; `kind` is NOTE_STOCKED or NOTE_AUTO_STOCKED. */
void supermarche_move_cubes(struct supermarche_state *state, unsigned food, unsigned box,
                            unsigned number, enum note_kind kind);

/* Ends the current DELIVERY, STOCKING or RESTOCK, or a SALE with `food` (NONE for no sale). */
void supermarche_end_phase(struct supermarche_state *state);
void supermarche_put_on_sale(struct supermarche_state *state, uint8_t food);

/* ---- Shopping trips ---- */

/* The card in this position goes shopping. */
void supermarche_serve(const struct supermarche_components *set, struct supermarche_state *state,
                       unsigned position);

/* Sells one cube of `food`, which the Store must have, to the shopper: earliest expiration
 * first. */
void supermarche_sell(const struct supermarche_components *set, struct supermarche_state *state,
                      unsigned food);

/* Continues with the dice rolled: PAY, or the only possible step. */
void supermarche_read_dice(const struct supermarche_components *set,
                           struct supermarche_state *state);

/* The shopper takes what the dice show, with a coupon or not, and leaves angry if it is missing. */
void supermarche_resolve(const struct supermarche_components *set, struct supermarche_state *state,
                         bool coupon);

/* A restock that ends the trip, or one between two trips. */
void supermarche_restock(const struct supermarche_components *set, struct supermarche_state *state);

#endif
