#include "engine/tournament/bracket_order.h"

#include <assert.h>

static const char *const names[BRACKET_ORDERS] = {
    [BRACKET_NATURAL] = "natural",       [BRACKET_REVERSE] = "reverse",
    [BRACKET_HALF_SHIFT] = "half_shift", [BRACKET_REVERSE_HALF_SHIFT] = "reverse_half_shift",
    [BRACKET_PAIR_FLIP] = "pair_flip",   [BRACKET_INNER_OUTER] = "inner_outer",
};

/* A bracket of twice the size puts beside each seed s the one that makes the sum of both one more
 * than the size: from one size to the next, `place` loses its last bit, the outermost choice. */
static size_t inner_outer(size_t count, size_t place)
{
    if (count == 1)
        return 0;
    size_t seed = inner_outer(count / 2, place / 2);
    return place % 2 == 0 ? seed : count - 1 - seed;
}

size_t bracket_order_source(enum bracket_order order, size_t count, size_t place)
{
    size_t half = count / 2;
    assert(count >= 2 && (count & (count - 1)) == 0 && place < count);
    switch (order) {
    case BRACKET_REVERSE:
        return count - 1 - place;
    case BRACKET_HALF_SHIFT:
        return (place + half) % count;
    case BRACKET_REVERSE_HALF_SHIFT:
        return place < half ? half - 1 - place : count - 1 - (place - half);
    case BRACKET_PAIR_FLIP:
        return place ^ 1;
    case BRACKET_INNER_OUTER:
        return inner_outer(count, place);
    case BRACKET_NATURAL:
    case BRACKET_ORDERS:
        break;
    }
    return place;
}

const char *bracket_order_name(enum bracket_order order)
{
    assert(order < BRACKET_ORDERS);
    return names[order];
}

int bracket_order_find(struct span name)
{
    for (int order = 0; order < BRACKET_ORDERS; order++)
        if (span_is(name, names[order]))
            return order;
    return -1;
}
