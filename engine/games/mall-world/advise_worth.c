/* How good a mall is for a player: what its orders count now, and a share of what they may come to
 * count with shops that stand ready. */
#include "engine/games/mall-world/advise.h"

/* CHF for each shop or pair that needs one chip more, or two. */
enum { RENT_PROSPECT = 700, PAIR_PROSPECT = 3500, FAR_PAIR_PROSPECT = 900, SITE_PROSPECT = 150 };

static unsigned neighbours(rooms a, rooms b)
{
    return mall_world_room_count(mall_world_neighbours(a) & b);
}

/* Of each chain store at most as many shops as there are chips. */
static int32_t rent_prospect(const struct mall_world_state *state, unsigned chain)
{
    const struct mall_world_chain *store = &mall_world_chains[chain];
    unsigned ready = mall_world_room_count(mall_world_vacant(state, store->use));
    unsigned chips = mall_world_chips_left(state, store->group);
    return (int32_t)(ready < chips ? ready : chips) * RENT_PROSPECT;
}

static int32_t special_prospect(const struct mall_world_state *state, unsigned a, unsigned b)
{
    rooms first = mall_world_chain_rooms(state, a);
    rooms second = mall_world_chain_rooms(state, b);
    rooms first_ready = mall_world_vacant(state, mall_world_chains[a].use);
    rooms second_ready = mall_world_vacant(state, mall_world_chains[b].use);
    unsigned near = neighbours(first, second_ready) + neighbours(second, first_ready);
    return (int32_t)near * PAIR_PROSPECT +
           (int32_t)neighbours(first_ready, second_ready) * FAR_PAIR_PROSPECT;
}

static int32_t prospect(const struct mall_world_state *state, unsigned order)
{
    const struct mall_world_order *card = &mall_world_orders[order];
    if (card->kind == RENT_ORDER)
        return rent_prospect(state, card->first) + rent_prospect(state, card->second);
    if (card->kind == SPECIAL_ORDER)
        return special_prospect(state, card->first, card->second);
    rooms empty = mall_world_empty(state);
    return (int32_t)(neighbours(mall_world_vacant(state, card->first), empty) +
                     neighbours(mall_world_vacant(state, card->second), empty)) *
           SITE_PROSPECT;
}

static int32_t orders_worth(const struct mall_world_state *state, uint32_t orders)
{
    int32_t worth = 0;
    for (unsigned order = 0; order < ORDERS; order++)
        if ((orders >> order & 1) != 0)
            worth += mall_world_income(state, order) + prospect(state, order);
    return worth;
}

int32_t mall_world_worth(const struct sight *sight, const struct mall_world_state *state)
{
    const struct mall_world_state *seen = &sight->state;
    int32_t worth = orders_worth(state, seen->held[sight->seat] | seen->confirmed[sight->seat]);
    int32_t rivals = 0;
    int32_t theirs = 0;
    for (unsigned seat = 0; seat < seen->seats; seat++) {
        if (seat == sight->seat)
            continue;
        rivals++;
        theirs += orders_worth(state, seen->confirmed[seat]);
    }
    return rivals == 0 ? worth : worth - theirs / rivals;
}

int32_t mall_world_gain(const struct sight *sight, struct realization realization)
{
    struct mall_world_state after = sight->state;
    rooms room = mall_world_room(realization.square);
    if (realization.lets)
        after.chip[realization.what] |= room;
    else
        after.tile[realization.what] |= room;
    return mall_world_worth(sight, &after) - mall_world_worth(sight, &sight->state);
}

static int32_t best_of_rooms(const struct sight *sight, struct realization realization, rooms sites,
                             int32_t best)
{
    while (sites != 0) {
        realization.square = mall_world_next_room(&sites);
        int32_t gain = mall_world_gain(sight, realization);
        best = gain > best ? gain : best;
    }
    return best;
}

int32_t mall_world_best_gain(const struct sight *sight, unsigned card)
{
    const struct mall_world_card *type = &mall_world_cards[card];
    int32_t best = IMPOSSIBLE;
    for (unsigned which = 0; which < mall_world_card_uses(card); which++)
        best = best_of_rooms(sight, (struct realization){(uint8_t)card, false, type->use[which], 0},
                             mall_world_building_sites(&sight->state, card, which), best);
    for (unsigned i = 0; i < type->chain_count; i++) {
        uint8_t group = mall_world_chains[type->chain[i]].group;
        best = best_of_rooms(sight, (struct realization){(uint8_t)card, true, group, 0},
                             mall_world_letting_sites(&sight->state, type->chain[i]), best);
    }
    return best;
}
