/* Finding open wishes: whoever wants a store that is free, wherever it is, and then whether it is
 * near enough. */
#include "engine/games/superstore-3000/wishes.h"

#include <string.h>

/* Free stores, and tiles on which customers stand: bit t for tile t. */
struct sides {
    uint32_t stores, waiting;
};

/* Does not branch, because what the next tile is cannot be guessed. */
static struct sides find_sides(const struct superstore_mall *mall)
{
    struct sides sides = {0, 0};
    for (unsigned i = 0; i < mall->tiles; i++) {
        const bool store = superstore_is_store(mall->tile[i].piece);
        const bool customers = mall->tile[i].customers != 0;
        sides.stores |= (uint32_t)(store & !customers) << i;
        sides.waiting |= (uint32_t)(!store & customers) << i;
    }
    return sides;
}

/* The stores by the wishes that they suit (superstore_suits()). */
static void sort_stores(const struct superstore_components *set, const struct superstore_mall *mall,
                        uint32_t stores, uint32_t suiting[static WISHES])
{
    memset(suiting, 0, WISHES * sizeof suiting[0]);
    for (uint32_t rest = stores; rest != 0; rest &= rest - 1) {
        const uint8_t piece = mall->tile[superstore_lowest(rest)].piece;
        const uint32_t store = rest & (~rest + 1);
        suiting[piece] |= store;
        suiting[WISH_ANY + set->pieces[piece].category] |= store;
    }
}

uint8_t superstore_wish_of(const struct superstore_components *set,
                           const struct superstore_mall *mall, const struct superstore_wish *wish)
{
    return set->pieces[mall->tile[wish->tile].piece].wish[wish->slot];
}

/* Customers who stand somewhere and want a store that is free, wherever it is. */
static void find_hopes(const struct superstore_components *set, const struct superstore_mall *mall,
                       struct sides sides, struct superstore_wishes *hopes)
{
    uint32_t suiting[WISHES];
    sort_stores(set, mall, sides.stores, suiting);
    for (; sides.waiting != 0; sides.waiting &= sides.waiting - 1) {
        const uint8_t i = (uint8_t)superstore_lowest(sides.waiting);
        const struct superstore_piece *piece = &set->pieces[mall->tile[i].piece];
        for (uint8_t slot = 0; slot < piece->wish_count; slot++) {
            const uint32_t wished = suiting[piece->wish[slot]];
            if ((mall->tile[i].customers >> slot & 1) != 0 && wished != 0)
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
                            const struct superstore_mall *mall, struct superstore_wishes *open)
{
    const struct sides sides = find_sides(mall);
    open->count = 0;
    if (sides.stores == 0 || sides.waiting == 0)
        return;
    find_hopes(set, mall, sides, open);
    keep_reachable(&mall->plan, open);
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
