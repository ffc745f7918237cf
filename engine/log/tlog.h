/* The arithmetic of an append-only log: one RFC 6962 tree over all its leaves, stored in tiles
 * (c2sp.org/tlog-tiles).
 *
 *      level 1     [ hash of tile 0 | hash of tile 1 | ..             256 hashes a tile
 *      level 0     [ 256 leaves     ][ 256 leaves    ][ 17 leaves     the last of a level is open
 *
 * The stored hashes are those of level 0, which are the leaf hashes, and of each level above, where
 * a hash is the root of a full tile of the level below. All hashes in between are computed when
 * needed. Stored hashes never change; a growing log only adds more.
 */
#ifndef TILLROLL_ENGINE_LOG_TLOG_H
#define TILLROLL_ENGINE_LOG_TLOG_H

#include "engine/base/merkle.h"

enum {
    TLOG_TILE = 256,    /* hashes in a full tile */
    TLOG_LEVELS = 4,    /* levels of tiles: for TLOG_SIZE_MAX leaves */
    TLOG_PATH_MAX = 33, /* hashes in a proof */
    TLOG_TILES_MAX = 4 * TLOG_LEVELS
};

#define TLOG_SIZE_MAX UINT32_MAX /* leaves */

/* The number of hashes on level `level` of a log of `size` leaves. */
uint64_t tlog_level_width(uint64_t size, unsigned level);

/* ---- Growing ---- */

/* The open tiles, which are all that is needed to append; zeroed, an empty log. */
struct tlog_edge {
    uint64_t size;
    uint8_t hash[TLOG_LEVELS][TLOG_TILE][MERKLE_HASH]; /* tlog_edge_width() hashes on each level */
};

/* A completed hash of a level above 0. */
struct tlog_node {
    unsigned level;
    uint64_t index;
    uint8_t hash[MERKLE_HASH];
};

/* The number of hashes in the open tile of a level: 0 .. 255. */
size_t tlog_edge_width(const struct tlog_edge *edge, unsigned level);

/* Appends the hash of a leaf. Returns the number of hashes that it completed, in `node`. Before the
 * call the log has fewer than TLOG_SIZE_MAX leaves. */
size_t tlog_edge_add(struct tlog_edge *edge, const uint8_t leaf[static MERKLE_HASH],
                     struct tlog_node node[static TLOG_LEVELS]);

/* The root of the tree; for an empty tree, SHA-256 of nothing. */
void tlog_edge_root(const struct tlog_edge *edge, uint8_t root[static MERKLE_HASH]);

/* ---- Proving ---- */

/* Leaves first .. end - 1; a proof needs the hash of their tree. */
struct tlog_range {
    uint64_t first, end;
};

/* The ranges of the path from leaf `index` to the root of the first `size` leaves, lowest first
 * (RFC 6962 section 2.1.1); index < size <= TLOG_SIZE_MAX. Returns their number. */
size_t tlog_inclusion(uint64_t index, uint64_t size, struct tlog_range range[static TLOG_PATH_MAX]);

/* The ranges of the proof that the tree of `to` leaves extends that of its first `from` leaves (RFC
 * 6962 section 2.1.2); from <= to <= TLOG_SIZE_MAX. None if `from` is 0 or `to`. */
size_t tlog_consistency(uint64_t from, uint64_t to, struct tlog_range range[static TLOG_PATH_MAX]);

/* True if the path, the hashes of the ranges above, proves that the tree of `to` leaves with one
 * root extends that of `from` leaves with the other. False also for sizes that have no such proof:
 * from > to, to > TLOG_SIZE_MAX. Nothing precedes an empty tree: then the path is empty, and
 * `from_root` is not read. */
bool tlog_is_consistent(uint64_t from, const uint8_t from_root[static MERKLE_HASH], uint64_t to,
                        const uint8_t to_root[static MERKLE_HASH],
                        const uint8_t (*path)[MERKLE_HASH], size_t length);

/* A tile, full or partial. */
struct tlog_tile {
    unsigned level;
    uint64_t number;
    size_t count; /* hashes, starting with the tile's first */
    const uint8_t (*hash)[MERKLE_HASH];
};

/* Finds the tiles needed to hash these ranges: sets level and number of each, but not count and
 * hash. At most TLOG_TILES_MAX for the ranges of one proof. */
size_t tlog_tiles_needed(const struct tlog_range *range, size_t count,
                         struct tlog_tile tile[static TLOG_TILES_MAX]);

/* Hashes a range of at least one leaf that begins where a proof's ranges do. False if the tiles
 * lack a needed hash. */
bool tlog_range_hash(struct tlog_range range, const struct tlog_tile *tile, size_t count,
                     uint8_t hash[static MERKLE_HASH]);

/* The leaves of the transparency log: statements that the service can no longer change. Each is a
 * text of three lines that anyone who knows its subject can reproduce:
 *
 *      tillroll game LF <game> LF <head>             a record was finished: its last line
 *      tillroll commitment LF <scope> LF <hash>      a secret was committed to (RECORD.md, Luck):
 *                                                    scope is `<event>`, `<event>/round/<n>` or the
 *                                                    id of a game
 *      tillroll event-log LF <event> LF <hash>       an event was closed: SHA-256 of its log
 *      tillroll standings LF <scope> LF <hash>       and of its final standings; scope
 *                                                    `<event>/round/<n>`: of those after round n,
 *                                                    as the next round began
 *      tillroll ruling LF <event>/line/<n> LF <hash> a ruling was given: SHA-256 of line n of the
 *                                                    event's log, with its LF
 *      tillroll dispute LF <dispute> LF <head>       a dispute was ruled or closed: the value of
 *                                                    its log's chain (dispute.h)
 *      tillroll key LF <player>/key/<n> LF <hash>    a player's keys have changed: SHA-256 of line
 *                                                    n of their history (keyring.h), with its LF
 *      tillroll event-step LF <event>/line/<n> LF <hash>
 *                                                    line n is the last one of an event's log: the
 *                                                    value of its chain, which begins with SHA-256
 *                                                    of `tillroll event-log 1 <event>` LF
 *      tillroll server-key LF <key> LF <hash>        the server's key was replaced: the old one,
 * and SHA-256 of the change (key_chain.h)
 *
 * with LF after the last line, hashes in lower-case hex.
 */

enum tlog_subject {
    TLOG_GAME,
    TLOG_COMMITMENT,
    TLOG_EVENT_LOG,
    TLOG_STANDINGS,
    TLOG_RULING,
    TLOG_DISPUTE,
    TLOG_KEY,
    TLOG_EVENT_STEP,
    TLOG_SERVER_KEY
};

enum { TLOG_LEAF_MAX = 192 /* bytes, with the NUL of a text */ };

struct tlog_leaf {
    enum tlog_subject subject;
    struct span name; /* of the game, event or scope: at most 64 bytes */
    uint8_t hash[32];
};

/* Appends the leaf's text. */
void tlog_leaf_print(const struct tlog_leaf *leaf, struct text *text);

/* The leaf of a finished record: its game, and the head in its last line. False if it has no such
 * line; nothing else is checked. */
bool tlog_leaf_of_record(struct span record, struct tlog_leaf *leaf);

/* The hash of the leaf (RFC 6962 section 2.1). */
void tlog_leaf_hash(const struct tlog_leaf *leaf, uint8_t hash[static MERKLE_HASH]);

/* Reads a leaf. False if the text is not one. */
bool tlog_leaf_read(struct span text, struct tlog_leaf *leaf);

#endif
