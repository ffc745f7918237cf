/* Receipts: what is signed, and that nothing else passes for it. */
#include <string.h>

#include <sodium.h>

#include "engine/game/catalog.h"
#include "engine/record/receipt.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

enum { LEAVES = 11 };

static uint8_t public_key[32];
static uint8_t secret_key[64];
static uint8_t heads[LEAVES][32];
static struct receipt receipts[LEAVES];
static struct receipt_proof proofs[LEAVES];

FIXTURE(sign_all)
{
    static const uint8_t seed[32] = {7};
    static uint8_t node[3 * LEAVES][MERKLE_HASH];
    char bytes[RECEIPT_MESSAGE_MAX];
    struct text message = TEXT_OVER(bytes);
    crypto_sign_seed_keypair(public_key, secret_key, seed);
    for (size_t i = 0; i < LEAVES; i++) {
        memset(heads[i], (int)(i + 1), sizeof heads[i]);
        receipts[i] =
            (struct receipt){"01a1fa8f-5942-78e1-b897-da3a3d5c2425", (uint32_t)i + 1, heads[i]};
        receipt_leaf(&receipts[i], node[i]);
    }
    merkle_build(node, LEAVES);
    receipt_message(LEAVES, node[merkle_nodes(LEAVES) - 1], &message);
    for (size_t i = 0; i < LEAVES; i++) {
        proofs[i].leaves = LEAVES;
        proofs[i].index = i;
        proofs[i].path_length =
            merkle_path((const uint8_t(*)[MERKLE_HASH])node, LEAVES, i, proofs[i].path);
        crypto_sign_detached(proofs[i].signature, NULL, (const uint8_t *)message.at, message.length,
                             secret_key);
    }
    return 0;
}

TEST(test_the_bytes)
{
    static const uint8_t root[MERKLE_HASH] = {0xab};
    char bytes[RECEIPT_MESSAGE_MAX];
    struct text text = TEXT_OVER(bytes);
    uint8_t leaf[MERKLE_HASH];
    uint8_t expected[MERKLE_HASH];
    receipt_message(3, root, &text);
    assert_string_equal(bytes,
                        "tillroll receipts\n3\n"
                        "ab00000000000000000000000000000000000000000000000000000000000000\n");
    receipt_leaf(&receipts[0], leaf);
    merkle_leaf(span_of("tillroll receipt\n01a1fa8f-5942-78e1-b897-da3a3d5c2425\n1\n"
                        "0101010101010101010101010101010101010101010101010101010101010101\n"),
                expected);
    assert_memory_equal(leaf, expected, sizeof leaf);
}

TEST(test_each_is_signed)
{
    for (size_t i = 0; i < LEAVES; i++)
        for (size_t proof = 0; proof < LEAVES; proof++)
            assert_int_equal(receipt_is_signed(&receipts[i], &proofs[proof], public_key),
                             i == proof);
}

