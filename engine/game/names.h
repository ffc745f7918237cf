/* The names of a table's rows, which stand for their numbers in moves, records and fixed orders. */
#ifndef TILLROLL_ENGINE_GAME_NAMES_H
#define TILLROLL_ENGINE_GAME_NAMES_H

#include "engine/base/text.h"

enum { NAMES_NONE = 255 }; /* no row */

/* Row i has its name at `first` + i * `stride` bytes. The table is borrowed. */
struct names {
    const struct span *first;
    size_t stride;
    unsigned count; /* rows, at most NAMES_NONE */
};

/* The names in an array of rows with a member `name`, and in an array of names. */
#define NAMES(rows, count)         ((struct names){&(rows)[0].name, sizeof(rows)[0], (count)})
#define NAMES_ALONE(names_, count) ((struct names){&(names_)[0], sizeof(names_)[0], (count)})

/* The name of row i, i < count. */
static inline struct span names_at(struct names names, unsigned i)
{
    const void *at = (const char *)names.first + names.stride * i;
    return *(const struct span *)at;
}

/* The row with this name, or NAMES_NONE. */
static inline uint8_t names_find(struct names names, struct span name)
{
    for (unsigned i = 0; i < names.count; i++)
        if (span_equal(names_at(names, i), name))
            return (uint8_t)i;
    return NAMES_NONE;
}

/* The same by bisection: `order` has the numbers of the rows in the byte order of their names, or
 * is NULL if that is the order of the rows. */
static inline uint8_t names_bisect(struct names names, const uint8_t *order, struct span name)
{
    unsigned low = 0;
    unsigned high = names.count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        unsigned row = order == NULL ? middle : order[middle];
        int compared = span_compare(names_at(names, row), name);
        if (compared == 0)
            return (uint8_t)row;
        if (compared < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NAMES_NONE;
}

#endif
