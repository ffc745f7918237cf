/* JSON that comes in: bounded before it is parsed, strict about keys and types. */
#ifndef TILLROLL_API_JSON_H
#define TILLROLL_API_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "engine/text.h"

/* Makes jansson ready, once, before any other use of it: hashes with a seed of this process's own,
 * and the end of the process where there is no memory. By itself jansson would leave out what it
 * has no room for, and a document with a part missing would be answered, or taken for what a client
 * has sent. sodium_init() comes before. */
void json_begin(void);

enum { JSON_DEPTH_LIMIT = 16, JSON_TOKENS_LIMIT = 4096 };

/* Parses an object. NULL with a sentence in `error` if the text is not one, nests deeper than
 * JSON_DEPTH_LIMIT, has more than JSON_TOKENS_LIMIT tokens, or has a key twice. The caller owns the
 * result. */
json_t *json_parse_object(struct span body, struct text *error);

/* The name of a key of `object` that is not in `known` (NULL-terminated), or NULL. Borrowed. */
const char *json_unknown_key(const json_t *object, const char *const *known);

#endif
