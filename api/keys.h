/* The server's keys, in files that only it can read.
 *
 *      signing   Ed25519: signs receipts. Its public half is at GET /v1/keys.
 *      sealing   XSalsa20-Poly1305 (crypto_secretbox): seals games' secrets in the database.
 *
 * Losing the sealing key means that running games cannot go on; keep it with the backups.
 */
#ifndef TILLROLL_API_KEYS_H
#define TILLROLL_API_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/id.h"
#include "engine/text.h"

enum {
    KEYS_SEAL_BYTES = 24 + 16, /* what sealing adds: nonce and tag */
    KEYS_SECRET_BYTES = 32,
    KEYS_SEALED_BYTES = KEYS_SEAL_BYTES + KEYS_SECRET_BYTES
};

struct keys {
    uint8_t signing_public[32];
    uint8_t signing_secret[64];
    uint8_t sealing[32];
};

/* Reads the keys from `directory`, and makes those that are missing (mode 0600). False with a
 * sentence in `error`. */
bool keys_load(struct keys *keys, const char *directory, struct text *error);

/* The same, but a missing key is an error. */
bool keys_check(struct keys *keys, const char *directory, struct text *error);

void keys_forget(struct keys *keys);

/* Seals `size` bytes under a fresh nonce: nonce || box, KEYS_SEAL_BYTES longer. */
void keys_seal(const struct keys *keys, const uint8_t *plain, size_t size, uint8_t *sealed);

/* Opens what is to be `size` bytes. False if it has another size or was not sealed with this key.
 */
bool keys_open(const struct keys *keys, const uint8_t *sealed, size_t sealed_size, uint8_t *plain,
               size_t size);

/* Signs a text with the signing key. */
void keys_sign(const struct keys *keys, struct span message, uint8_t signature[static 64]);

/* The first 16 hex digits of the SHA-256 of the public signing key: names it in receipts. */
void keys_signing_id(const struct keys *keys, char id[static 17]);

#endif
