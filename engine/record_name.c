/* Identifiers and players' names: what they may be, and the one way in which a name is encoded. */
#include <string.h>

#include "engine/record_parts.h"

bool record_is_id(struct span text)
{
    if (text.length != RECORD_ID_LENGTH)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        char c = text.at[i];
        if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

/* Decodes one character of UTF-8 (RFC 3629) off the front of `rest`. False if it is malformed. */
static bool next_character(struct span *rest, uint32_t *character)
{
    static const struct {
        uint8_t mask, lead;
        uint32_t min;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    uint8_t lead = (uint8_t)rest->at[0];
    for (size_t more = 0; more < 4; more++) {
        if ((lead & forms[more].mask) != forms[more].lead)
            continue;
        if (rest->length <= more)
            return false;
        uint32_t value = lead & (uint8_t)~forms[more].mask;
        for (size_t i = 1; i <= more; i++) {
            uint8_t byte = (uint8_t)rest->at[i];
            if ((byte & 0xc0) != 0x80)
                return false;
            value = value << 6 | (byte & 0x3f);
        }
        rest->at += more + 1;
        rest->length -= more + 1;
        *character = value;
        return value >= forms[more].min && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    }
    return false;
}

static bool is_visible(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c <= 0x9f);
    bool separator = c == 0x2028 || c == 0x2029;
    bool invisible = c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
                     (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
                     (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
    return !control && !separator && !invisible;
}

static bool is_plain(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
}

/* Bytes of a name as it stands in a seat line. */
static size_t encoded_length(struct span name)
{
    size_t length = 0;
    for (size_t i = 0; i < name.length; i++)
        length += is_plain(name.at[i]) ? 1 : 3;
    return length;
}

bool record_is_name(struct span name)
{
    if (name.length == 0 || name.length > RECORD_NAME_MAX ||
        encoded_length(name) > RECORD_NAME_ENCODED_MAX)
        return false;
    while (name.length > 0) {
        uint32_t character;
        if (!next_character(&name, &character) || !is_visible(character))
            return false;
    }
    return true;
}

void record_print_name(struct text *text, const char *name)
{
    static const char digits[] = "0123456789ABCDEF";
    for (; *name != '\0'; name++) {
        if (is_plain(*name)) {
            text_add_char(text, *name);
            continue;
        }
        text_add_char(text, '%');
        text_add_char(text, digits[(uint8_t)*name >> 4]);
        text_add_char(text, digits[(uint8_t)*name & 15]);
    }
}

static int upper_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool record_read_name(struct span word, char name[static RECORD_NAME_MAX + 1])
{
    size_t length = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (length == RECORD_NAME_MAX)
            return false;
        if (word.at[i] != '%') {
            if (!is_plain(word.at[i]))
                return false;
            name[length++] = word.at[i];
            continue;
        }
        int high = i + 2 < word.length ? upper_hex_digit(word.at[i + 1]) : -1;
        int low = i + 2 < word.length ? upper_hex_digit(word.at[i + 2]) : -1;
        if (high < 0 || low < 0 || is_plain((char)(high * 16 + low)))
            return false;
        name[length++] = (char)(high * 16 + low);
        i += 2;
    }
    name[length] = '\0';
    return record_is_name((struct span){name, length});
}
