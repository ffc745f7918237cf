/* Keyed BLAKE2b (RFC 7693) in plain C; other builds of the engine use libsodium's. */
#ifndef TILLROLL_ENGINE_WASM_BLAKE2B_H
#define TILLROLL_ENGINE_WASM_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

enum { BLAKE2B_BLOCK = 128, BLAKE2B_RESULT_MAX = 64, BLAKE2B_KEY_MAX = 64 };

struct blake2b {
    uint64_t word[8];
    uint64_t length; /* bytes so far, excluding those in `block` */
    size_t filled;   /* of `block`, 0 .. BLAKE2B_BLOCK */
    uint8_t block[BLAKE2B_BLOCK];
};

/* For a result of `result_size` bytes, 1 .. BLAKE2B_RESULT_MAX, with a key of 0 .. BLAKE2B_KEY_MAX
 * bytes. */
void blake2b_begin(struct blake2b *hash, const uint8_t *key, size_t key_size, size_t result_size);

void blake2b_add(struct blake2b *hash, const uint8_t *bytes, size_t size);

/* Writes the result; `hash` cannot be used afterwards. */
void blake2b_end(struct blake2b *hash, uint8_t *result, size_t result_size);

#endif
