/* Receipts: the server's signed statement that a record has an entry `seq`, and what the chain's
 * value is there. Moves answered together share one Ed25519 signature over the root of an RFC 6962
 * tree whose leaves are these statements; each receipt contains the path from its leaf.
 *
 *      leaf    "tillroll receipt\n<game>\n<seq>\n<head>\n"
 *      signed  "tillroll receipts\n<leaves>\n<root>\n"         head and root in hex
 *
 * A player who gives entropy before a game starts (RECORD.md, Luck) gets the server's statement
 * that it was accepted, for that commitment; it is signed individually:
 *
 *      signed  "tillroll entropy receipt\n<game>\n<commitment>\n<seat>\n<entropy>\n"
 *
 * A decision that several seats take at the same time is sealed at first. Its receipt names the
 * decision by the number of plies and take-backs before it (replay_decision_number()):
 *
 *      signed  "tillroll sealed move\n<game>\n<number>\n<seat>\n<move>\n"
 *
 * A receipt is self-contained: with it, the server's public key and the record, anyone can check
 * whether the server kept its promise.
 */
#ifndef TILLROLL_ENGINE_RECORD_RECEIPT_H
#define TILLROLL_ENGINE_RECORD_RECEIPT_H

#include "engine/base/merkle.h"
#include "engine/record/record.h"

struct receipt {
    const char *game; /* the game's id */
    uint32_t seq;
    const uint8_t *head; /* 32 bytes: the chain's value after that entry */
};

/* The proof of a receipt. */
struct receipt_proof {
    size_t leaves, index;
    uint8_t path[MERKLE_PATH_MAX][MERKLE_HASH];
    size_t path_length;
    uint8_t signature[64];
};

enum { RECEIPT_MESSAGE_MAX = 160 };

/* The hash of the receipt's leaf. */
void receipt_leaf(const struct receipt *receipt, uint8_t hash[static MERKLE_HASH]);

/* Appends the message that is signed: at most RECEIPT_MESSAGE_MAX bytes. */
void receipt_message(size_t leaves, const uint8_t root[static MERKLE_HASH], struct text *text);

/* True if the proof leads from this receipt to a signature by `key`. */
bool receipt_is_signed(const struct receipt *receipt, const struct receipt_proof *proof,
                       const uint8_t key[static 32]);

/* True if the record holds what the receipt promises. False with a fault if the record is of
 * another game, its form or chain is not valid up to that entry, the entry is missing, or it is a
 * different one. */
bool receipt_is_kept(const struct receipt *receipt, struct span record, struct record_fault *fault);

/* Entropy that was accepted from a player. */
struct entropy_receipt {
    const char *game;
    const uint8_t *commitment; /* 32 bytes */
    unsigned seat;
    const uint8_t *entropy; /* `size` bytes, 1 .. RECORD_ENTROPY_MAX */
    size_t size;
};

enum { RECEIPT_ENTROPY_MAX = 256 };

/* Appends the message that is signed: at most RECEIPT_ENTROPY_MAX bytes. */
void receipt_entropy_message(const struct entropy_receipt *receipt, struct text *text);

/* True if `signature` is a signature of the message by `key`. */
bool receipt_entropy_is_signed(const struct entropy_receipt *receipt,
                               const uint8_t signature[static 64], const uint8_t key[static 32]);

/* True if the record has that commitment, and that entropy for that seat. False with a fault if the
 * record is of another game, its header is not valid, or it differs there. */
bool receipt_entropy_is_kept(const struct entropy_receipt *receipt, struct span record,
                             struct record_fault *fault);

/* A decision that was accepted, sealed. */
struct sealed_receipt {
    const char *game;
    uint32_t number; /* plies and take-backs before the decision */
    unsigned seat;
    struct span move;
};

enum { RECEIPT_SEALED_MAX = 256 };

/* Appends the message that is signed: at most RECEIPT_SEALED_MAX bytes. */
void receipt_sealed_message(const struct sealed_receipt *receipt, struct text *text);

/* True if `signature` is a signature of the message by `key`. */
bool receipt_sealed_is_signed(const struct sealed_receipt *receipt,
                              const uint8_t signature[static 64], const uint8_t key[static 32]);

/* True if the record has that move of that seat in that decision. False with a fault if the record
 * is of another game, its form or chain is not valid up to there, the decision was not completed
 * (taken back, or the game ended before), or the seat's move is a different one. */
bool receipt_sealed_is_kept(const struct sealed_receipt *receipt, struct span record,
                            struct record_fault *fault);

#endif
