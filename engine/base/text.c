#include "engine/base/text.h"

#include <assert.h>
#include <string.h>

int span_compare(struct span a, struct span b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter == 0 ? 0 : memcmp(a.at, b.at, shorter);
    if (order != 0)
        return order;
    return (a.length > b.length) - (a.length < b.length);
}

bool span_line(struct span *rest, struct span *line)
{
    if (rest->length == 0)
        return false;
    const char *end = memchr(rest->at, '\n', rest->length);
    line->at = rest->at;
    line->length = end == NULL ? rest->length : (size_t)(end - rest->at);
    size_t cut = end == NULL ? rest->length : line->length + 1;
    rest->at += cut;
    rest->length -= cut;
    return true;
}

bool span_last_line(struct span *rest, struct span *line)
{
    if (rest->length == 0)
        return false;
    size_t end = rest->at[rest->length - 1] == '\n' ? rest->length - 1 : rest->length;
    size_t start = end;
    while (start > 0 && rest->at[start - 1] != '\n')
        start--;
    *line = (struct span){rest->at + start, end - start};
    rest->length = start;
    return true;
}

bool span_number(struct span a, uint64_t max, uint64_t *value)
{
    if (a.length == 0 || a.length > 20 || (a.length > 1 && a.at[0] == '0'))
        return false;
    enum { SAFE_DIGITS = 19 }; /* of any number below 2^64 */
    uint64_t number = 0;
    for (size_t i = 0; i < a.length; i++) {
        const unsigned digit = (unsigned)(uint8_t)a.at[i] - '0';
        if (digit > 9 || (i >= SAFE_DIGITS && number > (UINT64_MAX - digit) / 10))
            return false;
        number = number * 10 + digit;
    }
    if (number > max)
        return false;
    *value = number;
    return true;
}

bool span_integer(struct span a, int64_t max, int64_t *value)
{
    bool negative = a.length > 0 && a.at[0] == '-';
    if (negative) {
        a.at++;
        a.length--;
    }
    uint64_t number;
    if (!span_number(a, (uint64_t)max, &number) || (negative && number == 0))
        return false;
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

/* One more than the value of a digit, 0 for every other byte. */
static const uint8_t hex_values[UINT8_MAX + 1] = {
    ['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ['a'] = 11, 12, 13, 14, 15, 16,
};

bool span_hex(struct span a, uint8_t *bytes, size_t size)
{
    if (a.length != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        unsigned high = hex_values[(uint8_t)a.at[2 * i]];
        unsigned low = hex_values[(uint8_t)a.at[2 * i + 1]];
        if (high == 0 || low == 0)
            return false;
        bytes[i] = (uint8_t)((high - 1) * 16 + low - 1);
    }
    return true;
}

void text_clear(struct text *text)
{
    text->length = 0;
    text->overflow = false;
    text->at[0] = '\0';
}

void text_add_number(struct text *text, int64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        digits[--at] = '-';
    text_add_span(text, (struct span){digits + at, sizeof digits - at});
}

/* The digits of every byte. */
#define DIGITS_AFTER(high)                                                                         \
    high "0" high "1" high "2" high "3" high "4" high "5" high "6" high "7" high "8" high "9" high \
         "a" high "b" high "c" high "d" high "e" high "f"
static const char hex_pairs[] = DIGITS_AFTER("0") DIGITS_AFTER("1") DIGITS_AFTER("2")
    DIGITS_AFTER("3") DIGITS_AFTER("4") DIGITS_AFTER("5") DIGITS_AFTER("6") DIGITS_AFTER("7")
        DIGITS_AFTER("8") DIGITS_AFTER("9") DIGITS_AFTER("a") DIGITS_AFTER("b") DIGITS_AFTER("c")
            DIGITS_AFTER("d") DIGITS_AFTER("e") DIGITS_AFTER("f");

void text_add_hex(struct text *text, const uint8_t *bytes, size_t size)
{
    if (text->overflow || 2 * size >= text->capacity - text->length) {
        text->overflow = text->overflow || size > 0;
        return;
    }
    char *at = text->at + text->length;
    for (size_t i = 0; i < size; i++)
        memcpy(at + 2 * i, hex_pairs + 2 * (size_t)bytes[i], 2);
    at[2 * size] = '\0';
    text->length += 2 * size;
}

enum { BYTES_MAX = 256 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes three bytes as four digits; with fewer bytes, the rest is padding. */
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

/* Reads four digits, the last ones padding if there are fewer than three bytes. Bits that belong to
 * no byte must be 0. */
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
