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

/* libsodium takes bytes from 0x80 on for digits where char has a sign. */
static bool is_ascii(struct span a)
{
    for (size_t i = 0; i < a.length; i++)
        if ((unsigned char)a.at[i] >= 0x80)
            return false;
    return true;
}

bool span_base64(struct span a, uint8_t *bytes, size_t max, size_t *size)
{
    const char *end;
    return is_ascii(a) &&
           sodium_base642bin(bytes, max, a.at, a.length, NULL, size, &end, VARIANT) == 0 &&
           end == a.at + a.length;
}
