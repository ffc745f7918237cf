#include "engine/base64.h"

#include <assert.h>

enum { BYTES_MAX = 256 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes as four digits; of fewer bytes the rest is padding. */
static void add_group(struct text *text, const uint8_t *bytes, size_t count)
{
    uint32_t group = 0;
    for (size_t i = 0; i < 3; i++)
        group = group << 8 | (i < count ? bytes[i] : 0U);
    for (size_t i = 0; i < 4; i++)
        text_add_char(text, i <= count ? digits[group >> (18 - 6 * i) & 63] : '=');
}

void text_add_base64(struct text *text, const uint8_t *bytes, size_t size)
{
    char encoded[(BYTES_MAX + 2) / 3 * 4 + 1];
    struct text groups = TEXT_OVER(encoded);
    assert(size <= BYTES_MAX);
    for (size_t at = 0; at < size; at += 3)
        add_group(&groups, bytes + at, size - at < 3 ? size - at : 3);
    text_add(text, encoded);
}

static bool read_digit(char c, uint32_t *group)
{
    for (uint32_t value = 0; value < 64; value++)
        if (digits[value] == c) {
            *group = *group << 6 | value;
            return true;
        }
    return false;
}

/* Four digits, of which the last ones are padding if there are less than three bytes. The bits that
 * belong to no byte are 0. */
static bool read_group(const char *at, size_t count, uint32_t *group)
{
    *group = 0;
    for (size_t i = 0; i <= count; i++)
        if (!read_digit(at[i], group))
            return false;
    *group <<= 6 * (3 - count);
    return (*group & ((UINT32_C(1) << 8 * (3 - count)) - 1)) == 0;
}

static size_t padding(struct span a)
{
    size_t count = 0;
    while (count < 2 && count < a.length && a.at[a.length - 1 - count] == '=')
        count++;
    return count;
}

bool span_base64(struct span a, uint8_t *bytes, size_t max, size_t *size)
{
    *size = a.length / 4 * 3 - padding(a);
    if (a.length % 4 != 0 || *size > max)
        return false;
    for (size_t at = 0; at < *size; at += 3, a.at += 4) {
        size_t count = *size - at < 3 ? *size - at : 3;
        uint32_t group;
        if (!read_group(a.at, count, &group))
            return false;
        for (size_t i = 0; i < count; i++)
            bytes[at + i] = (uint8_t)(group >> (16 - 8 * i));
    }
    return true;
}
