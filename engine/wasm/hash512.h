/* SHA-512 (FIPS 180-4) in plain C; other builds of the engine use libsodium's. */
#ifndef TILLROLL_ENGINE_WASM_HASH512_H
#define TILLROLL_ENGINE_WASM_HASH512_H

#include <stddef.h>
#include <stdint.h>

struct hash512 {
    uint64_t word[8];
    uint64_t length; /* bytes so far */
    uint8_t block[128];
};

void hash512_begin(struct hash512 *hash);

/* `bytes` may be NULL if there are none. */
void hash512_add(struct hash512 *hash, const uint8_t *bytes, size_t size);

/* Writes the result; `hash` cannot be used afterwards. */
void hash512_end(struct hash512 *hash, uint8_t result[static 64]);

#endif
