/* Incoming JSON: bounded before it is parsed, strict about keys and types. */
#ifndef TILLROLL_ENGINE_BASE_JSON_H
#define TILLROLL_ENGINE_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

/* Prepares jansson. Call once, after sodium_init() and before any other use. Seeds its hashes with
 * a random seed of this process and aborts when out of memory: jansson by itself would drop what it
 * has no room for, and an incomplete document would be sent or accepted. */
void json_begin(void);

enum { JSON_DEPTH_LIMIT = 16, JSON_TOKENS_LIMIT = 4096 };

/* Parses an object. NULL with a sentence in `error` if the text is not an object, nests deeper than
 * JSON_DEPTH_LIMIT, has more than JSON_TOKENS_LIMIT tokens, or repeats a key. The caller owns the
 * result. */
json_t *json_parse_object(struct span body, struct text *error);

/* A key of `object` that is not in `known` (NULL-terminated), or NULL. Borrowed. */
const char *json_unknown_key(const json_t *object, const char *const *known);

/* Fields of a document. Both return false, and report nothing, if the value is missing. */

/* A whole number from `least` to `most`. */
bool json_read_whole(const json_t *value, int64_t least, int64_t most, int64_t *number);

/* The index of one of the first `count` of `words`; the list may end earlier with NULL. */
bool json_read_word(const json_t *value, const char *const *words, size_t count, size_t *index);

/* Append what the value must be, to follow its name: "must be a whole number from 1 to 64.", "must
 * be one of: first second". */
void json_say_whole(struct text *text, int64_t least, int64_t most);
void json_say_words(struct text *text, const char *const *words, size_t count);

#endif
