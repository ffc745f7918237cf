#include "api/growing.h"

#include <string.h>

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
