#include "api/push/stream_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct growing *piece, const char *text)
{
    growing_add(piece, span_of(text));
}

/* Compact JSON contains no line breaks. */
void stream_message_add(struct growing *piece, unsigned number, const char *name, json_t *data)
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
