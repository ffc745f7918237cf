#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/bundle.h"

enum { SIGNATURE_BYTES = 64 };

static json_t *hex_of(const uint8_t *bytes, size_t size)
{
    char hex[2 * SIGNATURE_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bytes, size);
    return json_string(hex);
}

/* Takes the value over. */
static char *write_line(json_t *value)
{
    size_t length = json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_SORT_KEYS);
    char *line = length == 0 ? NULL : malloc(length + 2);
    if (line != NULL) {
        json_dumpb(value, line, length, JSON_COMPACT | JSON_SORT_KEYS);
        line[length] = '\n';
        line[length + 1] = '\0';
    }
    json_decref(value);
    return line;
}

char *bundle_header_line(unsigned version, const char *event, const uint8_t commitment[static 32],
                         const uint8_t *secret, bool records)
{
    return write_line(json_pack("{s:i, s:o, s:s, s:b, s:o}", "bundle", (int)version, "commitment",
                                hex_of(commitment, 32), "event", event, "records", (int)records,
                                "secret", secret == NULL ? json_null() : hex_of(secret, 32)));
}

char *bundle_log_line(const struct tournament_line *line)
{
    return write_line(json_pack("{s:s, s:I, s:O, s:s, s:I}", "actor", line->actor, "at",
                                (json_int_t)line->at_ms, "detail", line->detail, "kind", line->kind,
                                "line", (json_int_t)line->number));
}

char *bundle_player_line(const char *player, const char *name)
{
    return write_line(json_pack("{s:s, s:s}", "name", name, "player", player));
}

char *bundle_record_line(unsigned attempt, const char *game, struct span record,
                         struct span signatures)
{
    json_t *line = json_pack("{s:s, s:s%}", "game", game, "record", record.at, record.length);
    if (line != NULL && attempt > 0)
        json_object_set_new(line, "attempt", json_integer(attempt));
    if (line != NULL && signatures.length > 0)
        json_object_set_new(line, "signatures", json_stringn(signatures.at, signatures.length));
    return write_line(line);
}

char *bundle_seal_line(const uint8_t hash[static 32], const uint8_t key[static 32],
                       const uint8_t signature[static 64])
{
    return write_line(json_pack("{s:o, s:o, s:o}", "key", hex_of(key, 32), "sha256",
                                hex_of(hash, 32), "signature", hex_of(signature, SIGNATURE_BYTES)));
}

void bundle_message(const char *event, const uint8_t hash[static 32], struct text *text)
{
    text_add(text, "tillroll bundle\n");
    text_add(text, event);
    text_add_char(text, '\n');
    text_add_hex(text, hash, 32);
    text_add_char(text, '\n');
}
