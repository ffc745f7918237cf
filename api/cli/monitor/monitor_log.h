/* A monitor's copy of a log: all leaves, and the newest checkpoint, to which they lead.
 *
 *      <directory>/leaves       each leaf after its length in two bytes, as in the log's tiles
 *      <directory>/checkpoint   the signed note; only the leaves up to its size count
 *      <directory>/checked      the number of leaves checked, and of alarms so far
 *
 * One thread at a time.
 */
#ifndef TILLROLL_API_CLI_MONITOR_LOG_H
#define TILLROLL_API_CLI_MONITOR_LOG_H

#include "api/cli/witness/witness_state.h"
#include "engine/log/tlog.h"

/* A statement about a subject that may have only one. */
struct monitor_fact {
    uint8_t subject[32]; /* SHA-256 of kind and name */
    uint8_t hash[32];
    bool used;
};

struct monitor_log {
    char directory[WITNESS_PATH_MAX];
    struct tlog_edge edge; /* of the tree of all stored leaves */
    uint8_t root[MERKLE_HASH];
    uint64_t checked, alarms;
    char *leaves; /* content of the file, up to the checkpoint's size */
    size_t length, capacity;
    struct monitor_fact *fact; /* a hash table */
    size_t facts, fact_capacity;
};

/* Reads the files; an empty directory is an empty log. False with a message if they are damaged. */
bool monitor_log_open(struct monitor_log *log, const char *directory);
void monitor_log_close(struct monitor_log *log);

/* Adds leaves, `bytes` in the form of the file, if the tree with them has this root. False without
 * a message, and without any change, if it has not or `bytes` are malformed. */
bool monitor_log_extend(struct monitor_log *log, struct span bytes, uint64_t size,
                        const uint8_t root[static MERKLE_HASH]);

/* Stores the leaves that were added, and the checkpoint to which they lead, durably. False with a
 * message. */
bool monitor_log_keep(struct monitor_log *log, struct span note);
bool monitor_log_keep_checked(struct monitor_log *log);

/* The leaf at `at` in the file, which is 0 for the first leaf and is set to the position of the
 * next. Call it at most edge.size times. */
struct span monitor_log_leaf(const struct monitor_log *log, size_t *at);

/* Remembers a statement about a subject that may have only one. False if there is a different one,
 * whose hash is copied to `other`. */
bool monitor_log_remember(struct monitor_log *log, const struct tlog_leaf *leaf,
                          uint8_t other[static 32]);

/* The hash of a statement, or NULL. */
const uint8_t *monitor_log_find(const struct monitor_log *log, enum tlog_subject subject,
                                struct span name);

#endif
