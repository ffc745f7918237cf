/* The stored transparency log (engine/log/tlog.h has its arithmetic).
 *
 *      queue ──> leaves, hashes of tiles, a signed checkpoint        all in one transaction
 *
 * A leaf is queued, without waiting, in the transaction that makes its statement true. One service
 * at a time, the holder of the log's lock, takes leaves in the order of the queue. The tree cannot
 * be changed, and the database removes leaves from the queue only if they are in the tree. */
#ifndef TILLROLL_DB_STORE_LOG_TLOG_H
#define TILLROLL_DB_STORE_LOG_TLOG_H

#include "db/link/db.h"
#include "engine/log/tlog.h"

/* ---- Adding ---- */

/* Puts a leaf's text into the queue; a leaf that is already queued is not added again. A failure is
 * reported later, as by statement_later(). */
enum db_status tlog_queue(struct db *db, struct span entry);
enum db_status tlog_queue_all(struct db *db, const struct span *entries, size_t count);

/* Stores a document whose hash is in a leaf. */
enum db_status tlog_document_keep(struct db *db, const uint8_t hash[static 32], const char *body);

/* Finds a document by its hash; the body is in the arena. DB_NONE. */
enum db_status tlog_document_find(struct db *db, struct arena *arena, const uint8_t hash[static 32],
                                  struct span *body);

/* ---- Sequencing ---- */

/* Takes the log's lock, until the end of the transaction. DB_NONE if another has it. */
enum db_status tlog_lock(struct db *db);

/* Lists the first `limit` queued leaves, in order, in the arena; leaves already in the tree are
 * skipped. */
enum db_status tlog_waiting(struct db *db, struct arena *arena, size_t limit, struct span **entries,
                            size_t *count);

/* Reads the open tiles of the log's first `size` leaves. DB_NONE if hashes are missing. */
enum db_status tlog_edge_read(struct db *db, uint64_t size, struct tlog_edge *edge);

/* Adds leaves from index `first` on, with their hashes and the nodes that they complete; removes
 * them from the queue; and notifies all services of them at the commit. DB_ERROR if they do not
 * continue the log. */
enum db_status tlog_append(struct db *db, uint64_t first, const struct span *entries,
                           const uint8_t (*hashes)[MERKLE_HASH], size_t count,
                           const struct tlog_node *nodes, size_t node_count);

/* Stores the checkpoint of all leaves. DB_ERROR if its size is another. */
enum db_status tlog_checkpoint_add(struct db *db, uint64_t size,
                                   const uint8_t root[static MERKLE_HASH], struct span note);

/* ---- Reading ---- */

struct tlog_checkpoint {
    uint64_t size;
    uint8_t root[MERKLE_HASH];
    struct span note; /* with cosignatures */
    int64_t age_ms;   /* since it was signed, by the database's clock */
};

/* Reads the note of the newest checkpoint, without cosignatures, in the arena. DB_NONE before the
 * first. */
enum db_status tlog_note_last(struct db *db, struct arena *arena, struct span *note);

/* Reads the newest checkpoint, in the arena. DB_NONE before the first. */
enum db_status tlog_checkpoint_last(struct db *db, struct arena *arena,
                                    struct tlog_checkpoint *checkpoint);

/* Lists the checkpoints of more than `after` leaves, smallest first (-1: from the first), at most
 * `limit`, in the arena. */
enum db_status tlog_checkpoint_list(struct db *db, struct arena *arena, int64_t after, size_t limit,
                                    struct tlog_checkpoint **checkpoints, size_t *count);

/* Lists the checkpoints of more than `after` leaves, newest first, at most `limit`, in the arena.
 */
enum db_status tlog_checkpoint_newest(struct db *db, struct arena *arena, int64_t after,
                                      size_t limit, struct tlog_checkpoint **checkpoints,
                                      size_t *count);

/* Finds the index of a leaf by its hash. DB_NONE. */
enum db_status tlog_find(struct db *db, const uint8_t hash[static MERKLE_HASH], uint64_t *index);

/* Fills in tiles whose level and number are given, as far as the log's first `size` leaves have
 * them: hashes are in the arena, and count is 0 for a tile without any. */
enum db_status tlog_tiles_read(struct db *db, struct arena *arena, uint64_t size,
                               struct tlog_tile *tiles, size_t count);

struct tlog_entry {
    uint64_t index;
    struct span entry;
    uint8_t hash[MERKLE_HASH]; /* as stored */
};

/* Lists the leaves with first <= index < first + limit, in order, in the arena. */
enum db_status tlog_entries(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                            struct tlog_entry **entries, size_t *count);

/* ---- Subjects of leaves ---- */

/* The parts of games and disputes that never change. */

struct tlog_game {
    struct id id;
    struct id event;       /* "" for none */
    unsigned round, table; /* 0 if it has none */
    const char *slug, *version;
};

/* Finds those of these games that exist, in the order of their ids, in the arena. */
enum db_status tlog_games(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                          struct tlog_game **games, size_t *found);

struct tlog_dispute {
    struct id id;
    struct id game;
};

/* Finds those of these disputes that exist, in the order of their ids, in the arena. */
enum db_status tlog_disputes(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                             struct tlog_dispute **disputes, size_t *found);

/* ---- Cosignatures. A checkpoint is read with the newest one of each witness ---- */

/* Stores a cosignature unless it is stored already. `witness` is the verification key, `line` a
 * line of the note, with its LF. */
enum db_status cosignature_store(struct db *db, uint64_t size, const char *witness, uint64_t time_s,
                                 const char *line);

/* Finds the largest checkpoint that a witness has cosigned, and the time of its latest cosignature.
 * DB_NONE. */
enum db_status cosignature_newest(struct db *db, const char *witness, uint64_t *size,
                                  uint64_t *time_s);

#endif
