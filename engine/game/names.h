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

/* Of an array of rows that have a member `name`, and of an array of names. */
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

#endif
