/* A list of blocks, each filled from its start; only the newest is filled further. Memory is zeroed
 * when taken, not when a block is made: most requests use little of their blocks. */
#include "engine/base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 8192 };

/* An object that is released together with the block that contains this entry. */
struct arena_owned {
    struct arena_owned *older;
    void *object;
    void (*release)(void *object);
};

struct arena_block {
    struct arena_block *older;
    struct arena_owned *owned; /* the last one added */
    size_t used;
    size_t capacity;
    alignas(max_align_t) unsigned char bytes[];
};

void end_without_memory(void)
{
    fputs("tillroll: out of memory\n", stderr);
    abort();
}

/* Makes an empty block the newest. */
static void add_block(struct arena *arena, struct arena_block *block)
{
    block->older = arena->newest;
    block->owned = NULL;
    block->used = 0;
    arena->newest = block;
}

static struct arena_block *make_block(struct arena *arena, size_t size)
{
    size_t capacity = size > BLOCK_BYTES ? size : (size_t)BLOCK_BYTES;
    struct arena_block *block = malloc(sizeof *block + capacity);
    if (block == NULL)
        end_without_memory();
    block->capacity = capacity;
    add_block(arena, block);
    return block;
}

static size_t round_up(size_t size)
{
    size_t const alignment = alignof(max_align_t);
    if (size > SIZE_MAX / 4)
        end_without_memory();
    return (size + alignment - 1) / alignment * alignment;
}

void *arena_room(struct arena *arena, size_t size)
{
    size_t rounded = round_up(size);
    struct arena_block *block = arena->newest;
    if (block == NULL || block->capacity - block->used < rounded)
        block = make_block(arena, rounded);
    void *taken = block->bytes + block->used;
    block->used += rounded;
    return taken;
}

void *arena_take(struct arena *arena, size_t size)
{
    return memset(arena_room(arena, size), 0, size);
}

void *arena_array(struct arena *arena, size_t count, size_t element_size)
{
    size_t size;
    if (__builtin_mul_overflow(count, element_size, &size))
        end_without_memory();
    return arena_take(arena, size);
}

char *arena_copy(struct arena *arena, struct span bytes)
{
    char *copy = arena_take(arena, bytes.length + 1);
    if (bytes.length > 0)
        memcpy(copy, bytes.at, bytes.length);
    return copy;
}

void arena_own(struct arena *arena, void *object, void (*release)(void *object))
{
    struct arena_owned *owned = arena_take(arena, sizeof *owned);
    *owned = (struct arena_owned){arena->newest->owned, object, release};
    arena->newest->owned = owned;
}

/* Removes the newest block, which then owns nothing. */
static struct arena_block *take_block(struct arena *arena)
{
    struct arena_block *block = arena->newest;
    for (struct arena_owned *each = block->owned; each != NULL; each = each->older)
        each->release(each->object);
    arena->newest = block->older;
    return block;
}

void arena_free(struct arena *arena)
{
    while (arena->newest != NULL)
        free(take_block(arena));
}

void arena_begin(struct arena *arena, struct arena_spare *spare)
{
    struct arena_block *block = spare->newest;
    if (block == NULL)
        return;
    spare->newest = block->older;
    spare->count--;
    add_block(arena, block);
}

void arena_end(struct arena *arena, struct arena_spare *spare)
{
    while (arena->newest != NULL) {
        struct arena_block *block = take_block(arena);
        if (block->capacity > BLOCK_BYTES || spare->count == ARENA_SPARE_MOST) {
            free(block);
            continue;
        }
        block->older = spare->newest;
        spare->newest = block;
        spare->count++;
    }
}

void arena_spare_free(struct arena_spare *spare)
{
    while (spare->newest != NULL) {
        struct arena_block *older = spare->newest->older;
        free(spare->newest);
        spare->newest = older;
    }
    spare->count = 0;
}

void growing_begin(struct growing *text, struct arena *arena, size_t capacity)
{
    *text =
        (struct growing){.arena = arena, .at = arena_room(arena, capacity), .capacity = capacity};
}

char *growing_extend(struct growing *text, size_t more)
{
    if (more > text->capacity - text->length) {
        size_t capacity = 2 * text->capacity + more;
        char *at = arena_room(text->arena, capacity);
        if (text->length > 0)
            memcpy(at, text->at, text->length);
        text->at = at;
        text->capacity = capacity;
    }
    text->length += more;
    return text->at + text->length - more;
}

void growing_add(struct growing *text, struct span bytes)
{
    if (bytes.length > 0)
        memcpy(growing_extend(text, bytes.length), bytes.at, bytes.length);
}

struct span growing_span(const struct growing *text)
{
    return (struct span){text->at, text->length};
}
