/* The texts of a log: leaves, checkpoints, proofs, and records with them. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/log/bundle.h"
#include "engine/log/tlog.h"
#include "tests/engine/support/grown_log.h"
#include "tests/test.h"

#define ID   "0192f0c1-2345-7abc-8def-0123456789ab"
#define HASH "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

/* ---- Leaves ---- */

TEST(test_leaves)
{
    static const char *const leaves[] = {
        "tillroll game\n" ID "\n" HASH "\n",
        "tillroll commitment\n" ID "/round/1000\n" HASH "\n",
        "tillroll event-log\n" ID "\n" HASH "\n",
        "tillroll standings\n" ID "\n" HASH "\n",
        "tillroll ruling\n" ID "/line/100000\n" HASH "\n",
        "tillroll dispute\n" ID "\n" HASH "\n",
        "tillroll key\n" ID "/key/256\n" HASH "\n",
        "tillroll event-step\n" ID "/line/100000\n" HASH "\n",
    };
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        struct tlog_leaf leaf;
        char bytes[TLOG_LEAF_MAX];
        struct text text = TEXT_OVER(bytes);
        assert_true(tlog_leaf_read(span_of(leaves[i]), &leaf));
        assert_int_equal(leaf.subject, i);
        tlog_leaf_print(&leaf, &text);
        assert_string_equal(bytes, leaves[i]);
    }
}

TEST(test_no_leaves)
{
    static const char *const bad[] = {
        "",
        "\n",
        "tillroll game\n",
        "tillroll game\n" ID "\n" HASH,
        "tillroll game\n" ID "\n" HASH "\n\n",
        "tillroll game\n" ID "\n" HASH "\nmore\n",
        "tillroll game\n\n" HASH "\n",
        "tillroll game\n" ID "\n" HASH "0\n",
        "tillroll games\n" ID "\n" HASH "\n",
        "tillroll game\n" ID ID "\n" HASH "\n",
    };
    struct tlog_leaf leaf;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (tlog_leaf_read(span_of(bad[i]), &leaf))
            fail_msg("leaf %zu is none", i);
}

/* All that is looked at. */
static const char record[] = "tillroll 1 #951a03ca\n"
                             "game " ID " shinjuku 1.0.0 x #00000000\n"
                             "head " HASH " #00000000\n";

