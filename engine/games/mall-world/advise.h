/* The parts of the adviser: what it reads from a view, and how it judges a mall. */
#ifndef TILLROLL_MALL_WORLD_ADVISE_H
#define TILLROLL_MALL_WORLD_ADVISE_H

#include <jansson.h>

#include "engine/games/mall-world/state.h"
#include "engine/games/mall-world/turn.h"

/* Less than anything in CHF that can come of a move. */
enum { IMPOSSIBLE = -1000000 };

/* What a player sees. `state` holds no more than the view does: rivals' hands and coins, all piles
 * and bids that are sealed are empty in it. */
struct sight {
    struct mall_world_state state;
    unsigned seat; /* whose eyes */
};

/* Reads a view that was made for a seat. Fields that are missing count as empty. */
void mall_world_read_view(struct sight *sight, const json_t *view);

/* What the mall is worth to the player, in CHF: its own orders and what they may become, less what
 * rivals have confirmed. Only differences between two malls mean anything. */
int32_t mall_world_worth(const struct sight *sight, const struct mall_world_state *state);

/* How much the realisation adds to the worth of the mall. */
int32_t mall_world_gain(const struct sight *sight, struct realization realization);

/* The best gain that a card allows now, IMPOSSIBLE if it cannot be realised. */
int32_t mall_world_best_gain(const struct sight *sight, unsigned card);

#endif
