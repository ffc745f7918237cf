/* SHA-256 (FIPS 180-4) in plain C; other builds of the engine use libsodium's. */
#ifndef TILLROLL_ENGINE_WASM_HASH256_H
#define TILLROLL_ENGINE_WASM_HASH256_H

#include <stddef.h>
#include <stdint.h>

struct hash256 {
    uint32_t word[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
};

void hash256_begin(struct hash256 *hash);

/* `bytes` may be NULL if there are none. */
void hash256_add(struct hash256 *hash, const uint8_t *bytes, size_t size);

/* Writes the result; `hash` cannot be used afterwards. `result` may overlap the hashed bytes. */
void hash256_end(struct hash256 *hash, uint8_t result[static 32]);

#endif
