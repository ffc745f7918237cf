#include "engine/base/ecvrf.h"

#include <sodium.h>

enum { SUITE = 3, ENCODE = 1, CHALLENGE = 2, OUTPUT = 3, END = 0 };

static void hash_begin(crypto_hash_sha512_state *hash, uint8_t what)
{
    const uint8_t front[] = {SUITE, what};
    crypto_hash_sha512_init(hash);
    crypto_hash_sha512_update(hash, front, sizeof front);
}

static void hash_end(crypto_hash_sha512_state *hash, uint8_t result[static 64])
{
    const uint8_t end = END;
    crypto_hash_sha512_update(hash, &end, 1);
    crypto_hash_sha512_final(hash, result);
}

/* ---- Points ---- */

static const uint8_t neutral[ECVRF_POINT] = {1};

/* A point in canonical form, of any order: adding nothing gives back the same bytes. */
static bool is_point(const uint8_t bytes[static ECVRF_POINT])
{
    uint8_t same[ECVRF_POINT];
    return crypto_core_ed25519_add(same, bytes, neutral) == 0 &&
           memcmp(same, bytes, sizeof same) == 0;
}

/* Times the cofactor, 8. */
static void clear_cofactor(uint8_t point[static ECVRF_POINT])
{
    for (int i = 0; i < 3; i++) {
        uint8_t twice[ECVRF_POINT];
        (void)crypto_core_ed25519_add(twice, point, point);
        memcpy(point, twice, sizeof twice);
    }
}

static void try_point(const uint8_t key[static ECVRF_KEY], struct span input, uint8_t counter,
                      uint8_t point[static ECVRF_POINT])
{
    crypto_hash_sha512_state hash;
    uint8_t result[64];
    hash_begin(&hash, ENCODE);
    crypto_hash_sha512_update(&hash, key, ECVRF_KEY);
    crypto_hash_sha512_update(&hash, (const unsigned char *)input.at, input.length);
    crypto_hash_sha512_update(&hash, &counter, 1);
    hash_end(&hash, result);
    memcpy(point, result, ECVRF_POINT);
}

/* Half of all tries succeed: that 256 fail does not happen. Then no proof holds. */
void ecvrf_point_of(const uint8_t key[static ECVRF_KEY], struct span input,
                    uint8_t point[static ECVRF_POINT])
{
    for (unsigned counter = 0; counter < 256; counter++) {
        try_point(key, input, (uint8_t)counter, point);
        if (!is_point(point))
            continue;
        clear_cofactor(point);
        if (memcmp(point, neutral, sizeof neutral) != 0)
            return;
    }
    memcpy(point, neutral, sizeof neutral);
}

void ecvrf_challenge(const uint8_t *const points[static 5],
                     uint8_t challenge[static ECVRF_CHALLENGE])
{
    crypto_hash_sha512_state hash;
    uint8_t result[64];
    hash_begin(&hash, CHALLENGE);
    for (int i = 0; i < 5; i++)
        crypto_hash_sha512_update(&hash, points[i], ECVRF_POINT);
    hash_end(&hash, result);
    memcpy(challenge, result, ECVRF_CHALLENGE);
}

/* ---- Proofs: a point, the challenge and a number ---- */

static const uint8_t *challenge_of(const uint8_t *proof)
{
    return proof + ECVRF_POINT;
}

static const uint8_t *number_of(const uint8_t *proof)
{
    return proof + ECVRF_POINT + ECVRF_CHALLENGE;
}

/* Below the order of the group, which is given with the lowest byte first. */
static bool is_number(const uint8_t number[static ECVRF_NUMBER])
{
    static const uint8_t order[ECVRF_NUMBER] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,
                                                0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
                                                0,    0,    0,    0,    0,    0,    0,    0,
                                                0,    0,    0,    0,    0,    0,    0,    0x10};
    for (size_t i = ECVRF_NUMBER; i-- > 0;)
        if (number[i] != order[i])
            return number[i] < order[i];
    return false;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    uint8_t all = 0;
    for (size_t i = 0; i < size; i++)
        all |= bytes[i];
    return all == 0;
}

bool ecvrf_key_is_valid(const uint8_t key[static ECVRF_KEY])
{
    return crypto_core_ed25519_is_valid_point(key) == 1 && is_point(key);
}

bool ecvrf_proof_is_formed(const uint8_t proof[static ECVRF_PROOF])
{
    return ecvrf_key_is_valid(proof) && is_number(number_of(proof)) &&
           !is_zero(number_of(proof), ECVRF_NUMBER) &&
           !is_zero(challenge_of(proof), ECVRF_CHALLENGE);
}

/* number * first - challenge * second; with the base point for `first` NULL. */
static bool difference(const uint8_t *proof, const uint8_t *first, const uint8_t *second,
                       uint8_t result[static ECVRF_POINT])
{
    uint8_t challenge[ECVRF_NUMBER] = {0};
    uint8_t left[ECVRF_POINT];
    uint8_t right[ECVRF_POINT];
    memcpy(challenge, challenge_of(proof), ECVRF_CHALLENGE);
    int status = first == NULL ? crypto_scalarmult_ed25519_base_noclamp(left, number_of(proof))
                               : crypto_scalarmult_ed25519_noclamp(left, number_of(proof), first);
    return status == 0 && crypto_scalarmult_ed25519_noclamp(right, challenge, second) == 0 &&
           crypto_core_ed25519_sub(result, left, right) == 0;
}

bool ecvrf_verify(const uint8_t key[static ECVRF_KEY], struct span input,
                  const uint8_t proof[static ECVRF_PROOF])
{
    uint8_t point[ECVRF_POINT];
    uint8_t u[ECVRF_POINT];
    uint8_t v[ECVRF_POINT];
    uint8_t challenge[ECVRF_CHALLENGE];
    if (!ecvrf_key_is_valid(key) || !ecvrf_proof_is_formed(proof))
        return false;
    ecvrf_point_of(key, input, point);
    if (!difference(proof, NULL, key, u) || !difference(proof, point, proof, v))
        return false;
    const uint8_t *const points[] = {key, point, proof, u, v};
    ecvrf_challenge(points, challenge);
    return memcmp(challenge, challenge_of(proof), sizeof challenge) == 0;
}

bool ecvrf_output(const uint8_t proof[static ECVRF_PROOF], uint8_t output[static ECVRF_OUTPUT])
{
    crypto_hash_sha512_state hash;
    uint8_t point[ECVRF_POINT];
    if (!ecvrf_proof_is_formed(proof))
        return false;
    memcpy(point, proof, sizeof point);
    clear_cofactor(point);
    hash_begin(&hash, OUTPUT);
    crypto_hash_sha512_update(&hash, point, sizeof point);
    hash_end(&hash, output);
    return true;
}
