/* Messages of event streams (WHATWG HTML, "Server-sent events"). */
#ifndef TILLROLL_API_PUSH_STREAM_MESSAGE_H
#define TILLROLL_API_PUSH_STREAM_MESSAGE_H

#include <jansson.h>

#include "engine/base/arena.h"
#include "engine/base/text.h"

/* A growing byte buffer in the arena. Start with `{.arena = arena}`. */
struct stream_piece {
    struct arena *arena;
    char *at;
    size_t length, capacity;
};

/* Adds a message. `number` 0 = without id. Consumes `data`. */
void stream_message_add(struct stream_piece *piece, unsigned number, const char *name,
                        json_t *data);

struct span stream_piece_span(const struct stream_piece *piece);

#endif
