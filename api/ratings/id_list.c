#include "api/ratings/id_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const struct id *left = a;
    const struct id *right = b;
    return strcmp(left->text, right->text);
}

void id_list_begin(struct id_list *list, struct arena *arena, size_t most)
{
    *list = (struct id_list){.ids = arena_array(arena, most, sizeof *list->ids)};
}

void id_list_add(struct id_list *list, const struct id *id)
{
    list->ids[list->count++] = *id;
}

void id_list_sort(struct id_list *list)
{
    size_t kept = 0;
    qsort(list->ids, list->count, sizeof *list->ids, compare);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || !id_equal(&list->ids[kept - 1], &list->ids[i]))
            list->ids[kept++] = list->ids[i];
    list->count = kept;
}

size_t id_list_find(const struct id_list *list, const struct id *id)
{
    const struct id *found = bsearch(id, list->ids, list->count, sizeof *list->ids, compare);
    assert(found != NULL);
    return (size_t)(found - list->ids);
}
