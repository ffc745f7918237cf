/* ECVRF-EDWARDS25519-SHA512-TAI: the examples of RFC 9381, and proofs that must not hold. */
#include <sodium.h>
#include <string.h>

#include "engine/base/ecvrf.h"
#include "tests/test.h"

/* RFC 9381, B.3, examples 16 to 18. */
static const struct example {
    const char *secret, *key, *input, *proof, *output;
} examples[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f47"
     "9d9727d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
     "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff66b71dda49d2de59d03450451af0"
     "26798e8f81cd2e333de5cdf4f3e140fdd8ae"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3ed7f2fea45c92"
     "a465301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
     "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb5e33821bc613efb94db5e5b54c70"
     "a848a0bef4553a41befc57663b56373a5031"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9e"
     "a3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
     "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c452118fec1219202a0edcf038bb637"
     "3241578be7217ba85a2687f7a0310b2df19f"}};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

struct bytes {
    uint8_t secret[ECVRF_SECRET], key[ECVRF_KEY], proof[ECVRF_PROOF], output[ECVRF_OUTPUT];
    char input[8];
    struct span span;
};

static struct bytes read_example(const struct example *example)
{
    struct bytes bytes = {.span = {NULL, strlen(example->input) / 2}};
    assert_true(span_hex(span_of(example->secret), bytes.secret, sizeof bytes.secret));
    assert_true(span_hex(span_of(example->key), bytes.key, sizeof bytes.key));
    assert_true(span_hex(span_of(example->proof), bytes.proof, sizeof bytes.proof));
    assert_true(span_hex(span_of(example->output), bytes.output, sizeof bytes.output));
    assert_true(span_hex(span_of(example->input), (uint8_t *)bytes.input, bytes.span.length));
    return bytes;
}

TEST(test_examples)
{
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct bytes expected = read_example(&examples[i]);
        const struct span input = {expected.input, expected.span.length};
        uint8_t key[ECVRF_KEY];
        uint8_t proof[ECVRF_PROOF];
        uint8_t output[ECVRF_OUTPUT];
        ecvrf_public_key(expected.secret, key);
        assert_memory_equal(key, expected.key, sizeof key);
        assert_true(ecvrf_prove(expected.secret, input, proof));
        assert_memory_equal(proof, expected.proof, sizeof proof);
        assert_true(ecvrf_verify(key, input, proof));
        assert_true(ecvrf_output(proof, output));
        assert_memory_equal(output, expected.output, sizeof output);
    }
}

/* No other proof, key or input: each bit counts. */
TEST(test_every_bit_counts)
{
    const struct bytes good = read_example(&examples[2]);
    const struct span input = {good.input, good.span.length};
    for (size_t bit = 0; bit < 8 * sizeof good.proof; bit++) {
        struct bytes bad = good;
        bad.proof[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(ecvrf_verify(good.key, input, bad.proof));
    }
    for (size_t bit = 0; bit < 8 * sizeof good.key; bit++) {
        struct bytes bad = good;
        bad.key[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(ecvrf_verify(bad.key, input, good.proof));
    }
    for (size_t bit = 0; bit < 8 * good.span.length; bit++) {
        struct bytes bad = good;
        bad.input[bit / 8] ^= (char)(1 << bit % 8);
        assert_false(ecvrf_verify(good.key, (struct span){bad.input, input.length}, good.proof));
    }
    assert_false(ecvrf_verify(good.key, (struct span){good.input, 1}, good.proof));
}

static const char *const weak_points[] = {
    "0100000000000000000000000000000000000000000000000000000000000000", /* the neutral one */
    "0100000000000000000000000000000000000000000000000000000000000080", /* with a sign */
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* order 2 */
    "0000000000000000000000000000000000000000000000000000000000000000", /* order 4 */
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", /* order 8 */
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", /* order 8 */
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* 1, too large by p */
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /* 0, likewise */
    "0200000000000000000000000000000000000000000000000000000000000000", /* on no curve */
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"};

/* Keys and points of small order, in another form, or outside of the group. */
TEST(test_weak_points)
{
    const struct bytes good = read_example(&examples[1]);
    const struct span input = {good.input, good.span.length};
    for (size_t i = 0; i < sizeof weak_points / sizeof weak_points[0]; i++) {
        uint8_t point[ECVRF_POINT];
        uint8_t proof[ECVRF_PROOF];
        uint8_t output[ECVRF_OUTPUT];
        assert_true(span_hex(span_of(weak_points[i]), point, sizeof point));
        assert_false(ecvrf_key_is_valid(point));
        assert_false(ecvrf_verify(point, input, good.proof));
        memcpy(proof, good.proof, sizeof proof);
        memcpy(proof, point, sizeof point);
        assert_false(ecvrf_proof_is_formed(proof));
        assert_false(ecvrf_output(proof, output));
        assert_false(ecvrf_verify(good.key, input, proof));
    }
}

/* A point of small order added to a proof's, which leaves the output the same. */
TEST(test_torsion)
{
    const struct bytes good = read_example(&examples[0]);
    uint8_t small[ECVRF_POINT];
    uint8_t proof[ECVRF_PROOF];
    uint8_t output[ECVRF_OUTPUT];
    assert_true(span_hex(span_of(weak_points[4]), small, sizeof small));
    memcpy(proof, good.proof, sizeof proof);
    assert_int_equal(crypto_core_ed25519_add(proof, good.proof, small), 0);
    assert_false(ecvrf_output(proof, output));
    assert_false(ecvrf_verify(good.key, (struct span){good.input, 0}, proof));
}

/* The order of the group, and the number plus that order. */
TEST(test_large_numbers)
{
    static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                                      0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
    const struct bytes good = read_example(&examples[0]);
    uint8_t proof[ECVRF_PROOF];
    memcpy(proof, good.proof, sizeof proof);
    memcpy(proof + 48, order, sizeof order);
    assert_false(ecvrf_proof_is_formed(proof));
    memcpy(proof, good.proof, sizeof proof);
    sodium_add(proof + 48, order, sizeof order);
    assert_false(ecvrf_proof_is_formed(proof));
    assert_false(ecvrf_verify(good.key, (struct span){good.input, 0}, proof));
    memset(proof + 48, 0, 32);
    assert_false(ecvrf_proof_is_formed(proof));
    memcpy(proof, good.proof, sizeof proof);
    memset(proof + 32, 0, 16);
    assert_false(ecvrf_proof_is_formed(proof));
}

/* Other keys and inputs than the RFC's, many of which need a second try for their point. */
TEST(test_many)
{
    for (unsigned i = 0; i < 100; i++) {
        uint8_t secret[ECVRF_SECRET] = {(uint8_t)i, 7};
        uint8_t key[ECVRF_KEY];
        uint8_t proof[ECVRF_PROOF];
        char bytes[200];
        memset(bytes, (int)i, sizeof bytes);
        const struct span input = {bytes, 2 * i};
        ecvrf_public_key(secret, key);
        assert_true(ecvrf_prove(secret, input, proof));
        assert_true(ecvrf_verify(key, input, proof));
        secret[2] = 1;
        assert_true(ecvrf_prove(secret, input, proof));
        assert_false(ecvrf_verify(key, input, proof));
    }
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
