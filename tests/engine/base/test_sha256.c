/* SHA-256 against FIPS 180-4's examples, and the processor's way against libsodium's. */
#include <string.h>

#include "engine/base/sha256.h"
#include "tests/test.h"

typedef void hash_function(uint8_t hash[static SHA256_BYTES], struct span first,
                           struct span second);

static void check_hex(hash_function *function, const char *first, const char *second,
                      const char *expected)
{
    uint8_t hash[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    function(hash, span_of(first), span_of(second));
    text_add_hex(&text, hash, sizeof hash);
    assert_string_equal(hex, expected);
}

/* NIST, Cryptographic Standards and Guidelines, examples with intermediate values. */
TEST(test_examples)
{
    static hash_function *const functions[] = {sha256, sha256_portable};
    for (size_t i = 0; i < 2; i++) {
        check_hex(functions[i], "", "",
                  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check_hex(functions[i], "abc", "",
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check_hex(functions[i], "a", "bc",
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        check_hex(functions[i], "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}

/* Every length around the ends of blocks, cut at every place that matters. */
TEST(test_both_are_the_same)
{
    enum { MOST = 300 };
    char bytes[MOST];
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (char)(i * 7 + i / 64);
    for (size_t length = 0; length <= MOST; length++) {
        for (size_t cut = 0; cut <= length; cut += 9) {
            uint8_t hash[SHA256_BYTES];
            uint8_t expected[SHA256_BYTES];
            const struct span first = {bytes, cut};
            const struct span second = {bytes + cut, length - cut};
            sha256(hash, first, second);
            sha256_portable(expected, first, second);
            assert_memory_equal(hash, expected, sizeof hash);
        }
    }
}

TEST(test_in_place)
{
    uint8_t hash[SHA256_BYTES] = {1, 2, 3};
    uint8_t expected[SHA256_BYTES];
    const struct span own = {(const char *)hash, sizeof hash};
    sha256_portable(expected, own, own);
    sha256(hash, own, own);
    assert_memory_equal(hash, expected, sizeof hash);
}

/* A line is chained as its hash is stated: with its length around the ends of blocks, each hash
 * going into the next. */
TEST(test_chain)
{
    enum { MOST = 600 };
    char line[MOST];
    uint8_t hash[SHA256_BYTES] = {0x0f, 0xa0, 0xff};
    uint8_t portable[SHA256_BYTES];
    memcpy(portable, hash, sizeof hash);
    for (size_t length = 0; length <= MOST; length++) {
        char bytes[2 * SHA256_BYTES + MOST + 3];
        uint8_t expected[SHA256_BYTES];
        struct text text = TEXT_OVER(bytes);
        if (length > 0)
            line[length - 1] = (char)(' ' + length % 90);
        text_add_hex(&text, hash, sizeof hash);
        text_add_char(&text, ' ');
        text_add_span(&text, (struct span){line, length});
        text_add_char(&text, '\n');
        assert_false(text.overflow);
        sha256_portable(expected, text_span(&text), span_of(""));
        sha256_chain(hash, (struct span){line, length});
        assert_memory_equal(hash, expected, sizeof hash);
        sha256_chain_portable(portable, (struct span){line, length});
        assert_memory_equal(portable, expected, sizeof hash);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
