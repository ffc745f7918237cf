/* A binary heap of entries, and a hash table that finds the entry of a game. */
#include "api/play/due_times.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 12, FIRST_CAPACITY = 64 };

struct entry {
    struct entry *next; /* in the same bucket */
    struct id game;
    int64_t at_ms;
    size_t place; /* index in the heap */
};

struct slot {
    struct entry *entry;
};

struct due_times {
    struct entry *bucket[BUCKETS];
    struct slot *heap; /* entry i is due no later than entries 2 * i + 1 and 2 * i + 2 */
    size_t count, capacity;
};

struct due_times *due_times_new(void)
{
    struct due_times *due = calloc(1, sizeof *due);
    if (due == NULL)
        abort();
    return due;
}

void due_times_free(struct due_times *due)
{
    if (due == NULL)
        return;
    for (size_t i = 0; i < due->count; i++)
        free(due->heap[i].entry);
    free(due->heap);
    free(due);
}

/* The link to the game's entry, or to the NULL where it would be added. The hash is FNV-1a. */
static struct entry **find(const struct due_times *due, const struct id *game)
{
    uint32_t hash = 2166136261U;
    for (const char *at = game->text; *at != '\0'; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619U;
    struct entry **link = (struct entry **)&due->bucket[(hash ^ hash >> 16) % BUCKETS];
    while (*link != NULL && !id_equal(&(*link)->game, game))
        link = &(*link)->next;
    return link;
}

/* ---- The heap ---- */

static void put(struct due_times *due, struct entry *entry, size_t place)
{
    due->heap[place].entry = entry;
    entry->place = place;
}

static void rise(struct due_times *due, struct entry *entry)
{
    size_t place = entry->place;
    while (place > 0 && due->heap[(place - 1) / 2].entry->at_ms > entry->at_ms) {
        put(due, due->heap[(place - 1) / 2].entry, place);
        place = (place - 1) / 2;
    }
    put(due, entry, place);
}

static void sink(struct due_times *due, struct entry *entry)
{
    size_t place = entry->place;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child + 1 < due->count &&
            due->heap[child + 1].entry->at_ms < due->heap[child].entry->at_ms)
            child++;
        if (child >= due->count || due->heap[child].entry->at_ms >= entry->at_ms)
            break;
        put(due, due->heap[child].entry, place);
        place = child;
    }
    put(due, entry, place);
}

static void grow(struct due_times *due)
{
    if (due->count < due->capacity)
        return;
    due->capacity = due->capacity == 0 ? FIRST_CAPACITY : 2 * due->capacity;
    struct slot *heap = realloc(due->heap, due->capacity * sizeof *heap);
    if (heap == NULL)
        abort();
    due->heap = heap;
}

/* ---- Games ---- */

bool due_times_move(struct due_times *due, const struct id *game, int64_t at_ms)
{
    struct entry *entry = *find(due, game);
    if (entry == NULL)
        return false;
    entry->at_ms = at_ms;
    rise(due, entry);
    sink(due, entry);
    return true;
}

void due_times_set(struct due_times *due, const struct id *game, int64_t at_ms)
{
    struct entry **link = find(due, game);
    if (*link != NULL) {
        due_times_move(due, game, at_ms);
        return;
    }
    struct entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL)
        abort();
    *entry = (struct entry){.game = *game, .at_ms = at_ms, .place = due->count};
    *link = entry;
    grow(due);
    put(due, entry, due->count++);
    rise(due, entry);
}

void due_times_remove(struct due_times *due, const struct id *game)
{
    struct entry **link = find(due, game);
    struct entry *entry = *link;
    if (entry == NULL)
        return;
    *link = entry->next;
    struct entry *last = due->heap[--due->count].entry;
    if (last != entry) {
        put(due, last, entry->place);
        rise(due, last);
        sink(due, last);
    }
    free(entry);
}

bool due_times_get(const struct due_times *due, const struct id *game, int64_t *at_ms)
{
    const struct entry *entry = *find(due, game);
    if (entry != NULL)
        *at_ms = entry->at_ms;
    return entry != NULL;
}

bool due_times_first(const struct due_times *due, struct id *game, int64_t *at_ms)
{
    if (due->count == 0)
        return false;
    *game = due->heap[0].entry->game;
    *at_ms = due->heap[0].entry->at_ms;
    return true;
}
