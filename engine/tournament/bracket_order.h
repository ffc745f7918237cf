/* Orders in which a bracket takes a list: seeds into the first round, losers of an upper round into
 * the lower bracket. A good order keeps the strong apart at first, and postpones second meetings.
 *
 *      order                 1 2 3 4 5 6 7 8 becomes
 *      natural               1 2 3 4 5 6 7 8
 *      reverse               8 7 6 5 4 3 2 1
 *      half_shift            5 6 7 8 1 2 3 4
 *      reverse_half_shift    4 3 2 1 8 7 6 5
 *      pair_flip             2 1 4 3 6 5 8 7
 *      inner_outer           1 8 4 5 2 7 3 6
 *
 * The names are those of the brackets-manager model, in which brackets are exported.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_BRACKET_ORDER_H
#define TILLROLL_ENGINE_TOURNAMENT_BRACKET_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "engine/text.h"

/* The values are stored: only ever add at the end. */
enum bracket_order {
    BRACKET_NATURAL = 0,
    BRACKET_REVERSE = 1,
    BRACKET_HALF_SHIFT = 2,
    BRACKET_REVERSE_HALF_SHIFT = 3,
    BRACKET_PAIR_FLIP = 4,
    BRACKET_INNER_OUTER = 5,
    BRACKET_ORDERS = 6
};

/* Where the item at `place` (0 .. count - 1) of the ordered list comes from in the list. `count` is
 * a power of two, at least 2. Pure. */
size_t bracket_order_source(enum bracket_order order, size_t count, size_t place);

/* `inner_outer`; a static string. */
const char *bracket_order_name(enum bracket_order order);

/* The order of this name, or -1. */
int bracket_order_find(struct span name);

#endif
