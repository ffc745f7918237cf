/* Receipts: the server's signed word that a record has an entry `seq`, and what the record's chain
 * is there. Moves that are answered together share one Ed25519 signature: it is made over the root
 * of an RFC 6962 tree whose leaves are these words, and each receipt carries the path from its
 * leaf.
 *
 *      leaf    "tillroll receipt\n<game>\n<seq>\n<head>\n"
 *      signed  "tillroll receipts\n<leaves>\n<root>\n"         head and root in hex
 *
 * Who gives entropy before a game starts (RECORD.md, Luck) has the server's word that it has taken
 * it, to that commitment; it is signed by itself:
 *
 *      signed  "tillroll entropy receipt\n<game>\n<commitment>\n<seat>\n<entropy>\n"
 *
 * So a receipt stands alone: whoever has it, the server's public key and the record can tell
 * whether the server has kept its word.
 */
#ifndef TILLROLL_ENGINE_RECEIPT_H
#define TILLROLL_ENGINE_RECEIPT_H

#include "engine/merkle.h"
#include "engine/record.h"

struct receipt {
    const char *game; /* its id */
    uint32_t seq;
    const uint8_t *head; /* 32 bytes: the chain after that entry */
};

/* How a receipt is proved. */
struct receipt_proof {
    size_t leaves, index;
    uint8_t path[MERKLE_PATH_MAX][MERKLE_HASH];
    size_t path_length;
    uint8_t signature[64];
};

enum { RECEIPT_MESSAGE_MAX = 160 };

/* The hash of its leaf. */
void receipt_leaf(const struct receipt *receipt, uint8_t hash[static MERKLE_HASH]);

/* Appends what is signed: at most RECEIPT_MESSAGE_MAX bytes. */
void receipt_message(size_t leaves, const uint8_t root[static MERKLE_HASH], struct text *text);

/* True if the proof leads from this receipt to a signature by `key`. */
bool receipt_is_signed(const struct receipt *receipt, const struct receipt_proof *proof,
                       const uint8_t key[static 32]);

/* True if the record holds what the receipt promises. False with a fault: it is of another game,
 * its form or chain does not hold up to that entry, it has no such entry, or another one. */
bool receipt_is_kept(const struct receipt *receipt, struct span record, struct record_fault *fault);

/* What has been taken of a player. */
struct entropy_receipt {
    const char *game;
    const uint8_t *commitment; /* 32 bytes */
    unsigned seat;
    const uint8_t *entropy; /* `size` bytes, 1 .. RECORD_ENTROPY_MAX */
    size_t size;
};

enum { RECEIPT_ENTROPY_MAX = 256 };

/* Appends what is signed: at most RECEIPT_ENTROPY_MAX bytes. */
void receipt_entropy_message(const struct entropy_receipt *receipt, struct text *text);

/* True if `signature` is that of the message by `key`. */
bool receipt_entropy_is_signed(const struct entropy_receipt *receipt,
                               const uint8_t signature[static 64], const uint8_t key[static 32]);

/* True if the record has that commitment, and that entropy of that seat. False with a fault: it is
 * of another game, its header does not hold, or it has something else there. */
bool receipt_entropy_is_kept(const struct entropy_receipt *receipt, struct span record,
                             struct record_fault *fault);

#endif
