#include "engine/log/cosignature.h"

#include <sodium.h>
#include <string.h>

enum { ID_BYTES = 4, TIME_BYTES = 8, BEFORE_MAX = 48 };

void cosignature_message(uint64_t time_s, struct span checkpoint, struct text *message)
{
    text_add(message, "cosignature/v1\ntime ");
    text_add_number_line(message, (int64_t)time_s);
    text_add_span(message, checkpoint);
}

void cosignature_add(const struct note_key *key, uint64_t time_s,
                     const uint8_t signature[static 64], struct text *text)
{
    uint8_t bytes[COSIGNATURE_BYTES];
    memcpy(bytes, key->id, ID_BYTES);
    for (unsigned i = 0; i < TIME_BYTES; i++)
        bytes[ID_BYTES + i] = (uint8_t)(time_s >> (8 * (TIME_BYTES - 1 - i)));
    memcpy(bytes + ID_BYTES + TIME_BYTES, signature, 64);
    text_add(text, "\xe2\x80\x94 ");
    text_add(text, key->name);
    text_add_char(text, ' ');
    text_add_base64(text, bytes, sizeof bytes);
    text_add_char(text, '\n');
}

static uint64_t read_time(const uint8_t bytes[static TIME_BYTES])
{
    uint64_t time = 0;
    for (unsigned i = 0; i < TIME_BYTES; i++)
        time = time << 8 | bytes[i];
    return time;
}

static bool holds(const struct note_signature *signature, struct span checkpoint,
                  const struct note_key *key, uint64_t *time_s)
{
    char bytes[COSIGNATURE_TEXT_MAX + BEFORE_MAX + 1];
    struct text message = TEXT_OVER(bytes);
    if (signature->size != COSIGNATURE_BYTES)
        return false;
    *time_s = read_time(signature->bytes + ID_BYTES);
    if (*time_s > INT64_MAX)
        return false;
    cosignature_message(*time_s, checkpoint, &message);
    return !message.overflow &&
           crypto_sign_verify_detached(signature->bytes + ID_BYTES + TIME_BYTES,
                                       (const unsigned char *)message.at, message.length,
                                       key->public) == 0;
}

enum note_verdict cosignature_verify(const struct note *note, const struct note_key *key,
                                     uint64_t *time_s)
{
    struct note_signature signature;
    struct span rest = note->signatures;
    struct span line;
    enum note_verdict verdict = NOTE_UNSIGNED;
    uint64_t time;
    *time_s = 0;
    while (span_line(&rest, &line)) {
        if (!note_signature_read(line, &signature) || !note_signature_is_by(&signature, key))
            continue;
        if (!holds(&signature, note->text, key, &time))
            return NOTE_FORGED;
        if (verdict == NOTE_UNSIGNED || time > *time_s)
            *time_s = time;
        verdict = NOTE_SIGNED;
    }
    return verdict;
}
