/* Receipts: bytes choose a tree, a leaf, and one bit of the proof that is changed; the rest is a
 * record against which the receipt is held. */
#include <sodium.h>
#include <string.h>

#include "engine/record/receipt.h"
#include "support.h"

enum { LEAVES_MOST = 70 };

#define GAME "0190163d-8694-739b-aea5-966c26f8ad91"

struct tree {
    uint8_t node[3 * LEAVES_MOST][MERKLE_HASH];
    uint8_t head[LEAVES_MOST][32];
    size_t leaves;
};

static void grow(struct tree *tree, struct fuzz_input *input)
{
    tree->leaves = 1 + fuzz_below(input, LEAVES_MOST);
    uint8_t first = fuzz_byte(input);
    for (size_t i = 0; i < tree->leaves; i++) {
        struct receipt receipt = {GAME, (uint32_t)i + 1, tree->head[i]};
        memset(tree->head[i], (int)((first + i) & 0xff), sizeof tree->head[i]);
        receipt_leaf(&receipt, tree->node[i]);
    }
    merkle_build(tree->node, tree->leaves);
}

/* One bit of `size` bytes. */
static void flip(uint8_t *bytes, size_t size, struct fuzz_input *input)
{
    unsigned bit = fuzz_below(input, (unsigned)(8 * size));
    bytes[bit / 8] = (uint8_t)(bytes[bit / 8] ^ 1U << bit % 8);
}

/* False if nothing was changed that matters. */
static bool change(struct receipt *receipt, struct receipt_proof *proof, uint8_t head[static 32],
                   struct fuzz_input *input)
{
    switch (fuzz_below(input, 7)) {
    case 0:
        flip(head, 32, input);
        return true;
    case 1:
        flip(proof->signature, sizeof proof->signature, input);
        return true;
    case 2:
        if (proof->path_length == 0)
            return false;
        flip(proof->path[0], proof->path_length * MERKLE_HASH, input);
        return true;
    case 3:
        receipt->seq += 1 + fuzz_byte(input);
        return true;
    case 4:
        proof->leaves += 1 + fuzz_below(input, 65536);
        return true;
    case 5:
        if (proof->path_length == 0)
            return false;
        proof->path_length -= 1 + fuzz_below(input, (unsigned)proof->path_length);
        return true;
    default:
        return false;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint8_t seed[32] = {7};
    static struct tree tree;
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct receipt_proof proof = {0};
    struct record_fault fault = {0};
    uint8_t public_key[32];
    uint8_t secret_key[64];
    uint8_t head[32];
    char message_bytes[RECEIPT_MESSAGE_MAX];
    struct text message = TEXT_OVER(message_bytes);
    crypto_sign_seed_keypair(public_key, secret_key, seed);
    grow(&tree, &input);
    proof.leaves = tree.leaves;
    proof.index = fuzz_below(&input, (unsigned)tree.leaves);
    memcpy(head, tree.head[proof.index], sizeof head);
    struct receipt receipt = {GAME, (uint32_t)proof.index + 1, head};
    proof.path_length =
        merkle_path((const uint8_t(*)[MERKLE_HASH])tree.node, tree.leaves, proof.index, proof.path);
    receipt_message(tree.leaves, tree.node[merkle_nodes(tree.leaves) - 1], &message);
    FUZZ_MUST(!message.overflow);
    crypto_sign_detached(proof.signature, NULL, (const uint8_t *)message.at, message.length,
                         secret_key);
    FUZZ_MUST(receipt_is_signed(&receipt, &proof, public_key));
    if (change(&receipt, &proof, head, &input))
        FUZZ_MUST(!receipt_is_signed(&receipt, &proof, public_key));
    if (!receipt_is_kept(&receipt, fuzz_rest(&input), &fault))
        FUZZ_MUST(fault.code != NULL && fault.message[0] != '\0');
    return 0;
}
