/* Merkle trees of RFC 6962 section 2.1: one hash stands for a list, and a short path shows that an
 * entry is in it.
 *
 *                 root
 *              /        \
 *            01          2        an odd last node moves up unchanged
 *           /  \         │
 *          0    1        2        leaf = SHA-256(0x00 || data)
 *                                node = SHA-256(0x01 || left || right)
 */
#ifndef TILLROLL_ENGINE_BASE_MERKLE_H
#define TILLROLL_ENGINE_BASE_MERKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"

enum {
    MERKLE_HASH = 32,
    MERKLE_PATH_MAX = 32 /* hashes on a path: trees of up to 2^32 leaves */
};

/* The hash of a leaf. */
void merkle_leaf(struct span data, uint8_t hash[static MERKLE_HASH]);

/* The hash of the node above two others; `hash` may be one of them. */
void merkle_join(const uint8_t left[static MERKLE_HASH], const uint8_t right[static MERKLE_HASH],
                 uint8_t hash[static MERKLE_HASH]);

/* The number of nodes of a tree of `leaves` (at least 1), in the layout of merkle_build(). */
size_t merkle_nodes(size_t leaves);

/* Builds the tree above the hashes of `leaves` leaves at the start of `node`, which has room for
 * merkle_nodes(leaves): level after level, the root last. */
void merkle_build(uint8_t (*node)[MERKLE_HASH], size_t leaves);

/* The path from leaf `index` to the root of a built tree: the siblings, lowest first (RFC 6962
 * section 2.1.1). Returns their number. */
size_t merkle_path(const uint8_t (*node)[MERKLE_HASH], size_t leaves, size_t index,
                   uint8_t path[static MERKLE_PATH_MAX][MERKLE_HASH]);

/* Climbs from a leaf along a path (RFC 9162 section 2.1.3.2). False if a path of this length cannot
 * belong to this leaf of a tree of this size; otherwise `root` is the root that the tree must
 * have. */
bool merkle_climb(const uint8_t leaf[static MERKLE_HASH], size_t index, size_t leaves,
                  const uint8_t (*path)[MERKLE_HASH], size_t length,
                  uint8_t root[static MERKLE_HASH]);

#endif
