#include "api/cli/monitor/monitor_log.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/witness/kept_lines.h"
#include "engine/base/arena.h"

enum { CHECKED_MAX = 128 };

/* ---- Leaves ---- */

/* Reads the next leaf of `rest`. False at the end, and for a malformed leaf: then `rest` is not
 * empty. */
static bool take_leaf(struct span *rest, struct span *leaf)
{
    if (rest->length < 2)
        return false;
    size_t length = (size_t)(unsigned char)rest->at[0] << 8 | (unsigned char)rest->at[1];
    if (length > rest->length - 2)
        return false;
    *leaf = (struct span){rest->at + 2, length};
    rest->at += 2 + length;
    rest->length -= 2 + length;
    return true;
}

struct span monitor_log_leaf(const struct monitor_log *log, size_t *at)
{
    struct span rest = {log->leaves + *at, log->length - *at};
    struct span leaf = {NULL, 0};
    (void)take_leaf(&rest, &leaf);
    *at = log->length - rest.length;
    return leaf;
}

static bool add_bytes(struct monitor_log *log, struct span bytes)
{
    if (log->length + bytes.length > log->capacity) {
        size_t capacity = 2 * (log->length + bytes.length) + 4096;
        char *more = realloc(log->leaves, capacity);
        if (more == NULL)
            return false;
        log->leaves = more;
        log->capacity = capacity;
    }
    if (bytes.length > 0)
        memcpy(log->leaves + log->length, bytes.at, bytes.length);
    log->length += bytes.length;
    return true;
}

bool monitor_log_extend(struct monitor_log *log, struct span bytes, uint64_t size,
                        const uint8_t root[static MERKLE_HASH])
{
    struct tlog_node node[TLOG_LEVELS];
    struct tlog_edge *edge = malloc(sizeof *edge);
    struct span rest = bytes;
    struct span leaf;
    uint8_t hash[MERKLE_HASH];
    if (edge == NULL)
        return false;
    *edge = log->edge;
    while (edge->size < size && take_leaf(&rest, &leaf)) {
        merkle_leaf(leaf, hash);
        (void)tlog_edge_add(edge, hash, node);
    }
    tlog_edge_root(edge, hash);
    bytes.length -= rest.length;
    bool good = edge->size == size && memcmp(hash, root, MERKLE_HASH) == 0 && add_bytes(log, bytes);
    if (good) {
        log->edge = *edge;
        memcpy(log->root, root, MERKLE_HASH);
    }
    free(edge);
    return good;
}

/* ---- Files ---- */

/* Bytes beyond the last checkpoint, left by a process that was killed, are overwritten. */
static bool write_leaves(const struct monitor_log *log)
{
    char path[KEPT_PATH_MAX];
    struct stat status;
    if (!kept_path(path, log->directory, "leaves"))
        return false;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool good = file >= 0 && fstat(file, &status) == 0;
    size_t from = good && status.st_size >= 0 && (size_t)status.st_size < log->length
                      ? (size_t)status.st_size
                      : 0;
    /* A shorter file may end with an unfinished write, so its bytes are compared. */
    char *there = good && from > 0 ? malloc(from) : NULL;
    if (there != NULL &&
        (pread(file, there, from, 0) != (ssize_t)from || memcmp(there, log->leaves, from) != 0))
        from = 0;
    from = there == NULL ? 0 : from;
    free(there);
    while (good && from < log->length) {
        ssize_t written = pwrite(file, log->leaves + from, log->length - from, (off_t)from);
        good = written > 0;
        from += good ? (size_t)written : 0;
    }
    good = good && ftruncate(file, (off_t)log->length) == 0 && fsync(file) == 0;
    if (file >= 0 && close(file) != 0)
        good = false;
    return good || cli_fail(path, strerror(errno));
}

bool monitor_log_keep(struct monitor_log *log, struct span note)
{
    char path[KEPT_PATH_MAX];
    return write_leaves(log) && kept_path(path, log->directory, "checkpoint") &&
           witness_replace_file(path, note);
}

bool monitor_log_keep_checked(struct monitor_log *log)
{
    char path[KEPT_PATH_MAX];
    char bytes[CHECKED_MAX];
    struct text text = TEXT_OVER(bytes);
    text_add_number(&text, (int64_t)log->checked);
    text_add_char(&text, ' ');
    text_add_number(&text, (int64_t)log->alarms);
    text_add_char(&text, '\n');
    return kept_path(path, log->directory, "checked") &&
           witness_replace_file(path, text_span(&text));
}

static bool read_checked(struct monitor_log *log)
{
    char path[KEPT_PATH_MAX];
    size_t length;
    if (!kept_path(path, log->directory, "checked"))
        return false;
    if (access(path, F_OK) != 0)
        return true;
    char *bytes = cli_read_file(path, &length);
    struct span rest = {bytes, bytes == NULL ? 0 : length};
    struct span line;
    bool good = span_line(&rest, &line) &&
                span_number(span_word(&line), log->edge.size, &log->checked) &&
                span_number(line, INT64_MAX, &log->alarms);
    free(bytes);
    return good || cli_fail(path, "this is damaged");
}

