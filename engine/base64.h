/* Base 64 as RFC 4648 section 4 has it, with padding: the one that C2SP's formats use. */
#ifndef TILLROLL_ENGINE_BASE64_H
#define TILLROLL_ENGINE_BASE64_H

#include "engine/text.h"

/* Appends `size` (at most 256) bytes. */
void text_add_base64(struct text *text, const uint8_t *bytes, size_t size);

/* Reads at most `max` bytes, in the one way in which they can be written. False if `a` is anything
 * else. */
bool span_base64(struct span a, uint8_t *bytes, size_t max, size_t *size);

#endif
