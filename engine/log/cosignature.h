/* Cosignatures (c2sp.org/tlog-cosignature, `cosignature/v1` with Ed25519): a witness states that at
 * a time this was the largest tree of the log that it had seen, and continued all earlier ones.
 *
 *      — <witness> base64(<key's id> <seconds since 1970, 8 bytes, big-endian> <signature, 64
 * bytes>)
 *
 * is one more line of the checkpoint's note. The signature is over
 *
 *      cosignature/v1 LF time <seconds> LF <the checkpoint's text>
 *
 * The key is a note_key for NOTE_COSIGNATURE.
 */
#ifndef TILLROLL_ENGINE_LOG_COSIGNATURE_H
#define TILLROLL_ENGINE_LOG_COSIGNATURE_H

#include "engine/log/note.h"

enum {
    COSIGNATURE_BYTES = 4 + 8 + 64,
    COSIGNATURE_LINE_MAX = NOTE_NAME_MAX + 112,
    COSIGNATURE_TEXT_MAX = 4096 /* bytes of a checkpoint's text with its extensions */
};

/* Appends what is signed: the text of a checkpoint, and 48 bytes at most before it. */
void cosignature_message(uint64_t time_s, struct span checkpoint, struct text *message);

/* Appends the line, COSIGNATURE_LINE_MAX bytes at most. */
void cosignature_add(const struct note_key *key, uint64_t time_s,
                     const uint8_t signature[static 64], struct text *text);

/* Looks for this witness's cosignatures and checks them all; `time_s` is that of the newest. Also
 * NOTE_FORGED if the checkpoint's text is longer than COSIGNATURE_TEXT_MAX or the time above 2^63 -
 * 1. */
enum note_verdict cosignature_verify(const struct note *note, const struct note_key *key,
                                     uint64_t *time_s);

#endif
