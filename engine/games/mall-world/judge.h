/* What orders are worth to a player: what they count now, and a share of what they may count with
 * the shops in place. */
#ifndef TILLROLL_MALL_WORLD_JUDGE_H
#define TILLROLL_MALL_WORLD_JUDGE_H

#include "engine/games/mall-world/state.h"

/* CHF that an order may count one day, with the shops in place. */
int32_t mall_world_prospect(const struct mall_world_components *set,
                            const struct mall_world_state *state, unsigned order);

/* CHF of a set of orders, bit o for order o: what they count, and their prospects. */
int32_t mall_world_orders_worth(const struct mall_world_components *set,
                                const struct mall_world_state *state, uint32_t orders);

#endif
