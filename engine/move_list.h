/* A list of moves in canonical notation, in one buffer that is made once and used again.
 *
 *      bytes  "end\0income\0move ueno\0"
 *      start    0    4       11            one entry a move, in the order of the list
 */
#ifndef TILLROLL_ENGINE_MOVE_LIST_H
#define TILLROLL_ENGINE_MOVE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/text.h"

struct game;

struct move_list {
    char *bytes;
    size_t used, capacity; /* bytes */
    uint32_t *start;       /* where move i begins in bytes */
    uint32_t *length;      /* bytes of move i, without the NUL */
    size_t count, count_max;
};

/* Allocates room for every legal move that `game` can have at once. False when memory is short. The
 * caller frees with move_list_free(). */
bool move_list_init(struct move_list *list, const struct game *game);
void move_list_free(struct move_list *list);

void move_list_clear(struct move_list *list);

/* Appends a copy of `move`. More moves or bytes than the game's bounds allow are a programming
 * error and end the program. */
void move_list_add(struct move_list *list, struct span move);

/* Puts the moves in byte order. Games that generate out of order call this last. */
void move_list_sort(struct move_list *list);

/* Move i, borrowed from the list, NUL-terminated. */
struct span move_list_get(const struct move_list *list, size_t i);

/* The index of `move` in a sorted list, or -1. */
ptrdiff_t move_list_find(const struct move_list *list, struct span move);

#endif
