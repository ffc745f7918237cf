/* The part of libsodium that a replay uses, implemented by the files beside this folder: Debian has
 * no libsodium for WebAssembly. */
#ifndef TILLROLL_WASM_SODIUM_H
#define TILLROLL_WASM_SODIUM_H

#include <string.h>

#include "engine/wasm/blake2b.h"
#include "engine/wasm/chacha20.h"
#include "engine/wasm/curve25519.h"
#include "engine/wasm/ed25519.h"
#include "engine/wasm/hash256.h"
#include "engine/wasm/hash512.h"

enum { crypto_hash_sha256_BYTES = 32, crypto_stream_chacha20_ietf_NONCEBYTES = CHACHA20_NONCE };

typedef struct hash256 crypto_hash_sha256_state;
typedef struct hash512 crypto_hash_sha512_state;
typedef struct blake2b crypto_generichash_state;

static inline int crypto_hash_sha256_init(crypto_hash_sha256_state *state)
{
    hash256_begin(state);
    return 0;
}

static inline int crypto_hash_sha256_update(crypto_hash_sha256_state *state,
                                            const unsigned char *bytes, unsigned long long size)
{
    hash256_add(state, bytes, (size_t)size);
    return 0;
}

static inline int crypto_hash_sha256_final(crypto_hash_sha256_state *state, unsigned char *hash)
{
    hash256_end(state, hash);
    return 0;
}

static inline int crypto_hash_sha256(unsigned char *hash, const unsigned char *bytes,
                                     unsigned long long size)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, bytes, size);
    return crypto_hash_sha256_final(&state, hash);
}

static inline int crypto_hash_sha512_init(crypto_hash_sha512_state *state)
{
    hash512_begin(state);
    return 0;
}

static inline int crypto_hash_sha512_update(crypto_hash_sha512_state *state,
                                            const unsigned char *bytes, unsigned long long size)
{
    hash512_add(state, bytes, (size_t)size);
    return 0;
}

static inline int crypto_hash_sha512_final(crypto_hash_sha512_state *state, unsigned char *hash)
{
    hash512_end(state, hash);
    return 0;
}

static inline int crypto_generichash_init(crypto_generichash_state *state, const unsigned char *key,
                                          size_t key_size, size_t size)
{
    blake2b_begin(state, key, key_size, size);
    return 0;
}

static inline int crypto_generichash_update(crypto_generichash_state *state,
                                            const unsigned char *bytes, unsigned long long size)
{
    blake2b_add(state, bytes, (size_t)size);
    return 0;
}

static inline int crypto_generichash_final(crypto_generichash_state *state, unsigned char *hash,
                                           size_t size)
{
    blake2b_end(state, hash, size);
    return 0;
}

static inline int crypto_generichash(unsigned char *hash, size_t size, const unsigned char *bytes,
                                     unsigned long long length, const unsigned char *key,
                                     size_t key_size)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, key, key_size, size);
    crypto_generichash_update(&state, bytes, length);
    return crypto_generichash_final(&state, hash, size);
}

static inline int crypto_stream_chacha20_ietf_xor_ic(unsigned char *into,
                                                     const unsigned char *bytes,
                                                     unsigned long long size,
                                                     const unsigned char *nonce, uint32_t counter,
                                                     const unsigned char *key)
{
    uint8_t block[CHACHA20_BLOCK];
    for (size_t at = 0; at < size; at++) {
        if (at % CHACHA20_BLOCK == 0)
            chacha20_block(block, key, nonce, counter + (uint32_t)(at / CHACHA20_BLOCK));
        into[at] = bytes[at] ^ block[at % CHACHA20_BLOCK];
    }
    return 0;
}

static inline int crypto_sign_verify_detached(const unsigned char *signature,
                                              const unsigned char *bytes, unsigned long long size,
                                              const unsigned char *key)
{
    bool good =
        !ed25519_is_weak(signature, key) && ed25519_asked(signature, bytes, (size_t)size, key) != 0;
    return good ? 0 : -1;
}

static inline int crypto_core_ed25519_is_valid_point(const unsigned char *point)
{
    return curve25519_is_valid(point) ? 1 : 0;
}

static inline int crypto_core_ed25519_add(unsigned char *sum, const unsigned char *a,
                                          const unsigned char *b)
{
    return curve25519_add(sum, a, b, false) ? 0 : -1;
}

static inline int crypto_core_ed25519_sub(unsigned char *difference, const unsigned char *a,
                                          const unsigned char *b)
{
    return curve25519_add(difference, a, b, true) ? 0 : -1;
}

static inline int crypto_scalarmult_ed25519_noclamp(unsigned char *product,
                                                    const unsigned char *number,
                                                    const unsigned char *point)
{
    return curve25519_multiply(product, number, point) ? 0 : -1;
}

static inline int crypto_scalarmult_ed25519_base_noclamp(unsigned char *product,
                                                         const unsigned char *number)
{
    return curve25519_multiply(product, number, NULL) ? 0 : -1;
}

/* Only json_begin() (engine/base/json.h) asks for randomness, and no module calls it. */
static inline uint32_t randombytes_random(void)
{
    return 0;
}

static inline void sodium_memzero(void *bytes, size_t size)
{
    memset(bytes, 0, size);
}

/* Everything that a verifier compares is public. */
static inline int sodium_memcmp(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0 ? 0 : -1;
}

#endif
