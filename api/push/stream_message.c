#include "api/push/stream_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compact JSON contains no line breaks. */
void stream_message_add(struct growing *piece, unsigned number, const char *name, json_t *data)
{
    char line[32];
    char *text = must(json_dumps(data, JSON_COMPACT));
    json_decref(data);
    if (number > 0) {
        snprintf(line, sizeof line, "id: %u\n", number);
        growing_add_all(piece, line);
    }
    growing_add_all(piece, "event: ", name, "\ndata: ", text, "\n\n");
    free(text);
}
