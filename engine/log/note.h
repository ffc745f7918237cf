/* Signed notes (c2sp.org/signed-note): a text, an empty line, and a line for each signature.
 *
 *      any lines, the last one ended by LF too
 *
 *      — <key's name> base64(<key's id, 4 bytes> <Ed25519 signature of the text, 64 bytes>)
 *
 * A key is published as `<name>+<id in hex>+base64(0x01 <public key>)`, its verification key. The
 * id is the first 4 bytes of SHA-256(name LF 0x01 public key).
 */
#ifndef TILLROLL_ENGINE_LOG_NOTE_H
#define TILLROLL_ENGINE_LOG_NOTE_H

#include "engine/base/merkle.h"
#include "engine/base/text.h"
#include "engine/log/tlog.h"

enum {
    NOTE_NAME_MAX = 128,
    NOTE_SIGNATURES_MAX = 64, /* signature lines that are read */
    NOTE_SIGNATURE_BYTES_MAX = 8192,
    NOTE_SIGNATURE_LINE_MAX = NOTE_NAME_MAX + 104,
    NOTE_KEY_TEXT_MAX = NOTE_NAME_MAX + 64
};

/* What a key signs, which is part of its id. */
enum note_algorithm {
    NOTE_ED25519 = 1,    /* the text of a note */
    NOTE_COSIGNATURE = 4 /* a checkpoint, with a time: engine/log/cosignature.h */
};

struct note_key {
    char name[NOTE_NAME_MAX + 1];
    uint8_t algorithm; /* enum note_algorithm */
    uint8_t id[4];
    uint8_t public[32];
};

struct note {
    struct span text;       /* including its last LF */
    struct span signatures; /* the lines after the empty line */
};

enum note_verdict {
    NOTE_SIGNED,   /* by this key */
    NOTE_UNSIGNED, /* there is no signature by this key */
    NOTE_FORGED    /* a signature claims to be by this key, but is not */
};

/* Makes a key for notes with its id. False unless the name is 1 to NOTE_NAME_MAX printable ASCII
 * characters without space and `+`. */
bool note_key_make(struct note_key *key, struct span name, const uint8_t public[static 32]);

/* The same for another algorithm. */
bool note_key_make_for(struct note_key *key, enum note_algorithm algorithm, struct span name,
                       const uint8_t public[static 32]);

/* Appends the verification key: at most NOTE_KEY_TEXT_MAX bytes. */
void note_key_print(const struct note_key *key, struct text *text);

/* Reads a verification key for notes. False if it is malformed, not an Ed25519 key, or has a wrong
 * id. */
bool note_key_read(struct span text, struct note_key *key);

/* The same for another algorithm. */
bool note_key_read_for(struct span text, enum note_algorithm algorithm, struct note_key *key);

/* A decoded signature line. */
struct note_signature {
    struct span name;
    size_t size; /* bytes, at least 5: the key's id, and what it signed with */
    uint8_t bytes[NOTE_SIGNATURE_BYTES_MAX];
};

/* Decodes a line, without its LF. False if it does not have the form of a signature. */
bool note_signature_read(struct span line, struct note_signature *signature);

/* True if it claims to be by this key. */
bool note_signature_is_by(const struct note_signature *signature, const struct note_key *key);

/* Appends a signature line: at most NOTE_SIGNATURE_LINE_MAX bytes. */
void note_add_signature(const struct note_key *key, const uint8_t signature[static 64],
                        struct text *text);

/* Splits a note. False if it does not have the form of a note. The spans are parts of `bytes`. */
bool note_read(struct span bytes, struct note *note);

/* Looks for this key's signature and checks it; signatures by others are ignored. */
enum note_verdict note_verify(const struct note *note, const struct note_key *key);

/* The texts that a log publishes.
 *
 * Its checkpoint (c2sp.org/tlog-checkpoint), the text of a signed note (engine/log/note.h):
 *
 *      <origin>            the log's name, which is also its key's name
 *      <size>              number of leaves
 *      <root in base 64>   of the tree over them
 *
 * The proof that a leaf is in it (c2sp.org/tlog-proof), which can be checked without the log:
 *
 *      c2sp.org/tlog-proof@v1
 *      index <n>
 *      <hash in base 64>   the path, lowest first, one a line
 *
 *      <the signed checkpoint>
 */

enum {
    CHECKPOINT_TEXT_MAX = NOTE_NAME_MAX + 96,
    CHECKPOINT_NOTE_MAX = CHECKPOINT_TEXT_MAX + NOTE_SIGNATURE_LINE_MAX,
    TLOG_PROOF_MAX = 64 + 48 * TLOG_PATH_MAX + CHECKPOINT_NOTE_MAX /* with one signature */
};

#define TLOG_PROOF_FIRST_LINE "c2sp.org/tlog-proof@v1"

struct checkpoint {
    struct span origin;
    uint64_t size;
    uint8_t root[MERKLE_HASH];
};

struct tlog_proof {
    uint64_t index;
    size_t length;
    uint8_t path[TLOG_PATH_MAX][MERKLE_HASH];
    struct span checkpoint; /* the signed note */
};

/* Appends the text of a checkpoint: at most CHECKPOINT_TEXT_MAX bytes. */
void checkpoint_print(const struct checkpoint *checkpoint, struct text *text);

/* Reads the text of a note. False if it is not a checkpoint. Further lines are extensions and are
 * ignored. */
bool checkpoint_read(struct span text, struct checkpoint *checkpoint);

/* Appends a proof. */
void tlog_proof_print(const struct tlog_proof *proof, struct text *text);

/* Reads a proof. False if it does not have the form of one; the checkpoint's form is not
 * checked. */
bool tlog_proof_read(struct span text, struct tlog_proof *proof);

#endif
