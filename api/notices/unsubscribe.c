#include "api/notices/unsubscribe.h"

#include <sodium.h>
#include <string.h>

#include "db/store/people/notices.h"

enum { BODY = ID_BYTES + 1, TAG = 12, TAG_MADE = 16, ALL_KINDS = 255 };

static const char purpose[] = "tillroll/unsubscribe/1";

static void make_tag(const struct keys *keys, const uint8_t body[static BODY],
                     uint8_t tag[static TAG_MADE])
{
    keys_tag(keys, purpose, (struct span){(const char *)body, BODY}, tag, TAG_MADE);
}

static uint8_t number_of(const char *kind)
{
    for (uint8_t i = 0; kind != NULL && notice_kinds[i] != NULL; i++)
        if (strcmp(notice_kinds[i], kind) == 0)
            return i;
    return ALL_KINDS;
}

void unsubscribe_make(const struct keys *keys, const struct id *player, const char *kind,
                      char token[static UNSUBSCRIBE_TOKEN])
{
    uint8_t bytes[BODY + TAG_MADE];
    struct text text = {token, 0, UNSUBSCRIBE_TOKEN, false};
    id_to_bytes(player, bytes);
    bytes[ID_BYTES] = number_of(kind);
    make_tag(keys, bytes, bytes + BODY);
    text_add_hex(&text, bytes, BODY + TAG);
}

bool unsubscribe_read(const struct keys *keys, struct span token, struct id *player,
                      const char **kind)
{
    uint8_t bytes[BODY + TAG];
    uint8_t tag[TAG_MADE];
    if (token.length != sizeof bytes * 2 || !span_hex(token, bytes, sizeof bytes))
        return false;
    make_tag(keys, bytes, tag);
    uint8_t number = bytes[ID_BYTES];
    if (sodium_memcmp(tag, bytes + BODY, TAG) != 0 ||
        (number != ALL_KINDS && number >= NOTICE_KINDS))
        return false;
    *player = id_from_bytes(bytes);
    *kind = number == ALL_KINDS ? NULL : notice_kinds[number];
    return true;
}
