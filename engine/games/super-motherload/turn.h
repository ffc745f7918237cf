/* The automatic steps between two decisions, and the steps that plies and automatic steps share.
 * All of them act for the active seat. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_TURN_H
#define TILLROLL_SUPER_MOTHERLOAD_TURN_H

#include "engine/game/chance.h"
#include "engine/games/super-motherload/map.h"

/* Takes automatic steps until a seat has a decision that is not forced, or the game is over. */
void motherload_advance(const struct motherload_components *set, struct motherload_state *state,
                        const struct chance *chance);

/* After the first board is placed with this side: deals the rest of the table. */
void motherload_open_table(const struct motherload_components *set, struct motherload_state *state,
                           unsigned side, const struct chance *chance);

void motherload_take_deck(struct motherload_state *state, unsigned deck);

/* Spends one of the remaining actions and forgets the previous act. */
void motherload_begin_action(struct motherload_state *state);

/* After the cards of a drill are discarded: tokens and cards, then SWAP or PLACE. */
void motherload_grant_drill_bonuses(const struct motherload_components *set,
                                    struct motherload_state *state, const struct chance *chance);

/* Lays the tunnel and collects what it covers. */
void motherload_lay_tunnel(const struct motherload_components *set, struct motherload_state *state,
                           const struct motherload_tunnel *tunnel, const struct chance *chance);

/* Puts the waiting minerals, or the most valuable of them, on a stack. */
void motherload_put(struct motherload_state *state, unsigned color);

/* Adds the next depth below, with this side; the upper of two boards leaves. */
void motherload_add_board(const struct motherload_components *set, struct motherload_state *state,
                          unsigned side);

/* Buys the top card of a stack that is due. */
void motherload_buy(const struct motherload_components *set, struct motherload_state *state,
                    unsigned color, bool recruit, const struct chance *chance);

/* Buy bonus: puts a copied mineral on a stack. */
void motherload_copy(const struct motherload_components *set, struct motherload_state *state,
                     unsigned mineral, unsigned color);

#endif
