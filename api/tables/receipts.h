/* Answers to moves that are in the record: receipts (engine/record/receipt.h), signed for all that
 * are answered together, because a signature takes as long as everything else about a move.
 */
#ifndef TILLROLL_API_TABLES_RECEIPTS_H
#define TILLROLL_API_TABLES_RECEIPTS_H

#include "api/http/http.h"
#include "api/state/keys.h"
#include "engine/record/receipt.h"
#include "engine/record/replay.h"

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

/* Where a game is, as far as the answer to a move says. */
struct receipts_position {
    uint32_t seq; /* of the last entry */
    bool playing;
    uint32_t deciders; /* bit s: seat s decides; 0 unless playing */
};

/* Where this game is; it points to nothing of `replay`. Any thread. */
struct receipts_position receipts_position(const struct replay *replay);

/* Answers a move with receipt `index` of these, and where the game is now. */
void receipts_answer(const struct receipts *receipts, size_t index, const struct receipt *receipt,
                     const struct receipts_position *position, struct arena *arena,
                     struct http_response *response);

/* Signs a receipt by itself and answers with it. */
void receipts_answer_one(const struct keys *keys, const struct receipt *receipt,
                         const struct replay *replay, struct arena *arena,
                         struct http_response *response);

#endif
