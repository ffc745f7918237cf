/* Receipts: the server's signed word that moves are in their records. A signature takes as long as
 * everything else about a move, so those that are answered together share one: it is made over the
 * root of an RFC 6962 tree whose leaves are the words of its receipts, and each receipt carries the
 * path from its leaf to the root. A receipt stands alone all the same.
 *
 *      leaf    "tillroll receipt\n<game>\n<seq>\n<head>\n"
 *      signed  "tillroll receipts\n<leaves>\n<root>\n"         head and root in hex
 */
#ifndef TILLROLL_API_RECEIPTS_H
#define TILLROLL_API_RECEIPTS_H

#include "api/http.h"
#include "api/keys.h"
#include "engine/merkle.h"
#include "engine/replay.h"

/* What a receipt says: the record of `game` has an entry `seq`, and its chain's value there is
 * `head`. */
struct receipt {
    const struct id *game;
    unsigned seq;
    const uint8_t *head; /* 32 bytes */
};

/* Receipts that share a signature. */
struct receipts {
    size_t count;
    uint8_t (*node)[MERKLE_HASH]; /* the tree, see merkle_build() */
    uint8_t signature[64];
    char key[17]; /* names the signing key */
};

/* Signs `count` (at least 1) receipts; the tree is made in `arena`. */
void receipts_sign(struct receipts *receipts, const struct keys *keys, struct arena *arena,
                   const struct receipt *receipt, size_t count);

/* Answers a move with receipt `index` of these, and where the game is now. */
void receipts_answer(const struct receipts *receipts, size_t index, const struct receipt *receipt,
                     const struct replay *replay, struct arena *arena,
                     struct http_response *response);

#endif
