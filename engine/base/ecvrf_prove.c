#include <sodium.h>

#include "engine/base/ecvrf.h"

/* As for Ed25519 (RFC 8032, 5.1.5): the first half, clamped, is the secret number. */
static void expand(const uint8_t secret[static ECVRF_SECRET], uint8_t halves[static 64])
{
    crypto_hash_sha512(halves, secret, ECVRF_SECRET);
    halves[0] &= 248;
    halves[31] = (uint8_t)((halves[31] & 127) | 64);
}

/* Below the order of the group, which multiplying asks of no number but multiplying by a sum does.
 */
static void reduce(const uint8_t number[static ECVRF_NUMBER], uint8_t reduced[static ECVRF_NUMBER])
{
    uint8_t wide[64] = {0};
    memcpy(wide, number, ECVRF_NUMBER);
    crypto_core_ed25519_scalar_reduce(reduced, wide);
    sodium_memzero(wide, sizeof wide);
}

void ecvrf_public_key(const uint8_t secret[static ECVRF_SECRET], uint8_t key[static ECVRF_KEY])
{
    uint8_t halves[64];
    expand(secret, halves);
    (void)crypto_scalarmult_ed25519_base_noclamp(key, halves);
    sodium_memzero(halves, sizeof halves);
}

/* RFC 9381, 5.4.2.2. */
static void make_nonce(const uint8_t second_half[static 32],
                       const uint8_t point[static ECVRF_POINT], uint8_t nonce[static ECVRF_NUMBER])
{
    crypto_hash_sha512_state hash;
    uint8_t wide[64];
    crypto_hash_sha512_init(&hash);
    crypto_hash_sha512_update(&hash, second_half, 32);
    crypto_hash_sha512_update(&hash, point, ECVRF_POINT);
    crypto_hash_sha512_final(&hash, wide);
    crypto_core_ed25519_scalar_reduce(nonce, wide);
    sodium_memzero(wide, sizeof wide);
    sodium_memzero(&hash, sizeof hash);
}

bool ecvrf_prove(const uint8_t secret[static ECVRF_SECRET], struct span input,
                 uint8_t proof[static ECVRF_PROOF])
{
    uint8_t halves[64];
    uint8_t x[ECVRF_NUMBER];
    uint8_t nonce[ECVRF_NUMBER];
    uint8_t product[ECVRF_NUMBER];
    uint8_t challenge[ECVRF_NUMBER] = {0};
    uint8_t key[ECVRF_KEY];
    uint8_t point[ECVRF_POINT];
    uint8_t u[ECVRF_POINT];
    uint8_t v[ECVRF_POINT];
    ecvrf_public_key(secret, key);
    ecvrf_point_of(key, input, point);
    expand(secret, halves);
    make_nonce(halves + 32, point, nonce);
    bool made = crypto_scalarmult_ed25519_noclamp(proof, halves, point) == 0 &&
                crypto_scalarmult_ed25519_base_noclamp(u, nonce) == 0 &&
                crypto_scalarmult_ed25519_noclamp(v, nonce, point) == 0;
    const uint8_t *const points[] = {key, point, proof, u, v};
    ecvrf_challenge(points, challenge);
    memcpy(proof + ECVRF_POINT, challenge, ECVRF_CHALLENGE);
    reduce(halves, x);
    crypto_core_ed25519_scalar_mul(product, challenge, x);
    crypto_core_ed25519_scalar_add(proof + ECVRF_POINT + ECVRF_CHALLENGE, nonce, product);
    sodium_memzero(halves, sizeof halves);
    sodium_memzero(x, sizeof x);
    sodium_memzero(nonce, sizeof nonce);
    sodium_memzero(product, sizeof product);
    return made && ecvrf_proof_is_formed(proof);
}
