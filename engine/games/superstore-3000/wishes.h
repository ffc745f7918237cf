/* Wishes that can be fulfilled: the standing customers with a free store of their wish in reach,
 * and which of them compete for the same stores. */
#ifndef TILLROLL_SUPERSTORE_WISHES_H
#define TILLROLL_SUPERSTORE_WISHES_H

#include "engine/games/superstore-3000/plan.h"

enum { OPEN_WISHES_MAX = WISHES_PRINTED_MAX + 2 * TILES_MAX };

struct superstore_wish {
    uint8_t tile;    /* where the customer stands */
    uint8_t slot;    /* which of the wishes printed on the tile */
    uint32_t stores; /* bit t: tile t is a free store of the wish, at most three tiles away */
};

/* In the order of customers: floor of their tile, column from left to right, order of print. */
struct superstore_wishes {
    unsigned count;
    struct superstore_wish wish[OPEN_WISHES_MAX];
};

/* The wish of the customer: a store type, or WISH_ANY + a category. */
uint8_t superstore_wish_of(const struct superstore_components *set,
                           const struct superstore_mall *mall, const struct superstore_wish *wish);

/* Every customer of the mall that could lie down somewhere. */
void superstore_find_wishes(const struct superstore_components *set,
                            const struct superstore_mall *mall, struct superstore_wishes *open);

/* The same if nobody could before this tile, the last one, was added. */
void superstore_find_new_wishes(const struct superstore_components *set,
                                const struct superstore_mall *mall, struct superstore_wishes *open);

/* The store to which the first customer in order goes if nobody decides: the lowest of those in
 * reach, and the leftmost of equally low ones. */
unsigned superstore_first_store(const struct superstore_mall *mall,
                                const struct superstore_wishes *open);

/* True if the i-th wish is in the group of the wish `first`: they share stores, directly or through
 * others. */
bool superstore_in_group(const struct superstore_wishes *open, unsigned first, unsigned i);

/* The first wish of the current group: the first customer in order. */
enum { CURRENT_GROUP = 0 };

/* The customer goes to the store and lies down. */
void superstore_lie_down(struct superstore_mall *mall, const struct superstore_wish *wish,
                         unsigned store);

#endif
