#include "engine/base64.h"

#include <assert.h>
#include <sodium.h>

enum { BYTES_MAX = 256, VARIANT = sodium_base64_VARIANT_ORIGINAL };

void text_add_base64(struct text *text, const uint8_t *bytes, size_t size)
{
    char encoded[sodium_base64_ENCODED_LEN(BYTES_MAX, VARIANT)];
    assert(size <= BYTES_MAX);
    sodium_bin2base64(encoded, sizeof encoded, bytes, size, VARIANT);
    text_add(text, encoded);
}

bool span_base64(struct span a, uint8_t *bytes, size_t max, size_t *size)
{
    const char *end;
    return sodium_base642bin(bytes, max, a.at, a.length, NULL, size, &end, VARIANT) == 0 &&
           end == a.at + a.length;
}
