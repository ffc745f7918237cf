#include "engine/games/mall-world/judge.h"

#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"

/* CHF for each shop or pair that needs one more chip, or two */
enum { RENT_PROSPECT = 700, PAIR_PROSPECT = 3500, FAR_PAIR_PROSPECT = 900, SITE_PROSPECT = 150 };

static unsigned neighbours(const struct mall_world_components *set, rooms a, rooms b)
{
    return mall_world_room_count(mall_world_neighbours(set, a) & b);
}

/* For each chain store at most as many shops as there are chips. */
static int32_t rent_prospect(const struct mall_world_components *set,
                             const struct mall_world_state *state, unsigned chain)
{
    const struct mall_world_chain *store = &set->chains[chain];
    unsigned ready = mall_world_room_count(mall_world_vacant(state, store->use));
    unsigned chips = mall_world_chips_left(state, store->group);
    return (int32_t)(ready < chips ? ready : chips) * RENT_PROSPECT;
}

static int32_t special_prospect(const struct mall_world_components *set,
                                const struct mall_world_state *state, unsigned a, unsigned b)
{
    rooms first = mall_world_chain_rooms(set, state, a);
    rooms second = mall_world_chain_rooms(set, state, b);
    rooms first_ready = mall_world_vacant(state, set->chains[a].use);
    rooms second_ready = mall_world_vacant(state, set->chains[b].use);
    unsigned near = neighbours(set, first, second_ready) + neighbours(set, second, first_ready);
    return (int32_t)near * PAIR_PROSPECT +
           (int32_t)neighbours(set, first_ready, second_ready) * FAR_PAIR_PROSPECT;
}

int32_t mall_world_prospect(const struct mall_world_components *set,
                            const struct mall_world_state *state, unsigned order)
{
    const struct mall_world_order *card = &set->orders[order];
    if (card->kind == RENT_ORDER)
        return rent_prospect(set, state, card->first) + rent_prospect(set, state, card->second);
    if (card->kind == SPECIAL_ORDER)
        return special_prospect(set, state, card->first, card->second);
    rooms empty = mall_world_empty(set, state);
    return (int32_t)(neighbours(set, mall_world_vacant(state, card->first), empty) +
                     neighbours(set, mall_world_vacant(state, card->second), empty)) *
           SITE_PROSPECT;
}

int32_t mall_world_orders_worth(const struct mall_world_components *set,
                                const struct mall_world_state *state, uint32_t orders)
{
    int32_t worth = 0;
    for (; orders != 0; orders &= orders - 1) {
        unsigned order = (unsigned)__builtin_ctz(orders);
        worth += mall_world_income(set, state, order) + mall_world_prospect(set, state, order);
    }
    return worth;
}