TEST(test_leaf_of_a_record)
{
    struct tlog_leaf leaf;
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    assert_true(tlog_leaf_of_record(span_of(record), &leaf));
    tlog_leaf_print(&leaf, &text);
    assert_string_equal(bytes, "tillroll game\n" ID "\n" HASH "\n");
    static const char *const bad[] = {
        "",
        "\n",
        "head " HASH " #00000000\n",
        "tillroll 1 #951a03ca\ngame " ID " x\n",
        "tillroll 1 #951a03ca\ngame " ID " x\nhead 00 #00000000\n",
        "tillroll 1 #951a03ca\nevent " ID " x\nhead " HASH " #00000000\n",
        "tillroll 1 #951a03ca\ngame " ID " x\nhead " HASH " #00000000\n\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (tlog_leaf_of_record(span_of(bad[i]), &leaf))
            fail_msg("record %zu has no head", i);
}

/* ---- Checkpoints and proofs ---- */

TEST(test_checkpoints)
{
    /* The example of c2sp.org/tlog-checkpoint. */
    static const char example[] = "example.com/behind-the-sofa\n20852163\n"
                                  "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    struct checkpoint checkpoint;
    char bytes[CHECKPOINT_TEXT_MAX];
    struct text text = TEXT_OVER(bytes);
    assert_true(checkpoint_read(span_of(example), &checkpoint));
    assert_int_equal(checkpoint.size, 20852163);
    assert_true(span_is(checkpoint.origin, "example.com/behind-the-sofa"));
    checkpoint_print(&checkpoint, &text);
    assert_string_equal(bytes, example);
    assert_true(checkpoint_read(
        span_of("o\n0\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\nextension\n"), &checkpoint));
    static const char *const bad[] = {
        "",
        "o\n",
        "o\n1\n",
        "\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "o\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "o\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "o\n4294967296\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I\n",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\nmore\n",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=",
        "o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\nextension",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (checkpoint_read(span_of(bad[i]), &checkpoint))
            fail_msg("checkpoint %zu is none", i);
}

TEST(test_proofs)
{
    static const char good[] = TLOG_PROOF_FIRST_LINE
        "\nindex 7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\nthe checkpoint\n";
    struct tlog_proof proof;
    char bytes[TLOG_PROOF_MAX];
    struct text text = TEXT_OVER(bytes);
    assert_true(tlog_proof_read(span_of(good), &proof));
    assert_int_equal(proof.index, 7);
    assert_int_equal(proof.length, 1);
    tlog_proof_print(&proof, &text);
    assert_string_equal(bytes, good);
    assert_true(tlog_proof_read(
        span_of(TLOG_PROOF_FIRST_LINE "\nextra AAAA\nindex 0\n\nthe checkpoint\n"), &proof));
    assert_int_equal(proof.length, 0);
    static const char *const bad[] = {
        "",
        "c2sp.org/tlog-proof@v2\nindex 0\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\n",
        TLOG_PROOF_FIRST_LINE "\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindex\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindex 01\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindex 4294967295\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindexes 1\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindex 1\nAAAA\n\nx\n",
        TLOG_PROOF_FIRST_LINE "\nindex 1\n",
        TLOG_PROOF_FIRST_LINE "\nindex 1\n\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (tlog_proof_read(span_of(bad[i]), &proof))
            fail_msg("proof %zu is none", i);
}

TEST(test_a_path_that_is_too_long)
{
    struct tlog_proof proof;
    for (size_t hashes = TLOG_PATH_MAX; hashes <= TLOG_PATH_MAX + 1; hashes++) {
        char bytes[TLOG_PROOF_MAX + 64];
        struct text text = TEXT_OVER(bytes);
        text_add(&text, TLOG_PROOF_FIRST_LINE "\nindex 1\n");
        for (size_t i = 0; i < hashes; i++)
            text_add(&text, "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n");
        text_add(&text, "\nx\n");
        assert_false(text.overflow);
        assert_int_equal(tlog_proof_read(text_span(&text), &proof), hashes == TLOG_PATH_MAX);
    }
}

/* ---- Bundles ---- */

struct signer {
    struct note_key key;
    uint8_t secret[64];
};

static struct signer make_signer(const char *name)
{
    struct signer signer;
    uint8_t public[32];
    crypto_sign_keypair(public, signer.secret);
    assert_true(note_key_make(&signer.key, span_of(name), public));
    return signer;
}

/* Appends an empty line and the signature of what has been written since `begin`. */
static void sign(const struct signer *signer, struct text *text, size_t begin)
{
    uint8_t signature[64];
    crypto_sign_detached(signature, NULL, (const unsigned char *)text->at + begin,
                         text->length - begin, signer->secret);
    text_add_char(text, '\n');
    note_add_signature(&signer->key, signature, text);
}

/* A log of five leaves of which the record's is the fourth. */
static void add_proof(const struct signer *signer, struct text *text)
{
    enum { LEAVES = 5, INDEX = 3 };
    uint8_t node[16][MERKLE_HASH];
    struct tlog_leaf leaf;
    struct tlog_proof proof = {.index = INDEX, .checkpoint = {"", 0}};
    struct checkpoint checkpoint = {.origin = span_of(signer->key.name), .size = LEAVES};
    for (size_t i = 0; i < LEAVES; i++) {
        char bytes[32];
        merkle_leaf(grown_log_leaf(i, bytes), node[i]);
    }
    assert_true(tlog_leaf_of_record(span_of(record), &leaf));
    tlog_leaf_hash(&leaf, node[INDEX]);
    merkle_build(node, LEAVES);
    proof.length = merkle_path((const uint8_t(*)[MERKLE_HASH])node, LEAVES, INDEX, proof.path);
    memcpy(checkpoint.root, node[merkle_nodes(LEAVES) - 1], MERKLE_HASH);
    tlog_proof_print(&proof, text);
    size_t begin = text->length;
    checkpoint_print(&checkpoint, text);
    sign(signer, text, begin);
}

TEST(test_bundles)
{
    struct signer server = make_signer("club.example/log");
    struct signer other = make_signer("other.example/log");
    struct signer impostor = make_signer("club.example/log");
    char bytes[4096];
    struct text text = TEXT_OVER(bytes);
    struct bundle bundle;
    struct checkpoint checkpoint;
    struct record_fault fault;

    text_add(&text, record);
    bundle_split(text_span(&text), &bundle);
    assert_true(span_is(bundle.record, record));
    assert_false(bundle_is_signed(&bundle, &server.key, &fault));
    assert_string_equal(fault.code, "no-signature");
    assert_false(bundle_is_logged(&bundle, &server.key, &checkpoint, &fault));
    assert_string_equal(fault.code, "no-proof");

    sign(&server, &text, 0);
    bundle_split(text_span(&text), &bundle);
    assert_true(span_is(bundle.record, record));
    assert_true(bundle_is_signed(&bundle, &server.key, &fault));
    assert_false(bundle_is_signed(&bundle, &other.key, &fault));
    assert_string_equal(fault.code, "no-signature");
    assert_int_equal(bundle.proof.length, 0);

    text_add_char(&text, '\n');
    add_proof(&server, &text);
    assert_false(text.overflow);
    bundle_split(text_span(&text), &bundle);
    assert_true(span_is(bundle.record, record));
    assert_true(bundle_is_signed(&bundle, &server.key, &fault));
    assert_true(bundle_is_logged(&bundle, &server.key, &checkpoint, &fault));
    assert_int_equal(checkpoint.size, 5);
    assert_true(bundle_is_logged(&bundle, NULL, &checkpoint, &fault));
    assert_false(bundle_is_logged(&bundle, &other.key, &checkpoint, &fault));
    assert_string_equal(fault.code, "other-log");
    assert_false(bundle_is_logged(&bundle, &impostor.key, &checkpoint, &fault));
    assert_string_equal(fault.code, "unsigned-checkpoint");
}

/* They stand between the server's and the proof, and neither sees them. */
TEST(test_bundles_with_players_signatures)
{
    static const char players[] = "tillroll signatures 1\ngame 01\nentropy 0 ab\n3 cd\n";
    struct signer server = make_signer("club.example/log");
    char bytes[4096];
    struct text text = TEXT_OVER(bytes);
    struct bundle bundle;
    struct checkpoint checkpoint;
    struct record_fault fault;
    text_add(&text, record);
    sign(&server, &text, 0);
    text_add_char(&text, '\n');
    text_add(&text, players);
    bundle_split(text_span(&text), &bundle);
    assert_true(span_is(bundle.record, record));
    assert_true(span_is(bundle.players, players));
    assert_int_equal(bundle.proof.length, 0);
    assert_true(bundle_is_signed(&bundle, &server.key, &fault));
    text_add_char(&text, '\n');
    add_proof(&server, &text);
    bundle_split(text_span(&text), &bundle);
    assert_true(span_is(bundle.record, record));
    assert_true(span_is(bundle.players, players));
    assert_true(bundle_is_signed(&bundle, &server.key, &fault));
    assert_true(bundle_is_logged(&bundle, &server.key, &checkpoint, &fault));
}

/* If any byte is changed, either the signature or the proof does not hold. */
TEST(test_no_byte_can_be_changed)
{
    struct signer server = make_signer("club.example/log");
    char bytes[4096];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, record);
    sign(&server, &text, 0);
    text_add_char(&text, '\n');
    add_proof(&server, &text);
    for (size_t i = 0; i < text.length; i++) {
        struct bundle bundle;
        struct checkpoint checkpoint;
        struct record_fault fault;
        bytes[i] = (char)(bytes[i] ^ 1);
        bundle_split(text_span(&text), &bundle);
        if (bundle_is_signed(&bundle, &server.key, &fault) &&
            bundle_is_logged(&bundle, &server.key, &checkpoint, &fault))
            fail_msg("byte %zu", i);
        bytes[i] = (char)(bytes[i] ^ 1);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
