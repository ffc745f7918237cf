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

/* CHF that an order may count one day, with the shops in place. */
static int32_t mall_world_prospect(const struct mall_world_components *set,
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

/* ---- What a realisation changes ---- */

/* Adds up the four directions: in each room 0 to 4. */
static struct mall_world_beside count_beside(rooms area)
{
    const rooms a = area << 1, b = area >> 1, c = area << STRIDE, d = area >> STRIDE;
    const rooms ab = a ^ b, cd = c ^ d, both = ab & cd;
    const rooms two = a & b, other_two = c & d;
    return (struct mall_world_beside){
        {ab ^ cd, two ^ other_two ^ both, (two & other_two) | (two & both) | (other_two & both)}};
}

static inline int32_t beside(const struct mall_world_beside *count, unsigned square)
{
    return (int32_t)((count->bit[0] >> square & 1) + 2 * (count->bit[1] >> square & 1) +
                     4 * (count->bit[2] >> square & 1));
}

void mall_world_look_at_shops(const struct mall_world_components *set,
                              const struct mall_world_state *state, struct mall_world_shops *shops)
{
    const rooms empty = mall_world_empty(set, state);
    for (unsigned use = 0; use < USES; use++) {
        shops->vacant[use] = mall_world_vacant(state, use);
        shops->sites[use] = mall_world_neighbours(set, shops->vacant[use]) & empty;
        shops->shops[use] = count_beside(shops->vacant[use]);
        const rooms *bit = shops->shops[use].bit;
        shops->fresh[use] = count_beside(empty & ~shops->sites[use]);
        shops->lone[use] = count_beside(empty & bit[0] & ~bit[1]);
    }
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* A new shop may be ready for a chip. A shop that is let is no longer ready, and a chip is gone. */
static void add_chain(const struct mall_world_components *set, const struct mall_world_state *state,
                      unsigned chain, struct mall_world_ledger *ledger)
{
    const unsigned use = set->chains[chain].use, group = set->chains[chain].group;
    const int32_t ready = (int32_t)mall_world_room_count(mall_world_vacant(state, use));
    const int32_t chips = (int32_t)mall_world_chips_left(state, group);
    const int32_t now = least(ready, chips);
    ledger->built[use] += RENT_PROSPECT * (least(ready + 1, chips) - now);
    for (unsigned i = 0; i < GROUPS; i++)
        ledger->let[use][i] += RENT_PROSPECT * (least(ready - 1, chips - (i == group)) - now);
    for (unsigned i = 0; i < USES; i++)
        if (i != use)
            ledger->let[i][group] += RENT_PROSPECT * (least(ready, chips - 1) - now);
    ledger->let[use][group] += set->order_value[RENT_ORDER];
}

void mall_world_add_orders(const struct mall_world_components *set,
                           const struct mall_world_state *state, uint32_t orders,
                           struct mall_world_ledger *ledger)
{
    for (; orders != 0; orders &= orders - 1) {
        const unsigned order = (unsigned)__builtin_ctz(orders);
        const struct mall_world_order *card = &set->orders[order];
        ledger->worth +=
            mall_world_income(set, state, order) + mall_world_prospect(set, state, order);
        if (card->kind == USE_ORDER) {
            ledger->pairs[card->first][card->second]++;
            if (card->first != card->second)
                ledger->pairs[card->second][card->first]++;
            ledger->uses[card->first]++;
            ledger->uses[card->second]++;
        } else if (card->kind == RENT_ORDER) {
            add_chain(set, state, card->first, ledger);
            add_chain(set, state, card->second, ledger);
        } else {
            ledger->specials[order - SPECIAL_ORDER_FIRST]++;
            ledger->has_specials = true;
        }
    }
}

/* Pairs of the use orders that a vacant shop of the use is part of. */
static int32_t pairs_with(const struct mall_world_shops *shops,
                          const struct mall_world_ledger *ledger, unsigned use, unsigned square)
{
    int32_t count = 0;
    for (unsigned other = 0; other < USES; other++)
        if (ledger->pairs[use][other] != 0)
            count += ledger->pairs[use][other] * beside(&shops->shops[other], square);
    return count;
}

/* The room is no longer empty, and its new shop brings empty rooms within reach. */
static int32_t change_by_building(const struct mall_world_components *set,
                                  const struct mall_world_shops *shops,
                                  const struct mall_world_ledger *ledger, unsigned use,
                                  unsigned square)
{
    int32_t sites = 0;
    if (ledger->uses[use] != 0)
        sites = ledger->uses[use] * beside(&shops->fresh[use], square);
    for (unsigned i = 0; i < USES; i++)
        sites -= ledger->uses[i] * (int32_t)(shops->sites[i] >> square & 1);
    return set->order_value[USE_ORDER] * pairs_with(shops, ledger, use, square) +
           SITE_PROSPECT * sites + ledger->built[use];
}

/* A shop of the use is no longer vacant. */
static int32_t change_by_letting(const struct mall_world_components *set,
                                 const struct mall_world_shops *shops,
                                 const struct mall_world_ledger *ledger, unsigned use,
                                 unsigned group, unsigned square)
{
    return ledger->let[use][group] -
           set->order_value[USE_ORDER] * pairs_with(shops, ledger, use, square) -
           SITE_PROSPECT * ledger->uses[use] * beside(&shops->lone[use], square);
}

/* A new shop is beside shops of a chain store, and beside vacant ones. */
static int32_t special_by_building(const struct mall_world_components *set,
                                   const struct mall_world_state *state,
                                   const struct mall_world_shops *shops, unsigned order,
                                   unsigned use, unsigned square)
{
    const rooms room = mall_world_room(square);
    const unsigned first = set->orders[order].first, second = set->orders[order].second;
    const rooms first_ready = shops->vacant[set->chains[first].use];
    const rooms second_ready = shops->vacant[set->chains[second].use];
    const rooms beside_first = mall_world_neighbours(set, first_ready);
    int32_t near = 0, far = 0;
    if (set->chains[first].use == use) {
        near +=
            (mall_world_neighbours(set, mall_world_chain_rooms(set, state, second)) & room) != 0;
        far += (int32_t)neighbours(set, room, second_ready & ~beside_first);
    }
    if (set->chains[second].use == use) {
        near += (mall_world_neighbours(set, mall_world_chain_rooms(set, state, first)) & room) != 0;
        far += (beside_first & room) != 0;
    }
    return near * PAIR_PROSPECT + far * FAR_PAIR_PROSPECT;
}

static int32_t special_by_letting(const struct mall_world_components *set,
                                  struct mall_world_state *state, unsigned order, unsigned group,
                                  unsigned square)
{
    int32_t change = -mall_world_income(set, state, order) - mall_world_prospect(set, state, order);
    state->chip[group] |= mall_world_room(square);
    change += mall_world_income(set, state, order) + mall_world_prospect(set, state, order);
    state->chip[group] &= ~mall_world_room(square);
    return change;
}

int32_t mall_world_change(const struct mall_world_components *set, struct mall_world_state *state,
                          const struct mall_world_shops *shops,
                          const struct mall_world_ledger *ledger, struct realization realization)
{
    const unsigned square = realization.square, what = realization.what;
    unsigned use = realization.lets ? 0 : what;
    while (realization.lets && use + 1 < USES && (shops->vacant[use] >> square & 1) == 0)
        use++;
    int32_t change = realization.lets ? change_by_letting(set, shops, ledger, use, what, square)
                                      : change_by_building(set, shops, ledger, use, square);
    for (unsigned i = 0; ledger->has_specials && i < SPECIAL_ORDERS; i++) {
        const unsigned order = SPECIAL_ORDER_FIRST + i;
        if (ledger->specials[i] == 0 || (set->chains[set->orders[order].first].use != use &&
                                         set->chains[set->orders[order].second].use != use))
            continue;
        change += ledger->specials[i] *
                  (realization.lets ? special_by_letting(set, state, order, what, square)
                                    : special_by_building(set, state, shops, order, use, square));
    }
    return change;
}
