/* Finding open wishes: whoever wants a store that is free, wherever it is, and then whether it is
 * near enough. */
#include "engine/games/superstore-3000/wishes.h"

uint8_t superstore_wish_of(const struct superstore_components *set,
                           const struct superstore_mall *mall, const struct superstore_wish *wish)
{
    return set->pieces[mall->piece[wish->tile]].wish[wish->slot];
}

/* The stores that suit a wish (superstore_suits()). */
static uint32_t find_suiting(const struct superstore_mall *mall, uint8_t wish)
{
    return wish < WISH_ANY ? bytes_equal(mall->piece, wish) : mall->sets.elements[wish - WISH_ANY];
}

/* Customers of these tiles who want one of these stores, wherever it is. */
static void find_hopes(const struct superstore_components *set, const struct superstore_mall *mall,
                       uint32_t waiting, uint32_t stores, struct superstore_wishes *hopes)
{
    hopes->count = 0;
    for (; waiting != 0 && stores != 0; waiting &= waiting - 1) {
        const uint8_t i = (uint8_t)superstore_lowest(waiting);
        const struct superstore_piece *piece = &set->pieces[mall->piece[i]];
        for (uint32_t rest = mall->customers[i]; rest != 0; rest &= rest - 1) {
            const uint8_t slot = (uint8_t)superstore_lowest(rest);
            const uint32_t wished = find_suiting(mall, piece->wish[slot]) & stores;
            if (wished != 0)
                hopes->wish[hopes->count++] = (struct superstore_wish){i, slot, wished};
        }
    }
}

/* Leaves those whose store is near enough. */
static void keep_reachable(const struct superstore_plan *plan, struct superstore_wishes *wishes)
{
    unsigned kept = 0;
    unsigned from = NONE;
    uint32_t reach = 0;
    for (unsigned i = 0; i < wishes->count; i++) {
        struct superstore_wish wish = wishes->wish[i];
        if (wish.tile != from)
            reach = superstore_within(plan, wish.tile, MOVE_RANGE);
        from = wish.tile;
        wish.stores &= reach;
        if (wish.stores != 0)
            wishes->wish[kept++] = wish;
    }
    wishes->count = kept;
}

static unsigned place_in_order(const struct superstore_mall *mall,
                               const struct superstore_wish *wish)
{
    return ((unsigned)mall->floor[wish->tile] * COLUMNS + mall->column[wish->tile]) *
               WISHES_PRINTED_MAX +
           wish->slot;
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

static void find_among(const struct superstore_components *set, const struct superstore_mall *mall,
                       uint32_t tiles, struct superstore_wishes *open)
{
    find_hopes(set, mall, mall->sets.waiting & tiles, superstore_free_stores(&mall->sets) & tiles,
               open);
    keep_reachable(&mall->plan, open);
    put_in_order(mall, open);
}

void superstore_find_wishes(const struct superstore_components *set,
                            const struct superstore_mall *mall, struct superstore_wishes *open)
{
    find_among(set, mall, ~UINT32_C(0), open);
}

/* All new ways lead over the new tile: to or from it, if it touches a single one. Otherwise a part
 * of a way is no longer than the way, and back from there to the customer it costs as much, but for
 * one more tile that is entered and one less. */
void superstore_find_new_wishes(const struct superstore_components *set,
                                const struct superstore_mall *mall, struct superstore_wishes *open)
{
    const unsigned added = mall->tiles - 1u;
    const uint32_t own = UINT32_C(1) << added;
    const uint32_t touched = mall->plan.neighbours[added] & ~own;
    open->count = 0;
    if (touched == 0 || mall->sets.waiting == 0 || superstore_free_stores(&mall->sets) == 0)
        return;
    if ((touched & (touched - 1)) != 0) {
        find_among(set, mall, superstore_within(&mall->plan, added, MOVE_RANGE), open);
        return;
    }
    if (superstore_is_store(mall->piece[added]))
        find_hopes(set, mall, mall->sets.waiting, own, open);
    else
        find_hopes(set, mall, mall->sets.waiting & own, superstore_free_stores(&mall->sets), open);
    keep_reachable(&mall->plan, open);
    put_in_order(mall, open);
}

unsigned superstore_first_store(const struct superstore_mall *mall,
                                const struct superstore_wishes *open)
{
    const uint32_t stores = open->wish[CURRENT_GROUP].stores;
    unsigned first = superstore_lowest(stores);
    for (uint32_t rest = stores; rest != 0; rest &= rest - 1) {
        const unsigned store = superstore_lowest(rest);
        if (mall->floor[store] < mall->floor[first] ||
            (mall->floor[store] == mall->floor[first] && mall->column[store] < mall->column[first]))
            first = store;
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
    const uint8_t standing = mall->customers[wish->tile];
    assert((standing >> wish->slot & 1) != 0 && mall->customers[store] == 0);
    superstore_set_customers(mall, wish->tile, (uint8_t)(standing & ~(1u << wish->slot)));
    superstore_set_customers(mall, store, 1);
}
