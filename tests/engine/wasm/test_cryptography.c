/* What stands in libsodium's place in the verifier for browsers does what libsodium does: every
 * length around the ends of blocks, in one piece and in two. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/wasm/blake2b.h"
#include "engine/wasm/chacha20.h"
#include "engine/wasm/curve25519.h"
#include "engine/wasm/ed25519.h"
#include "engine/wasm/hash256.h"
#include "engine/wasm/hash512.h"
#include "tests/test.h"

enum { MOST = 400 };

/* Every how many cuts between two pieces, points, and pairs of points are tested; the long run
 * takes every point and pair, and every seventh cut. */
#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
static size_t cut_every = 61, every = 12, sums_every = 40;
#else
static size_t cut_every = 29, every = 4, sums_every = 10;
#endif

static uint8_t bytes[MOST];

TEST(test_hash256)
{
    for (size_t length = 0; length <= MOST; length++) {
        for (size_t cut = 0; cut <= length; cut += cut_every) {
            struct hash256 hash;
            uint8_t found[32];
            uint8_t expected[32];
            hash256_begin(&hash);
            hash256_add(&hash, bytes, cut);
            hash256_add(&hash, bytes + cut, length - cut);
            hash256_end(&hash, found);
            crypto_hash_sha256(expected, bytes, length);
            assert_memory_equal(found, expected, sizeof found);
        }
    }
}

TEST(test_hash512)
{
    for (size_t length = 0; length <= MOST; length++) {
        for (size_t cut = 0; cut <= length; cut += cut_every) {
            struct hash512 hash;
            uint8_t found[64];
            uint8_t expected[64];
            hash512_begin(&hash);
            hash512_add(&hash, bytes, cut);
            hash512_add(&hash, bytes + cut, length - cut);
            hash512_end(&hash, found);
            crypto_hash_sha512(expected, bytes, length);
            assert_memory_equal(found, expected, sizeof found);
        }
    }
}

static void check_blake2b(size_t length, size_t cut, size_t key_size, size_t size)
{
    struct blake2b hash;
    uint8_t found[BLAKE2B_RESULT_MAX];
    uint8_t expected[BLAKE2B_RESULT_MAX];
    blake2b_begin(&hash, bytes, key_size, size);
    blake2b_add(&hash, bytes, cut);
    blake2b_add(&hash, bytes + cut, length - cut);
    blake2b_end(&hash, found, size);
    crypto_generichash(expected, size, bytes, length, bytes, key_size);
    assert_memory_equal(found, expected, size);
}

TEST(test_blake2b)
{
    for (size_t length = 0; length <= MOST; length++)
        for (size_t cut = 0; cut <= length; cut += cut_every) {
            check_blake2b(length, cut, 32, 32);
            check_blake2b(length, cut, 0, 32);
        }
    for (size_t key_size = 16; key_size <= BLAKE2B_KEY_MAX; key_size++)
        for (size_t size = 16; size <= BLAKE2B_RESULT_MAX; size++)
            check_blake2b(100, 50, key_size, size);
}

TEST(test_chacha20)
{
    static const uint32_t counters[] = {0, 1, 2, 255, 65536, UINT32_MAX};
    static const uint8_t zero[CHACHA20_BLOCK];
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        uint8_t found[CHACHA20_BLOCK];
        uint8_t expected[CHACHA20_BLOCK];
        const uint8_t *key = bytes + i;
        const uint8_t *nonce = bytes + 100 + i;
        chacha20_block(found, key, nonce, counters[i]);
        crypto_stream_chacha20_ietf_xor_ic(expected, zero, sizeof zero, nonce, counters[i], key);
        assert_memory_equal(found, expected, sizeof found);
    }
}

/* The base point, and 1: a signature of anything by the key 1, for a verifier that takes it. */
static void make_signature_by_one(uint8_t signature[static ED25519_SIGNATURE])
{
    uint8_t one[32] = {1};
    memset(signature, 0, ED25519_SIGNATURE);
    crypto_scalarmult_ed25519_base_noclamp(signature, one);
    signature[32] = 1;
}

static void check_small_point(const uint8_t signature[static ED25519_SIGNATURE],
                              const uint8_t point[static 32])
{
    uint8_t by_it[ED25519_SIGNATURE];
    assert_int_equal(crypto_core_ed25519_is_valid_point(point), 0);
    assert_int_not_equal(crypto_sign_verify_detached(signature, bytes, 9, point), 0);
    assert_true(ed25519_is_weak(signature, point));
    memcpy(by_it, signature, sizeof by_it);
    memcpy(by_it, point, 32);
    assert_true(ed25519_is_weak(by_it, signature));
}

