/* Responses to recorded moves: receipts (engine/record/receipt.h). One signature covers all moves
 * that are answered together, since signing takes as long as the rest of the work for a move. */
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
    char key[17]; /* id of the signing key */
};

/* Signs `count` (at least 1) receipts; the tree is made in `arena`. */
void receipts_sign(struct receipts *receipts, const struct keys *keys, struct arena *arena,
                   const struct receipt *receipt, size_t count);

/* The position of a game in the response to a move. */
struct receipts_position {
    uint32_t seq; /* number of the last entry */
    bool playing;
    uint32_t deciders; /* bit s: seat s decides; 0 unless playing */
};

/* The position of this game; holds no pointer into `replay`. Any thread. */
struct receipts_position receipts_position(const struct replay *replay);

/* Answers a move with receipt `index` of these, and the game's position. */
void receipts_answer(const struct receipts *receipts, size_t index, const struct receipt *receipt,
                     const struct receipts_position *position, struct arena *arena,
                     struct http_response *response);

/* Signs a single receipt and answers with it. */
void receipts_answer_one(const struct keys *keys, const struct receipt *receipt,
                         const struct replay *replay, struct arena *arena,
                         struct http_response *response);

#endif
