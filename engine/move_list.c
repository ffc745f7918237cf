#include "engine/move_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game.h"

bool move_list_init(struct move_list *list, const struct game *game)
{
    *list = (struct move_list){.capacity = game->legal_max * (game->move_max + 1),
                               .count_max = game->legal_max};
    list->bytes = malloc(list->capacity);
    list->start = malloc(list->count_max * sizeof *list->start);
    list->length = malloc(list->count_max * sizeof *list->length);
    if (list->bytes == NULL || list->start == NULL || list->length == NULL) {
        move_list_free(list);
        return false;
    }
    return true;
}

void move_list_free(struct move_list *list)
{
    free(list->bytes);
    free(list->start);
    free(list->length);
    *list = (struct move_list){0};
}

void move_list_clear(struct move_list *list)
{
    list->used = 0;
    list->count = 0;
}

void move_list_add(struct move_list *list, struct span move)
{
    assert(list->count < list->count_max);
    assert(move.length + 1 <= list->capacity - list->used);
    list->start[list->count] = (uint32_t)list->used;
    list->length[list->count] = (uint32_t)move.length;
    memcpy(list->bytes + list->used, move.at, move.length);
    list->bytes[list->used + move.length] = '\0';
    list->used += move.length + 1;
    list->count++;
}

struct span move_list_get(const struct move_list *list, size_t i)
{
    assert(i < list->count);
    return (struct span){list->bytes + list->start[i], list->length[i]};
}

static void swap(struct move_list *list, size_t a, size_t b)
{
    uint32_t start = list->start[a];
    uint32_t length = list->length[a];
    list->start[a] = list->start[b];
    list->length[a] = list->length[b];
    list->start[b] = start;
    list->length[b] = length;
}

/* Heap sort: no allocation, no recursion, and never slow on lists that are nearly in order. */
static void sift_down(struct move_list *list, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count &&
            span_compare(move_list_get(list, child), move_list_get(list, child + 1)) < 0)
            child++;
        if (span_compare(move_list_get(list, root), move_list_get(list, child)) >= 0)
            return;
        swap(list, root, child);
        root = child;
    }
}

static bool is_sorted(const struct move_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (span_compare(move_list_get(list, i - 1), move_list_get(list, i)) >= 0)
            return false;
    return true;
}

void move_list_sort(struct move_list *list)
{
    if (is_sorted(list))
        return;
    for (size_t root = list->count / 2; root-- > 0;)
        sift_down(list, root, list->count);
    for (size_t end = list->count; end-- > 1;) {
        swap(list, 0, end);
        sift_down(list, 0, end);
    }
}

ptrdiff_t move_list_find(const struct move_list *list, struct span move)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = span_compare(move_list_get(list, middle), move);
        if (order == 0)
            return (ptrdiff_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
