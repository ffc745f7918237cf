/* Memory that lives as long as one request: taken piece by piece, freed all at once. What a
 * function returns "in the arena" stays valid until arena_free() and is never freed by itself. */
#ifndef TILLROLL_ENGINE_BASE_ARENA_H
#define TILLROLL_ENGINE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "engine/base/text.h"

struct arena {
    struct arena_block *newest;
};

/* Says on standard error that there is no memory left, and aborts the program. Any thread. */
_Noreturn void end_without_memory(void);

/* `memory` itself, which malloc() or a function like it has returned; with NULL the program ends as
 * above. */
static inline void *must(void *memory)
{
    if (memory == NULL)
        end_without_memory();
    return memory;
}

/* Zeroed bytes, aligned for any type. Aborts the program when out of memory: a request's needs are
 * bounded, so the machine itself has none left. */
void *arena_take(struct arena *arena, size_t size);

/* The same without zeroing, for memory that is written at once. */
void *arena_room(struct arena *arena, size_t size);

/* An array of `count` zeroed elements; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t element_size);

/* A NUL-terminated copy. */
char *arena_copy(struct arena *arena, struct span bytes);

/* The arena takes ownership of `object`: arena_free() calls `release` with it, last object first.
 * For objects that do not lie in the arena's own bytes. */
void arena_own(struct arena *arena, void *object, void (*release)(void *object));

void arena_free(struct arena *arena);

/* Blocks that arenas have given back, kept for reuse so that frequent arenas need not call the
 * system's allocator. For one thread. */
struct arena_spare {
    struct arena_block *newest;
    size_t count;
};

/* Number of blocks of 8 KiB, one for each of 256 moves that are written at the same time. None
 * under sanitizers, which look for uses of freed memory. */
#ifdef __SANITIZE_ADDRESS__
enum { ARENA_SPARE_MOST = 0 };
#else
enum { ARENA_SPARE_MOST = 256 };
#endif

/* Gives an empty arena a spare block, if there is one. */
void arena_begin(struct arena *arena, struct arena_spare *spare);

/* Does what arena_free() does, and keeps as many blocks as allowed. */
void arena_end(struct arena *arena, struct arena_spare *spare);

void arena_spare_free(struct arena_spare *spare);

/* Arrays that are taken one by one and freed together, for code that has to say so when there is no
 * memory. All zero: none yet. */

enum { ARENA_BATCH_MOST = 16 };

struct arena_batch {
    void *array[ARENA_BATCH_MOST];
    size_t count;
    bool failed; /* one could not be had */
};

/* The next array: `count` zeroed elements. NULL when out of memory. */
static inline void *arena_batch_take(struct arena_batch *batch, size_t count, size_t element_size)
{
    void *array = calloc(count, element_size);
    batch->failed = batch->failed || array == NULL;
    batch->array[batch->count++] = array;
    return array;
}

static inline void arena_batch_free(struct arena_batch *batch)
{
    while (batch->count > 0)
        free(batch->array[--batch->count]);
}

/* Pieces of one block of memory that the caller brings: code that does not allocate says how much
 * it needs by carving once without a block. */

/* `memory` is aligned for any type; NULL: only adds up what is used. */
struct carver {
    unsigned char *memory;
    size_t used;
};

/* The next `count` elements, aligned for any type; NULL without a block. */
static inline void *carve(struct carver *carver, size_t count, size_t element_size)
{
    void *piece = carver->memory == NULL ? NULL : carver->memory + carver->used;
    carver->used += (count * element_size + 15) / 16 * 16;
    return piece;
}

/* Text that grows in an arena while it is written. */

struct growing {
    struct arena *arena;
    char *at; /* in the arena; moves as it grows */
    size_t length, capacity;
};

/* An empty text with room for `capacity` bytes at first. `{.arena = arena}` is one without. */
void growing_begin(struct growing *text, struct arena *arena, size_t capacity);

/* Extends the text by `more` bytes, which the caller fills. */
char *growing_extend(struct growing *text, size_t more);

void growing_add(struct growing *text, struct span bytes);

/* Appends several strings, one after the other. */
#define growing_add_all(text, ...)                                                                 \
    growing_add_strings((text), (const char *const[]){__VA_ARGS__},                                \
                        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void growing_add_strings(struct growing *text, const char *const *strings, size_t count);

/* What has been written so far. */
struct span growing_span(const struct growing *text);

#endif
