#include "api/push/stream_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct stream_piece *piece, const char *text)
{
    size_t length = strlen(text);
    if (piece->capacity - piece->length < length) {
        size_t capacity = 2 * (piece->length + length);
        char *at = arena_take(piece->arena, capacity);
        if (piece->length > 0)
            memcpy(at, piece->at, piece->length);
        piece->at = at;
        piece->capacity = capacity;
    }
    memcpy(piece->at + piece->length, text, length);
    piece->length += length;
}

/* Compact JSON contains no line breaks. */
void stream_message_add(struct stream_piece *piece, unsigned number, const char *name, json_t *data)
{
    char line[32];
    char *text = must(json_dumps(data, JSON_COMPACT));
    json_decref(data);
    if (number > 0) {
        snprintf(line, sizeof line, "id: %u\n", number);
        add(piece, line);
    }
    add(piece, "event: ");
    add(piece, name);
    add(piece, "\ndata: ");
    add(piece, text);
    add(piece, "\n\n");
    free(text);
}

struct span stream_piece_span(const struct stream_piece *piece)
{
    return (struct span){piece->at, piece->length};
}