TEST(test_no_changed_bit_passes)
{
    struct receipt receipt = receipts[6];
    struct receipt_proof proof = proofs[6];
    uint8_t head[32];
    memcpy(head, receipt.head, sizeof head);
    receipt.head = head;
    for (size_t bit = 0; bit < 8 * sizeof head; bit++) {
        head[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(receipt_is_signed(&receipt, &proof, public_key));
        head[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * sizeof proof.signature; bit++) {
        proof.signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(receipt_is_signed(&receipt, &proof, public_key));
        proof.signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t bit = 0; bit < 8 * MERKLE_HASH * proof.path_length; bit++) {
        uint8_t *path = proof.path[0];
        path[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(receipt_is_signed(&receipt, &proof, public_key));
        path[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    proof.leaves++;
    assert_false(receipt_is_signed(&receipt, &proof, public_key));
    proof.leaves--;
    receipt.seq++;
    assert_false(receipt_is_signed(&receipt, &proof, public_key));
    receipt.seq--;
    receipt.game = "01a1fa8f-5942-78e1-b897-da3a3d5c2426";
    assert_false(receipt_is_signed(&receipt, &proof, public_key));
    receipt.game = receipts[6].game;
    assert_true(receipt_is_signed(&receipt, &proof, public_key));
}

/* ---- Of entropy ---- */

static const uint8_t commitment[32] = {0xcd};
static const uint8_t entropy[RECORD_ENTROPY_MAX] = {0x01, 0x23};

TEST(test_the_bytes_of_entropy)
{
    const struct entropy_receipt receipt = {receipts[0].game, commitment, 2, entropy, 2};
    char bytes[RECEIPT_ENTROPY_MAX];
    struct text text = TEXT_OVER(bytes);
    receipt_entropy_message(&receipt, &text);
    assert_string_equal(bytes, "tillroll entropy receipt\n01a1fa8f-5942-78e1-b897-da3a3d5c2425\n"
                               "cd00000000000000000000000000000000000000000000000000000000000000\n"
                               "2\n0123\n");
    const struct entropy_receipt longest = {receipts[0].game, commitment, 4, entropy,
                                            sizeof entropy};
    text_clear(&text);
    receipt_entropy_message(&longest, &text);
    assert_false(text.overflow);
}

TEST(test_entropy_is_signed_as_it_was_given)
{
    static const uint8_t other[32] = {0xce}, others[2] = {0x01, 0x22};
    const struct entropy_receipt receipt = {receipts[0].game, commitment, 2, entropy, 2};
    const struct entropy_receipt wrong[] = {
        {"01a1fa8f-5942-78e1-b897-da3a3d5c2426", commitment, 2, entropy, 2},
        {receipts[0].game, other, 2, entropy, 2},
        {receipts[0].game, commitment, 1, entropy, 2},
        {receipts[0].game, commitment, 2, others, 2},
        {receipts[0].game, commitment, 2, entropy, 3}};
    char bytes[RECEIPT_ENTROPY_MAX];
    struct text text = TEXT_OVER(bytes);
    uint8_t signature[64];
    receipt_entropy_message(&receipt, &text);
    crypto_sign_detached(signature, NULL, (const uint8_t *)text.at, text.length, secret_key);
    assert_true(receipt_entropy_is_signed(&receipt, signature, public_key));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(receipt_entropy_is_signed(&wrong[i], signature, public_key));
    for (size_t bit = 0; bit < 8 * sizeof signature; bit++) {
        signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(receipt_entropy_is_signed(&receipt, signature, public_key));
        signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void expect_kept(const struct entropy_receipt *receipt, struct span record, const char *code)
{
    struct record_fault fault = {.code = ""};
    assert_int_equal(receipt_entropy_is_kept(receipt, record, &fault), code[0] == '\0');
    assert_string_equal(fault.code, code);
}

/* Signed receipts against records that have other entropy, or commit to another secret. */
TEST(test_entropy_is_kept_in_the_record)
{
    const struct game *game = catalog_newest(span_of("shinjuku"));
    const struct game_options options = game_options_initial(game);
    struct record_header header;
    struct roll roll;
    struct roll_writer writer;
    uint8_t secret[32];
    roll_header(&header, game, 3, &options, 1, secret);
    roll_begin(&writer, &roll, &header, secret, 1);
    const struct record_seat *given = &header.seat[2];
    struct entropy_receipt receipt = {header.game_id, header.commitment, 2, given->entropy,
                                      given->entropy_size};
    expect_kept(&receipt, roll_span(&roll), "");
    receipt.entropy = entropy;
    expect_kept(&receipt, roll_span(&roll), "other-entropy");
    receipt.entropy = given->entropy;
    receipt.size--;
    expect_kept(&receipt, roll_span(&roll), "other-entropy");
    receipt.size++;
    receipt.seat = 0;
    expect_kept(&receipt, roll_span(&roll), "other-entropy");
    receipt.seat = 3;
    expect_kept(&receipt, roll_span(&roll), "other-entropy");
    receipt.seat = 2;
    receipt.commitment = heads[0];
    expect_kept(&receipt, roll_span(&roll), "other-commitment");
    receipt.game = receipts[0].game;
    expect_kept(&receipt, roll_span(&roll), "other-game");
    roll_end(&writer);
    roll_free(&roll);
}

int main(void)
{
    return run_all_tests(sign_all, NULL);
}
