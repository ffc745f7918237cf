/* Changes of a log's key: what is read, and what is refused. The whole history is tested with two
 * verifiers by tests/engine/wasm/verifier.test.mjs. */
#include <sodium.h>
#include <string.h>

#include "engine/log/key_chain.h"
#include "tests/test.h"

struct signer {
    struct note_key key;
    uint8_t secret[64];
};

static struct signer make_signer(uint8_t number)
{
    struct signer signer;
    uint8_t seed[32] = {number};
    uint8_t public[32];
    crypto_sign_seed_keypair(public, signer.secret, seed);
    assert_true(note_key_make(&signer.key, span_of("club.example/log"), public));
    return signer;
}

static void sign_line(const struct signer *signer, struct span message, struct text *note)
{
    uint8_t signature[64];
    crypto_sign_detached(signature, NULL, (const unsigned char *)message.at, message.length,
                         signer->secret);
    note_add_signature(&signer->key, signature, note);
}

static void print_signed(const struct signer *old, const struct signer *new, bool by_old,
                         bool by_new, char bytes[static KEY_CHANGE_MAX])
{
    struct text note = {bytes, 0, KEY_CHANGE_MAX, (bytes[0] = '\0', false)};
    key_change_print(&old->key, &new->key, &note);
    struct span message = {bytes, note.length};
    text_add_char(&note, '\n');
    if (by_old)
        sign_line(old, message, &note);
    if (by_new)
        sign_line(new, message, &note);
    assert_false(note.overflow);
}

TEST(test_a_change)
{
    struct signer one = make_signer(1);
    struct signer two = make_signer(2);
    struct key_change change;
    struct record_fault fault;
    char bytes[KEY_CHANGE_MAX];
    char leaf_bytes[TLOG_LEAF_MAX];
    struct text leaf = TEXT_OVER(leaf_bytes);
    struct tlog_leaf again;
    print_signed(&one, &two, true, true, bytes);
    assert_true(key_change_read(span_of(bytes), &change, &fault));
    assert_memory_equal(change.old.public, one.key.public, 32);
    assert_memory_equal(change.new.public, two.key.public, 32);
    tlog_leaf_print(&change.leaf, &leaf);
    assert_false(leaf.overflow);
    assert_true(tlog_leaf_read(text_span(&leaf), &again));
    assert_int_equal(again.subject, TLOG_SERVER_KEY);
    assert_true(span_is(again.name, change.name));
    for (int by = 0; by < 2; by++) {
        print_signed(&one, &two, by == 0, by == 1, bytes);
        assert_false(key_change_read(span_of(bytes), &change, &fault));
        assert_string_equal(fault.code, "unsigned-key-change");
    }
    print_signed(&one, &one, true, true, bytes);
    assert_false(key_change_read(span_of(bytes), &change, &fault));
    assert_string_equal(fault.code, "bad-key-change");
    assert_false(key_change_read(span_of(""), &change, &fault));
    assert_string_equal(fault.code, "bad-key-change");
}

TEST(test_a_chain)
{
    struct key_chain chain = {.count = 0};
    struct record_fault fault;
    struct key_change change;
    char bytes[KEY_CHANGE_MAX];
    for (uint8_t i = 1; i < KEY_CHAIN_MAX; i++) {
        struct signer old = make_signer(i);
        struct signer new = make_signer((uint8_t)(i + 1));
        print_signed(&old, &new, true, true, bytes);
        assert_true(key_change_read(span_of(bytes), &change, &fault));
        assert_true(key_chain_add(&chain, &change, 10 * (uint64_t)i, &fault));
        assert_int_equal(chain.count, i + 1);
        assert_int_equal(chain.until[i - 1], 10 * i);
    }
    /* Again, it continues nothing. */
    assert_false(key_chain_add(&chain, &change, 1000, &fault));
    assert_string_equal(fault.code, "skipped-key");
    /* Full. */
    struct signer last = make_signer(KEY_CHAIN_MAX);
    struct signer more = make_signer(KEY_CHAIN_MAX + 1);
    print_signed(&last, &more, true, true, bytes);
    assert_true(key_change_read(span_of(bytes), &change, &fault));
    assert_false(key_chain_add(&chain, &change, 1000, &fault));
    assert_string_equal(fault.code, "skipped-key");
    assert_int_equal(chain.until[KEY_CHAIN_MAX - 1], TLOG_SIZE_MAX);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
