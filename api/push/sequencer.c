#include "api/push/sequencer.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "db/link/db.h"
#include "db/link/thread.h"
#include "db/store/log/key_changes.h"
#include "db/store/log/tlog.h"
#include "engine/base/counter.h"
#include "engine/log/note.h"

enum { BATCH_MAX = 4096 };

struct sequencer {
    struct sequencer_config config;
    int end_event;
    pthread_t thread;
    struct db *db; /* NULL while there is no connection */
    bool seen;     /* a checkpoint was seen; the newest one: */
    uint64_t last_size;
    uint8_t last_root[MERKLE_HASH];
    const char *complaint; /* last message printed; NULL = no problem */
    struct counter signed_here, stuck;
};

/* Prints the complaint once, until it changes. */
static void complain(struct sequencer *sequencer, const char *complaint)
{
    if (complaint != NULL && sequencer->complaint != complaint)
        fprintf(stderr, "tillrolld: transparency log: %s\n", complaint);
    sequencer->complaint = complaint;
    counter_set(&sequencer->stuck, complaint != NULL);
}

/* ---- A run ---- */

/* The state of one transaction. */
struct turn {
    struct sequencer *sequencer;
    struct db *db;
    struct arena arena;
    bool begun; /* the log has a checkpoint */
    struct tlog_checkpoint before;
    struct tlog_edge *edge;
    uint8_t root[MERKLE_HASH];
    bool signs; /* a checkpoint is added in this run */
};

static bool is_own(const struct turn *turn)
{
    struct note note;
    struct checkpoint checkpoint;
    return note_read(turn->before.note, &note) && checkpoint_read(note.text, &checkpoint) &&
           span_is(checkpoint.origin, turn->sequencer->config.key->name);
}

/* Sets `there` if the database still has the last checkpoint seen. False if it cannot be
 * queried. */
static bool look_for_last(const struct turn *turn, bool *there)
{
    const struct sequencer *sequencer = turn->sequencer;
    struct tlog_checkpoint *found;
    size_t count;
    struct arena arena = {NULL};
    bool asked = tlog_checkpoint_list(turn->db, &arena, (int64_t)sequencer->last_size - 1, 1,
                                      &found, &count) == DB_OK;
    *there = asked && count == 1 && found->size == sequencer->last_size &&
             memcmp(found->root, sequencer->last_root, MERKLE_HASH) == 0;
    arena_free(&arena);
    return asked;
}

/* Reads the newest checkpoint. False if it is another log's or does not extend the last one
 * seen. */
static bool read_checkpoint(struct turn *turn)
{
    struct sequencer *sequencer = turn->sequencer;
    bool there = true;
    enum db_status status = tlog_checkpoint_last(turn->db, &turn->arena, &turn->before);
    turn->begun = status == DB_OK;
    if ((status != DB_OK && status != DB_NONE) || (sequencer->seen && !look_for_last(turn, &there)))
        return false;
    if (turn->begun && !is_own(turn))
        complain(sequencer,
                 "the database has the log of another origin; start with the --log-origin "
                 "named in its checkpoint");
    else if (!there)
        complain(sequencer, "the database has lost a published checkpoint; signing has "
                            "stopped");
    else
        return true;
    return false;
}

/* False for a key that has been replaced: it must not sign, because the checkpoint would contain
 * the replacement. */
static bool may_sign(struct turn *turn)
{
    bool old = true;
    if (key_change_is_old(turn->db, turn->sequencer->config.keys->signing_public, &old) != DB_OK)
        return false;
    if (old)
        complain(turn->sequencer,
                 "its signing key has been replaced; restart this service with the "
                 "new signing.key");
    return !old;
}

/* Reads the open tiles. False if they do not match the signed tree. */
static bool read_edge(struct turn *turn)
{
    turn->edge = arena_take(&turn->arena, sizeof *turn->edge);
    enum db_status status =
        tlog_edge_read(turn->db, turn->begun ? turn->before.size : 0, turn->edge);
    if (status != DB_OK && status != DB_NONE)
        return false;
    tlog_edge_root(turn->edge, turn->root);
    if (status == DB_OK &&
        (!turn->begun || memcmp(turn->root, turn->before.root, MERKLE_HASH) == 0))
        return true;
    complain(turn->sequencer, "the stored tree does not match its checkpoint; run tillroll audit");
    return false;
}

static bool take_leaves(struct turn *turn, const struct span *entries, size_t count)
{
    uint64_t first = turn->edge->size;
    uint8_t(*hashes)[MERKLE_HASH] = arena_array(&turn->arena, count, sizeof *hashes);
    struct tlog_node *nodes = arena_array(
        &turn->arena, (count / TLOG_TILE + 1) * TLOG_LEVELS + TLOG_LEVELS, sizeof *nodes);
    size_t node_count = 0;
    for (size_t i = 0; i < count; i++) {
        merkle_leaf(entries[i], hashes[i]);
        node_count += tlog_edge_add(turn->edge, hashes[i], nodes + node_count);
    }
    tlog_edge_root(turn->edge, turn->root);
    return tlog_append(turn->db, first, entries, (const uint8_t(*)[MERKLE_HASH])hashes, count,
                       nodes, node_count) == DB_OK;
}

