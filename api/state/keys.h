/* The server's keys, in files that only the server can read.
 *
 *      signing   Ed25519: signs receipts. Its public half is at GET /v1/keys.
 *      sealing   XSalsa20-Poly1305 (crypto_secretbox): seals games' secrets in the database.
 *
 * If the sealing key is lost, running games cannot continue; keep it with the backups.
 */
#ifndef TILLROLL_API_STATE_KEYS_H
#define TILLROLL_API_STATE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/link/id.h"
#include "engine/base/text.h"
#include "engine/log/note.h"

enum {
    KEYS_SEAL_BYTES = 24 + 16, /* bytes that sealing adds: nonce and tag */
    KEYS_SECRET_BYTES = 32,
    KEYS_SEALED_BYTES = KEYS_SEAL_BYTES + KEYS_SECRET_BYTES,
    KEYS_ID = 17,     /* 16 hex digits and a NUL */
    KEYS_OLD_MAX = 31 /* replaced keys that are remembered */
};

struct keys {
    uint8_t signing_public[32];
    uint8_t signing_secret[64];
    uint8_t sealing[32];
};

/* Reads the keys from `directory`, and creates missing ones (mode 0600). False with a sentence in
 * `error`. */
bool keys_load(struct keys *keys, const char *directory, struct text *error);

/* Identifies the pair of keys without revealing anything secret: the first 16 hex digits of the
 * BLAKE2b-256 of the public signing key and the BLAKE2b-256 of the sealing key. */
void keys_id(const struct keys *keys, char id[static KEYS_ID]);

void keys_forget(struct keys *keys);

/* Reads the signing key that is to replace the one in the directory (api/state/key_rotation.h),
 * `signing.key.next`; creates it if it is missing. The sealing key is unchanged. False with a
 * sentence in `error`. */
bool keys_make_next(const char *directory, struct keys *next, struct text *error);

/* Replaces the old key by it, durably. False with a sentence in `error`. */
bool keys_take_next(const char *directory, struct text *error);

/* Seals `size` bytes under a fresh nonce: nonce || box, KEYS_SEAL_BYTES longer. */
void keys_seal(const struct keys *keys, const uint8_t *plain, size_t size, uint8_t *sealed);

/* Opens a sealed text of `size` plain bytes. False if the size differs or the text was not sealed
 * with this key. */
bool keys_open(const struct keys *keys, const uint8_t *sealed, size_t sealed_size, uint8_t *plain,
               size_t size);

/* Computes a tag that only this service can make, of a message for this purpose: the first `size`
 * (16 .. 64) bytes of BLAKE2b, keyed by a key derived from the sealing key and the purpose. */
void keys_tag(const struct keys *keys, const char *purpose, struct span message, uint8_t *tag,
              size_t size);

/* Signs a text with the signing key. */
void keys_sign(const struct keys *keys, struct span message, uint8_t signature[static 64]);

/* The first 16 hex digits of the SHA-256 of the public signing key, which identify it in
 * receipts. */
void keys_signing_id(const struct keys *keys, char id[static 17]);

/* The same for any public key. */
void keys_public_id(const uint8_t public[static 32], char id[static 17]);

/* ---- Keys that the database was used with ---- */

/* Checks whether the service's keys are those with which its database was used. An operator who has
 * lost the directory must not get new keys silently, because running games could not continue.
 *
 * The evidence is the newest checkpoint of the transparency log, which the signing key has signed,
 * and the newest secrets, of which the sealing key opens at least one. A database with neither has
 * not been used: then any keys are accepted.
 */

struct key_check {
    const char *directory; /* directory of the keys */
    const char *database;  /* URL */
    struct db *db;         /* queried instead of a connection of its own; NULL = there is none */
    bool fits;             /* `db` has the schema of this program, and an open transaction */
    const char *new_keys;  /* keys_id() of keys that may replace others; NULL = none */
    /* Results: whether the database answered, and the origin of its newest checkpoint, "" if there
     * is none. */
    bool known;
    char origin[NOTE_NAME_MAX + 1];
    bool finished; /* an interrupted change of the signing key was completed */
    size_t old_count;
    uint8_t old[KEYS_OLD_MAX][32]; /* replaced keys, the newest first */
};

/* Reads the keys and compares them with the database; creates missing ones if `make` is set and the
 * database has not been used, and completes a change of the signing key that was interrupted after
 * it was stored. If the database cannot be reached, only existing keys are accepted. False with a
 * sentence in `error`, of up to 1 KiB, that says what is wrong, what is lost with it, and what to
 * do. */
bool key_check_load(struct key_check *check, struct keys *keys, bool make, struct text *error);

/* Compares keys that were accepted while the database could not be reached. True also if it still
 * cannot be reached, as `known` shows. */
bool key_check_again(struct key_check *check, const struct keys *keys, struct text *error);

#endif