TEST(test_small_points_are_weak)
{
    static const char *const small[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    uint8_t signature[ED25519_SIGNATURE];
    make_signature_by_one(signature);
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        uint8_t point[32];
        assert_int_equal(sodium_hex2bin(point, 32, small[i], 64, NULL, NULL, NULL), 0);
        check_small_point(signature, point);
        point[31] |= 0x80; /* the other x */
        check_small_point(signature, point);
    }
}

/* From p up there is another way to write each of these numbers. */
TEST(test_large_keys_are_weak)
{
    uint8_t signature[ED25519_SIGNATURE];
    uint8_t key[32];
    make_signature_by_one(signature);
    for (unsigned lowest = 0; lowest < 256; lowest++) {
        memset(key, 0xff, sizeof key);
        key[0] = (uint8_t)lowest;
        assert_int_equal(ed25519_is_weak(signature, key), lowest >= 0xec);
        key[31] = 0x7f;
        assert_int_equal(ed25519_is_weak(signature, key), lowest >= 0xec);
        key[17] = 0xfe;
        assert_false(ed25519_is_weak(signature, key));
    }
}

TEST(test_keys_are_not_weak)
{
    for (uint8_t i = 0; i < 100; i++) {
        uint8_t seed[crypto_sign_SEEDBYTES] = {i};
        uint8_t public[crypto_sign_PUBLICKEYBYTES];
        uint8_t secret[crypto_sign_SECRETKEYBYTES];
        uint8_t signature[crypto_sign_BYTES];
        crypto_sign_seed_keypair(public, secret, seed);
        crypto_sign_detached(signature, NULL, bytes, i, secret);
        assert_false(ed25519_is_weak(signature, public));
    }
}

/* Points of the group, points of small order, sums of both, other encodings, and bytes that are no
 * point. */
enum { POINTS = 60 };

static void make_points(uint8_t points[static POINTS][32])
{
    static const char *const odd[] = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0200000000000000000000000000000000000000000000000000000000000000",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    };
    enum { ODD = sizeof odd / sizeof odd[0], SUMS_FROM = 40 };
    for (size_t i = 0; i < ODD; i++)
        assert_int_equal(sodium_hex2bin(points[i], 32, odd[i], 64, NULL, NULL, NULL), 0);
    for (size_t i = ODD; i < SUMS_FROM; i++)
        assert_int_equal(crypto_core_ed25519_from_uniform(points[i], bytes + 3 * i), 0);
    for (size_t i = SUMS_FROM; i < POINTS - 10; i++)
        assert_int_equal(crypto_core_ed25519_add(points[i], points[i - 20], points[i % 6]), 0);
    for (size_t i = POINTS - 10; i < POINTS; i++)
        memcpy(points[i], bytes + 5 * i, 32);
}

TEST(test_sums_of_points)
{
    static uint8_t points[POINTS][32];
    make_points(points);
    for (size_t i = 0; i < POINTS; i++) {
        assert_int_equal(curve25519_is_valid(points[i]),
                         crypto_core_ed25519_is_valid_point(points[i]));
        for (size_t j = i % sums_every; j < POINTS; j += sums_every) {
            uint8_t found[32];
            uint8_t expected[32];
            bool good = crypto_core_ed25519_add(expected, points[i], points[j]) == 0;
            assert_int_equal(curve25519_add(found, points[i], points[j], false), good);
            assert_true(!good || memcmp(found, expected, sizeof found) == 0);
            good = crypto_core_ed25519_sub(expected, points[i], points[j]) == 0;
            assert_int_equal(curve25519_add(found, points[i], points[j], true), good);
            assert_true(!good || memcmp(found, expected, sizeof found) == 0);
        }
    }
}

static void check_product(const uint8_t number[static 32], const uint8_t point[static 32])
{
    uint8_t found[32];
    uint8_t expected[32];
    bool good = crypto_scalarmult_ed25519_noclamp(expected, number, point) == 0;
    assert_int_equal(curve25519_multiply(found, number, point), good);
    assert_true(!good || memcmp(found, expected, sizeof found) == 0);
    good = crypto_scalarmult_ed25519_base_noclamp(expected, number) == 0;
    assert_int_equal(curve25519_multiply(found, number, NULL), good);
    assert_true(!good || memcmp(found, expected, sizeof found) == 0);
}

TEST(test_products_of_points)
{
    static uint8_t points[POINTS][32];
    uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                         0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
    static const uint8_t zero[32];
    make_points(points);
    for (size_t i = 0; i < POINTS; i += every) {
        check_product(bytes + 2 * i, points[i]);
        check_product(order, points[i]);
        check_product(zero, points[i]);
    }
    order[0]--;
    check_product(order, points[20]);
}

static void take_all(void)
{
    cut_every = 7;
    every = 1;
    sums_every = 1;
}

int main(void)
{
    if (getenv("TILLROLL_LONG") != NULL)
        take_all();
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 64);
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