static bool sign(struct turn *turn)
{
    const struct sequencer_config *config = &turn->sequencer->config;
    char bytes[CHECKPOINT_NOTE_MAX];
    struct text note = TEXT_OVER(bytes);
    uint8_t signature[64];
    struct checkpoint checkpoint = {.origin = span_of(config->key->name), .size = turn->edge->size};
    memcpy(checkpoint.root, turn->root, MERKLE_HASH);
    checkpoint_print(&checkpoint, &note);
    keys_sign(config->keys, text_span(&note), signature);
    text_add_char(&note, '\n');
    note_add_signature(config->key, signature, &note);
    turn->signs =
        tlog_checkpoint_add(turn->db, checkpoint.size, turn->root, text_span(&note)) == DB_OK;
    return turn->signs;
}

/* Remembers the newest checkpoint, made or found in this run. */
static void remember(struct sequencer *sequencer, const struct turn *turn)
{
    bool is_new = turn->edge != NULL;
    sequencer->seen = true;
    sequencer->last_size = is_new ? turn->edge->size : turn->before.size;
    memcpy(sequencer->last_root, is_new ? turn->root : turn->before.root, MERKLE_HASH);
}

/* Does the run's work in an open transaction. False if it must be rolled back. */
static bool work(struct turn *turn)
{
    struct span *entries;
    size_t count;
    if (tlog_lock(turn->db) != DB_OK || !read_checkpoint(turn))
        return false;
    if (turn->begun && turn->before.age_ms < (int64_t)turn->sequencer->config.interval_ms)
        return true;
    if (tlog_waiting(turn->db, &turn->arena, BATCH_MAX, &entries, &count) != DB_OK)
        return false;
    if (turn->begun && count == 0)
        return true;
    if (!may_sign(turn) || !read_edge(turn))
        return false;
    if (count > TLOG_SIZE_MAX - turn->edge->size) {
        complain(turn->sequencer, "the log is full");
        return false;
    }
    return (count == 0 || take_leaves(turn, entries, count)) && sign(turn);
}

/* Runs once. Only committed state is remembered; after a failed commit the next run reads it. */
static void take_turn(struct sequencer *sequencer)
{
    struct turn turn = {.sequencer = sequencer, .db = sequencer->db};
    if (db_begin(turn.db, false) != DB_OK)
        return;
    bool done = work(&turn);
    if (!done)
        db_rollback(turn.db);
    else if (db_commit(turn.db) == DB_OK) {
        counter_add(&sequencer->signed_here, turn.signs);
        remember(sequencer, &turn);
        complain(sequencer, NULL);
    }
    arena_free(&turn.arena);
}

/* ---- The thread ---- */

static void connect_to_database(struct sequencer *sequencer)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    sequencer->db = db_open(sequencer->config.database, sequencer->config.service, &error);
    if (sequencer->db == NULL)
        complain(sequencer, "the database cannot be reached");
}

/* Waits for the next run. True if the thread must end. */
static bool wait_for_next(const struct sequencer *sequencer)
{
    struct pollfd end = {.fd = sequencer->end_event, .events = POLLIN};
    return poll(&end, 1, (int)sequencer->config.interval_ms) > 0;
}

static void *run(void *context)
{
    struct sequencer *sequencer = context;
    if (!thread_wait_turn())
        return NULL;
    do {
        const struct sequencer_config *config = &sequencer->config;
        bool may = config->may == NULL || config->may(config->context);
        if (may && sequencer->db == NULL)
            connect_to_database(sequencer);
        if (may && sequencer->db != NULL)
            take_turn(sequencer);
    } while (!wait_for_next(sequencer));
    db_close(sequencer->db);
    return NULL;
}

static void discard(struct sequencer *sequencer)
{
    if (sequencer->end_event >= 0)
        close(sequencer->end_event);
    free(sequencer);
}

struct sequencer *sequencer_new(const struct sequencer_config *config)
{
    struct sequencer *sequencer = calloc(1, sizeof *sequencer);
    if (sequencer == NULL)
        return NULL;
    sequencer->config = *config;
    sequencer->end_event = eventfd(0, EFD_CLOEXEC);
    if (sequencer->end_event >= 0 && thread_start(&sequencer->thread, run, sequencer))
        return sequencer;
    discard(sequencer);
    return NULL;
}

struct sequencer_figures sequencer_figures(const struct sequencer *sequencer)
{
    return (struct sequencer_figures){counter_read(&sequencer->signed_here),
                                      counter_read(&sequencer->stuck) != 0};
}

void sequencer_free(struct sequencer *sequencer)
{
    if (sequencer == NULL)
        return;
    (void)eventfd_write(sequencer->end_event, 1);
    pthread_join(sequencer->thread, NULL);
    discard(sequencer);
}
