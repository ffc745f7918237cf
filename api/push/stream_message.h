/* Messages of event streams (WHATWG HTML, "Server-sent events"). */
#ifndef TILLROLL_API_PUSH_STREAM_MESSAGE_H
#define TILLROLL_API_PUSH_STREAM_MESSAGE_H

#include <jansson.h>

#include "engine/base/arena.h"
#include "engine/base/text.h"

/* Adds a message. `number` 0 = without id. Consumes `data`. */
void stream_message_add(struct growing *piece, unsigned number, const char *name, json_t *data);

#endif
