/* Drawing and shuffling, the only use of chance; and the lobby. */
#ifndef TILLROLL_MALL_WORLD_PILES_H
#define TILLROLL_MALL_WORLD_PILES_H

#include "engine/game/chance.h"
#include "engine/game/game.h"
#include "engine/games/mall-world/state.h"

/* Shuffles all approval cards into the stack. */
void mall_world_build_stack(const struct mall_world_components *set, struct mall_world_state *state,
                            const struct chance *chance);

/* Shuffles use orders and rent orders, and stacks them; with three seats some of each kind are
 * returned to the box unseen. */
void mall_world_build_orders(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance);

/* Shuffles the special orders and deals one to each seat. */
void mall_world_deal_special_orders(const struct mall_world_components *set,
                                    struct mall_world_state *state, const struct chance *chance);

/* Draws an approval card; shuffles the discard pile when the stack is empty. NONE if no card is
 * left. */
uint8_t mall_world_draw_card(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance);

/* The same for a card that everyone sees. */
uint8_t mall_world_turn_card_up(const struct mall_world_components *set,
                                struct mall_world_state *state, const struct chance *chance);

/* Puts the chips of the current round into the bureau. */
void mall_world_lay_bribes(const struct mall_world_components *set, struct mall_world_state *state,
                           const struct chance *chance);

/* Fills the display; unusable cards leave the game (specification: FILL). */
void mall_world_fill_display(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance);

void mall_world_rekey(const struct game *game, void *state, unsigned epoch,
                      const struct chance *chance);

/* See `drawn` in engine/game/game.h. */
uint32_t mall_world_drawn(const struct game *game, const void *state);

/* ---- The lobby ---- */

/* The active seat pays for the order on `site` and takes it. */
void mall_world_accept(const struct mall_world_components *set, struct mall_world_state *state,
                       unsigned site, const struct chance *chance);

/* The active seat accepts no order: its marker goes to the lobby while the stack has orders. */
void mall_world_decline(struct mall_world_state *state, bool by_itself);

/* Fills the free sites from the stack, cheapest site first. */
void mall_world_refill_lobby(const struct mall_world_components *set,
                             struct mall_world_state *state, const struct chance *chance);

/* Removes use orders until only rent orders lie in the lobby. */
void mall_world_purge_lobby(const struct mall_world_components *set, struct mall_world_state *state,
                            const struct chance *chance);

/* All markers are in the lobby: the cheapest order leaves the game. */
void mall_world_remove_cheapest(const struct mall_world_components *set,
                                struct mall_world_state *state, const struct chance *chance);

/* All markers go back to their owners. */
void mall_world_return_markers(struct mall_world_state *state);

#endif
