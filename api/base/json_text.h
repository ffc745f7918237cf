/* Writes JSON directly as text, for documents that would otherwise need a large tree. The output
 * equals jansson's with JSON_COMPACT. The writer adds commas; the caller opens and closes
 * brackets. */
#ifndef TILLROLL_API_BASE_JSON_TEXT_H
#define TILLROLL_API_BASE_JSON_TEXT_H

#include <jansson.h>

#include "engine/base/arena.h"

struct json_text {
    struct growing text;
};

/* Begins an empty text with room for `capacity` bytes (at least 1) at first. */
void json_text_begin(struct json_text *json, struct arena *arena, size_t capacity);

/* In all of these, `key` is a member's name that needs no escapes, or NULL in an array and at the
 * top level. */
void json_text_open(struct json_text *json, const char *key, char bracket);
void json_text_close(struct json_text *json, char bracket);
void json_text_string(struct json_text *json, const char *key, const char *string);
void json_text_number(struct json_text *json, const char *key, int64_t number);
void json_text_boolean(struct json_text *json, const char *key, bool value);
void json_text_null(struct json_text *json, const char *key);

/* Adds a value that is JSON already. */
void json_text_value(struct json_text *json, const char *key, struct span value);

/* A document as jansson writes it with these flags, in the arena. */
char *json_text_of(struct arena *arena, const json_t *document, size_t flags);

struct span json_text_span(const struct json_text *json);

#endif
