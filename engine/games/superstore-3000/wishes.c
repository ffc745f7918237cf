/* Finding open wishes. Mostly nobody in a mall wants a store that is free, and then the geometry is
 * not looked at; where somebody does, distances are taken from their tile. */
#include "engine/games/superstore-3000/wishes.h"

#include <string.h>

/* Free stores by the wishes that they suit (superstore_suits()): bit t for tile t. */
static bool find_free_stores(const struct superstore_components *set,
                             const struct superstore_mall *mall, uint32_t stores[static WISHES])
{
    bool any = false;
    memset(stores, 0, WISHES * sizeof stores[0]);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (!superstore_is_store(tile->piece) || tile->customers != 0)
            continue;
        stores[tile->piece] |= UINT32_C(1) << i;
        stores[WISH_ANY + set->pieces[tile->piece].category] |= UINT32_C(1) << i;
        any = true;
    }
    return any;
}

uint8_t superstore_wish_of(const struct superstore_components *set,
                           const struct superstore_mall *mall, const struct superstore_wish *wish)
{
    return set->pieces[mall->tile[wish->tile].piece].wish[wish->slot];
}

/* Customers who stand somewhere and want a store that is free, wherever it is. */
static void find_hopes(const struct superstore_components *set, const struct superstore_mall *mall,
                       const uint32_t stores[static WISHES], struct superstore_wishes *hopes)
{
    hopes->count = 0;
    for (uint8_t i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        const struct superstore_piece *piece = &set->pieces[tile->piece];
        uint32_t waiting = tile->customers & ((UINT32_C(1) << piece->wish_count) - 1);
        for (; waiting != 0; waiting &= waiting - 1) {
            uint8_t slot = (uint8_t)superstore_lowest(waiting);
            uint32_t wished = stores[piece->wish[slot]];
            if (wished != 0)
                hopes->wish[hopes->count++] = (struct superstore_wish){i, slot, wished};
        }
    }
}

/* Leaves those whose store is near enough. */
static void keep_reachable(const struct superstore_plan *plan, struct superstore_wishes *wishes)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < wishes->count; i++) {
        struct superstore_wish wish = wishes->wish[i];
        wish.stores &= superstore_within(plan, wish.tile, MOVE_RANGE);
        if (wish.stores != 0)
            wishes->wish[kept++] = wish;
    }
    wishes->count = kept;
}

static unsigned place_in_order(const struct superstore_mall *mall,
                               const struct superstore_wish *wish)
{
    const struct superstore_tile *tile = &mall->tile[wish->tile];
    return ((unsigned)tile->floor * COLUMNS + tile->column) * WISHES_PRINTED_MAX + wish->slot;
}

static void put_in_order(const struct superstore_mall *mall, struct superstore_wishes *wishes)
{
    for (unsigned i = 1; i < wishes->count; i++) {
        struct superstore_wish wish = wishes->wish[i];
        unsigned place = place_in_order(mall, &wish);
        unsigned j = i;
        for (; j > 0 && place_in_order(mall, &wishes->wish[j - 1]) > place; j--)
            wishes->wish[j] = wishes->wish[j - 1];
        wishes->wish[j] = wish;
    }
}

void superstore_find_wishes(const struct superstore_components *set,
                            const struct superstore_mall *mall, const struct superstore_plan *plan,
                            struct superstore_wishes *open)
{
    struct superstore_plan drawn;
    uint32_t stores[WISHES];
    open->count = 0;
    if (!find_free_stores(set, mall, stores))
        return;
    find_hopes(set, mall, stores, open);
    if (open->count == 0)
        return;
    if (plan == NULL) {
        superstore_draw_plan(set, mall, &drawn);
        plan = &drawn;
    }
    keep_reachable(plan, open);
    put_in_order(mall, open);
}

unsigned superstore_first_store(const struct superstore_mall *mall,
                                const struct superstore_wishes *open)
{
    const uint32_t stores = open->wish[CURRENT_GROUP].stores;
    unsigned first = superstore_lowest(stores);
    for (uint32_t rest = stores; rest != 0; rest &= rest - 1) {
        const struct superstore_tile *tile = &mall->tile[superstore_lowest(rest)];
        const struct superstore_tile *best = &mall->tile[first];
        if (tile->floor < best->floor ||
            (tile->floor == best->floor && tile->column < best->column))
            first = superstore_lowest(rest);
    }
    return first;
}

bool superstore_in_group(const struct superstore_wishes *open, unsigned first, unsigned i)
{
    uint32_t stores = open->wish[first].stores;
    for (uint32_t before = 0; before != stores;) {
        before = stores;
        for (unsigned j = 0; j < open->count; j++)
            if ((open->wish[j].stores & stores) != 0)
                stores |= open->wish[j].stores;
    }
    return (open->wish[i].stores & stores) != 0;
}

void superstore_lie_down(struct superstore_mall *mall, const struct superstore_wish *wish,
                         unsigned store)
{
    struct superstore_tile *start = &mall->tile[wish->tile];
    assert((start->customers >> wish->slot & 1) != 0 && mall->tile[store].customers == 0);
    start->customers = (uint8_t)(start->customers & ~(1u << wish->slot));
    mall->tile[store].customers = 1;
}
