/* UUIDs: created as version 7 from the time and libsodium's random bytes; parsed in any version. */
#include "db/link/id.h"

#include <sodium.h>
#include <string.h>

enum { ID_LENGTH = 36 };

static bool is_dash_place(size_t place)
{
    return place == 8 || place == 13 || place == 18 || place == 23;
}

struct id id_from_bytes(const uint8_t bytes[static ID_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    struct id id = {{0}};
    size_t digit = 0;
    for (size_t place = 0; place < ID_LENGTH; place++) {
        if (is_dash_place(place)) {
            id.text[place] = '-';
            continue;
        }
        unsigned byte = bytes[digit / 2];
        id.text[place] = digits[digit % 2 == 0 ? byte >> 4 : byte & 15];
        digit++;
    }
    return id;
}

static void put_time(uint8_t bytes[static ID_BYTES], int64_t ms)
{
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (uint8_t)((uint64_t)ms >> (40 - 8 * i));
    bytes[6] = (uint8_t)(0x70 | (bytes[6] & 0x0f));
    bytes[8] = (uint8_t)(0x80 | (bytes[8] & 0x3f));
}

/* RFC 9562 section 5.7: 48 bits of time, version 7, 12 random bits, variant 2, 62 random bits. */
struct id id_new(int64_t now_ms)
{
    uint8_t bytes[ID_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    put_time(bytes, now_ms);
    return id_from_bytes(bytes);
}

struct id id_first(int64_t ms)
{
    uint8_t bytes[ID_BYTES] = {0};
    put_time(bytes, ms);
    return id_from_bytes(bytes);
}

bool id_parse(struct span text, struct id *id)
{
    static const char form[] = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
    static const char kinds[256] = {
        ['-'] = '-', ['0'] = 'h', ['1'] = 'h', ['2'] = 'h', ['3'] = 'h', ['4'] = 'h',
        ['5'] = 'h', ['6'] = 'h', ['7'] = 'h', ['8'] = 'h', ['9'] = 'h', ['a'] = 'h',
        ['b'] = 'h', ['c'] = 'h', ['d'] = 'h', ['e'] = 'h', ['f'] = 'h'};
    if (text.length != ID_LENGTH)
        return false;
    for (size_t place = 0; place < ID_LENGTH; place++)
        if (kinds[(unsigned char)text.at[place]] != form[place])
            return false;
    memcpy(id->text, text.at, ID_LENGTH);
    id->text[ID_LENGTH] = '\0';
    return true;
}

static uint8_t digit_value(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void id_to_bytes(const struct id *id, uint8_t bytes[static ID_BYTES])
{
    const char *at = id->text;
    for (size_t i = 0; i < ID_BYTES; i++, at += 2) {
        if (*at == '-')
            at++;
        bytes[i] = (uint8_t)(digit_value(at[0]) << 4 | digit_value(at[1]));
    }
}

bool id_equal(const struct id *a, const struct id *b)
{
    return strcmp(a->text, b->text) == 0;
}
