/* A sorted list of distinct ids, so that arrays can be indexed by an id's position. */
#ifndef TILLROLL_API_RATINGS_ID_LIST_H
#define TILLROLL_API_RATINGS_ID_LIST_H

#include "db/link/id.h"
#include "engine/base/arena.h"

struct id_list {
    struct id *ids; /* owned by the arena */
    size_t count;
};

/* Begins a list with room for `most` ids. */
void id_list_begin(struct id_list *list, struct arena *arena, size_t most);

/* Adds an id, possibly again; call before id_list_sort(). */
void id_list_add(struct id_list *list, const struct id *id);

/* Sorts the ids and removes duplicates. */
void id_list_sort(struct id_list *list);

/* The index of an id, which must be in the list; call after id_list_sort(). */
size_t id_list_find(const struct id_list *list, const struct id *id);

#endif
