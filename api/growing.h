/* Text that grows in an arena while it is written. */
#ifndef TILLROLL_API_GROWING_H
#define TILLROLL_API_GROWING_H

#include "db/arena.h"

struct growing {
    struct arena *arena;
    char *at; /* in the arena; moves as it grows */
    size_t length, capacity;
};

/* An empty text with room for `capacity` bytes (at least 1) at first. */
void growing_begin(struct growing *text, struct arena *arena, size_t capacity);

/* Room for `more` bytes at the end, which the caller fills. */
char *growing_extend(struct growing *text, size_t more);

void growing_add(struct growing *text, struct span bytes);

/* What has been written so far. */
struct span growing_span(const struct growing *text);

#endif
