/* JSON that comes in: bounded before it is parsed, strict about keys and types. */
#ifndef TILLROLL_ENGINE_BASE_JSON_H
#define TILLROLL_ENGINE_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

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

/* Fields of a document. Both are false, and say nothing else, where the value is missing. */

/* A whole number from `least` to `most`. */
bool json_read_whole(const json_t *value, int64_t least, int64_t most, int64_t *number);

/* One of the first `count` of `words`, which may end before that with NULL: its index. */
bool json_read_word(const json_t *value, const char *const *words, size_t count, size_t *index);

/* What the value must be, behind its name: "must be a whole number from 1 to 64.", "must be one of:
 * first second". */
void json_say_whole(struct text *text, int64_t least, int64_t most);
void json_say_words(struct text *text, const char *const *words, size_t count);

#endif
