/* A sorted list of distinct ids, so that arrays can be indexed by an id's position. */
#ifndef TILLROLL_API_RATINGS_ID_LIST_H
#define TILLROLL_API_RATINGS_ID_LIST_H

#include "db/link/id.h"
#include "engine/base/arena.h"

struct id_list {
    struct id *ids; /* in the arena */
    size_t count;
};

/* With room for `most` ids. */
void id_list_begin(struct id_list *list, struct arena *arena, size_t most);

/* Before id_list_sort(); an id may be added several times. */
void id_list_add(struct id_list *list, const struct id *id);

/* Sorts the ids and removes duplicates. */
void id_list_sort(struct id_list *list);

/* The index of an id that is in the list. */
size_t id_list_find(const struct id_list *list, const struct id *id);

#endif