static bool read_kept(struct monitor_log *log)
{
    char path[KEPT_PATH_MAX];
    char leaves_path[KEPT_PATH_MAX];
    struct note note;
    struct checkpoint checkpoint;
    size_t length = 0;
    size_t leaves_length = 0;
    if (!kept_path(path, log->directory, "checkpoint") ||
        !kept_path(leaves_path, log->directory, "leaves"))
        return false;
    if (access(path, F_OK) != 0)
        return true;
    char *bytes = cli_read_file(path, &length);
    char *leaves = bytes == NULL ? NULL : cli_read_file(leaves_path, &leaves_length);
    bool good = leaves != NULL && note_read((struct span){bytes, length}, &note) &&
                checkpoint_read(note.text, &checkpoint) &&
                monitor_log_extend(log, (struct span){leaves, leaves_length}, checkpoint.size,
                                   checkpoint.root);
    free(leaves);
    free(bytes);
    return good ||
           cli_fail(log->directory, "what is kept here is damaged: its leaves do not lead to "
                                    "its checkpoint");
}

static void remember_all(struct monitor_log *log)
{
    size_t at = 0;
    for (uint64_t i = 0; i < log->checked; i++) {
        struct tlog_leaf leaf;
        uint8_t other[32];
        if (tlog_leaf_read(monitor_log_leaf(log, &at), &leaf))
            (void)monitor_log_remember(log, &leaf, other);
    }
}

bool monitor_log_open(struct monitor_log *log, const char *directory)
{
    *log = (struct monitor_log){.length = 0};
    struct text text = TEXT_OVER(log->directory);
    text_add(&text, directory);
    tlog_edge_root(&log->edge, log->root);
    if (!kept_directory(directory) || text.overflow || !read_kept(log) || !read_checked(log))
        return false;
    remember_all(log);
    return true;
}

void monitor_log_close(struct monitor_log *log)
{
    free(log->leaves);
    free(log->fact);
    log->leaves = NULL;
    log->fact = NULL;
}

/* ---- Statements ---- */

static void subject_of(enum tlog_subject subject, struct span name, uint8_t hash[static 32])
{
    char bytes[TLOG_LEAF_MAX];
    struct text text = TEXT_OVER(bytes);
    text_add_number(&text, subject);
    text_add_char(&text, ' ');
    text_add_span(&text, name);
    crypto_hash_sha256(hash, (const unsigned char *)bytes, text.length);
}

/* The slot that has the subject, or where it would be added. */
static struct monitor_fact *place_of(struct monitor_fact *fact, size_t capacity,
                                     const uint8_t subject[static 32])
{
    uint64_t start;
    memcpy(&start, subject, sizeof start);
    size_t at = (size_t)start & (capacity - 1);
    while (fact[at].used && memcmp(fact[at].subject, subject, 32) != 0)
        at = (at + 1) & (capacity - 1);
    return &fact[at];
}

static void grow(struct monitor_log *log)
{
    size_t capacity = log->fact_capacity == 0 ? 1024 : 2 * log->fact_capacity;
    struct monitor_fact *more = must(calloc(capacity, sizeof *more));
    for (size_t i = 0; i < log->fact_capacity; i++)
        if (log->fact[i].used)
            *place_of(more, capacity, log->fact[i].subject) = log->fact[i];
    free(log->fact);
    log->fact = more;
    log->fact_capacity = capacity;
}

/* False for an event's log, its standings and a dispute, about which there may be several
 * statements. */
static bool is_said_once(enum tlog_subject subject)
{
    return subject == TLOG_GAME || subject == TLOG_COMMITMENT || subject == TLOG_RULING ||
           subject == TLOG_KEY || subject == TLOG_EVENT_STEP || subject == TLOG_SERVER_KEY;
}

bool monitor_log_remember(struct monitor_log *log, const struct tlog_leaf *leaf,
                          uint8_t other[static 32])
{
    uint8_t subject[32];
    if (!is_said_once(leaf->subject))
        return true;
    if (2 * (log->facts + 1) > log->fact_capacity)
        grow(log);
    subject_of(leaf->subject, leaf->name, subject);
    struct monitor_fact *fact = place_of(log->fact, log->fact_capacity, subject);
    if (fact->used) {
        memcpy(other, fact->hash, 32);
        return memcmp(fact->hash, leaf->hash, 32) == 0;
    }
    memcpy(fact->subject, subject, 32);
    memcpy(fact->hash, leaf->hash, 32);
    fact->used = true;
    log->facts++;
    return true;
}

const uint8_t *monitor_log_find(const struct monitor_log *log, enum tlog_subject subject,
                                struct span name)
{
    uint8_t hash[32];
    if (log->fact_capacity == 0)
        return NULL;
    subject_of(subject, name, hash);
    const struct monitor_fact *fact = place_of(log->fact, log->fact_capacity, hash);
    return fact->used ? fact->hash : NULL;
}
