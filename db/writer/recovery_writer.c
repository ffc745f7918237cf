#include "db/writer/recovery_writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/thread.h"

enum { FIRST_PAUSE_MS = 20, LONGEST_PAUSE_MS = 640 };

struct recovery_writer {
    char *url; /* owned */
    bool service;
    unsigned patience_ms;
    bool notifies_later;
    int event;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the members below */
    pthread_cond_t wake;
    struct write_list waiting, done;
    bool stopping;
    bool connection_wanted;    /* the loop has requested a connection */
    struct db *new_connection; /* that connection, until the loop takes it */
    /* Used by the thread alone: */
    struct db *db;       /* NULL until first needed */
    int64_t deadline_us; /* of the current batch */
    unsigned pause_ms;   /* before the next attempt to connect */
    unsigned
        careful_batches; /* number of coming batches to write in the careful mode of append() */
};

/* Waits before the next attempt, each time twice as long. */
static void pause_longer(unsigned *pause_ms)
{
    rest_ms(*pause_ms);
    if (*pause_ms < LONGEST_PAUSE_MS)
        *pause_ms *= 2;
}

/* -- writing -- */

static struct db *connect(const struct recovery_writer *recovery_writer)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct db *db = db_open(recovery_writer->url, recovery_writer->service, &error);
    if (db == NULL)
        fprintf(stderr, "tillroll: database: %s\n", message);
    return db;
}

static bool ensure_connected(struct recovery_writer *recovery_writer)
{
    if (recovery_writer->db == NULL)
        recovery_writer->db = connect(recovery_writer);
    return recovery_writer->db != NULL;
}

/* Finds the writes that are stored, after a conflict, by comparing hashes. A hash covers the whole
 * record up to its row, so equal hashes mean that this very write is stored, whichever session sent
 * it. It is as durable as if it had been written now, provided that this transaction commits. */
static enum db_status find_stored(struct recovery_writer *recovery_writer,
                                  struct write_batch *batch, size_t first, size_t count)
{
    bool found[WRITER_ROWS_MAX];
    enum db_status status = db_begin(recovery_writer->db, false);
    if (status == DB_OK)
        status = record_find_pieces(recovery_writer->db, batch->piece + first, count, found);
    if (status == DB_OK)
        status = db_commit(recovery_writer->db);
    db_rollback(recovery_writer->db);
    if (status != DB_OK)
        return status == DB_UNKNOWN ? DB_UNKNOWN : DB_RETRY;
    for (size_t i = 0; i < count; i++)
        batch->write[first + i]->status = found[i] ? DB_OK : DB_CONFLICT;
    return DB_OK;
}

/* A conflict is rare, because a process has its own games. If several processes play the same
 * games, one lost race makes the next likely: then only the conflicting rows of a batch are
 * skipped, which costs a lookup for each row. */
static enum db_status append(struct recovery_writer *recovery_writer,
                             const struct record_piece *pieces, size_t count)
{
    enum { CAREFUL_BATCHES = 1000 };
    if (recovery_writer->careful_batches > 0) {
        recovery_writer->careful_batches--;
        return record_append_pieces(recovery_writer->db, pieces, count, true);
    }
    enum db_status status = record_append_pieces(recovery_writer->db, pieces, count, false);
    if (status != DB_CONFLICT)
        return status;
    recovery_writer->careful_batches = CAREFUL_BATCHES;
    return record_append_pieces(recovery_writer->db, pieces, count, true);
}

/* Makes one attempt. After DB_OK every write has its status. */
static enum db_status try_once(struct recovery_writer *recovery_writer, struct write_batch *batch,
                               size_t first, size_t count)
{
    if (!ensure_connected(recovery_writer))
        return DB_UNAVAILABLE;
    enum db_status status = append(recovery_writer, batch->piece + first, count);
    if (status == DB_OK)
        write_batch_set(batch, first, count, DB_OK);
    return status == DB_CONFLICT ? find_stored(recovery_writer, batch, first, count) : status;
}

/* Tries until the outcome is known; DB_UNAVAILABLE if the deadline has passed: then writes that may
 * have been written have the status DB_UNKNOWN. An attempt after an unknown outcome
 * writes missing rows and finds existing ones; if the lost connection's transaction is still
 * running, the attempt waits for its end. An unknown outcome on an open connection means a warning:
 * the rows exist, but may not be as durable as they should be, and another attempt would not show
 * that. */
static enum db_status try_patiently(struct recovery_writer *recovery_writer,
                                    struct write_batch *batch, size_t first, size_t count)
{
    unsigned pause_ms = FIRST_PAUSE_MS;
    for (;;) {
        enum db_status status = try_once(recovery_writer, batch, first, count);
        if (status == DB_OK || status == DB_ERROR)
            return status;
        if (status == DB_UNKNOWN && db_is_open(recovery_writer->db))
            return status;
        if (status == DB_UNKNOWN || status == DB_RETRY)
            write_batch_set(batch, first, count, DB_UNKNOWN);
        if (now_us(CLOCK_MONOTONIC) >= recovery_writer->deadline_us)
            return DB_UNAVAILABLE;
        pause_longer(&pause_ms);
    }
}

/* Writes that were never sent and those in doubt may be in one batch. */
static void give_up(struct write_batch *batch, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        if (batch->write[i]->status != DB_UNKNOWN)
            batch->write[i]->status = DB_UNAVAILABLE;
}

/* A write that fails alone does not continue its record, or meets a damaged database; it gets
 * DB_CONFLICT, so that a worker repeats it in an ordinary transaction and finds out which. Halving
 * finds the failing write among several. */
static void commit(struct recovery_writer *recovery_writer, struct write_batch *batch, size_t first,
                   size_t count)
{
    enum db_status status = try_patiently(recovery_writer, batch, first, count);
    if (status == DB_OK)
        return;
    if (status == DB_ERROR && count > 1) {
        commit(recovery_writer, batch, first, count / 2);
        commit(recovery_writer, batch, first + count / 2, count - count / 2);
    } else if (status == DB_UNAVAILABLE) {
        give_up(batch, first, count);
    } else {
        write_batch_set(batch, first, count, status == DB_ERROR ? DB_CONFLICT : status);
    }
}

/* -- the thread -- */

/* Called with the lock held; releases it while connecting. */
static void make_connection(struct recovery_writer *recovery_writer)
{
    pthread_mutex_unlock(&recovery_writer->lock);
    struct db *db = connect(recovery_writer);
    if (db != NULL && !record_pieces_ready(db, recovery_writer->notifies_later)) {
        db_close(db);
        db = NULL;
    }
    if (db == NULL)
        pause_longer(&recovery_writer->pause_ms);
    pthread_mutex_lock(&recovery_writer->lock);
    if (db == NULL)
        return;
    recovery_writer->pause_ms = FIRST_PAUSE_MS;
    recovery_writer->connection_wanted = false;
    recovery_writer->new_connection = db;
    (void)eventfd_write(recovery_writer->event, 1);
}

/* Waits for writes and takes a batch. False if the thread is to end. */
static bool wait_for_batch(struct recovery_writer *recovery_writer, struct write_batch *batch)
{
    pthread_mutex_lock(&recovery_writer->lock);
    while (recovery_writer->waiting.count == 0 && !recovery_writer->stopping) {
        if (recovery_writer->connection_wanted)
            make_connection(recovery_writer);
        else
            pthread_cond_wait(&recovery_writer->wake, &recovery_writer->lock);
    }
    write_batch_fill(batch, &recovery_writer->waiting);
    pthread_mutex_unlock(&recovery_writer->lock);
    return batch->count > 0;
}

static void hand_back(struct recovery_writer *recovery_writer, struct write_batch *batch)
{
    pthread_mutex_lock(&recovery_writer->lock);
    write_batch_empty(batch, &recovery_writer->done);
    pthread_mutex_unlock(&recovery_writer->lock);
    (void)eventfd_write(recovery_writer->event, 1);
}

static void *run_thread(void *context)
{
    struct recovery_writer *recovery_writer = context;
    struct write_batch *batch = must(malloc(sizeof *batch));
    bool may = thread_wait_turn();
    while (may && wait_for_batch(recovery_writer, batch)) {
        recovery_writer->deadline_us =
            now_us(CLOCK_MONOTONIC) + (int64_t)recovery_writer->patience_ms * 1000;
        commit(recovery_writer, batch, 0, batch->count);
        hand_back(recovery_writer, batch);
    }
    free(batch);
    return NULL;
}

/* -- called by the loop -- */

struct recovery_writer *recovery_writer_new(const char *url, bool service, unsigned patience_ms,
                                            bool notifies_later)
{
    struct recovery_writer *recovery_writer = calloc(1, sizeof *recovery_writer);
    if (recovery_writer == NULL)
        return NULL;
    recovery_writer->url = strdup(url);
    recovery_writer->service = service;
    recovery_writer->patience_ms = patience_ms;
    recovery_writer->notifies_later = notifies_later;
    recovery_writer->pause_ms = FIRST_PAUSE_MS;
    pthread_mutex_init(&recovery_writer->lock, NULL);
    pthread_cond_init(&recovery_writer->wake, NULL);
    recovery_writer->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (recovery_writer->url != NULL && recovery_writer->event >= 0 &&
        thread_start(&recovery_writer->thread, run_thread, recovery_writer))
        return recovery_writer;
    recovery_writer_free(recovery_writer);
    return NULL;
}

void recovery_writer_give(struct recovery_writer *recovery_writer, struct write_list *list)
{
    pthread_mutex_lock(&recovery_writer->lock);
    write_list_move(&recovery_writer->waiting, list);
    pthread_cond_signal(&recovery_writer->wake);
    pthread_mutex_unlock(&recovery_writer->lock);
}

void recovery_writer_want_connection(struct recovery_writer *recovery_writer)
{
    pthread_mutex_lock(&recovery_writer->lock);
    recovery_writer->connection_wanted = true;
    pthread_cond_signal(&recovery_writer->wake);
    pthread_mutex_unlock(&recovery_writer->lock);
}

int recovery_writer_fd(const struct recovery_writer *recovery_writer)
{
    return recovery_writer->event;
}

struct db *recovery_writer_take(struct recovery_writer *recovery_writer, struct write_list *done)
{
    eventfd_t events;
    if (eventfd_read(recovery_writer->event, &events) != 0)
        return NULL;
    pthread_mutex_lock(&recovery_writer->lock);
    write_list_move(done, &recovery_writer->done);
    struct db *db = recovery_writer->new_connection;
    recovery_writer->new_connection = NULL;
    pthread_mutex_unlock(&recovery_writer->lock);
    return db;
}

void recovery_writer_stop(struct recovery_writer *recovery_writer)
{
    pthread_mutex_lock(&recovery_writer->lock);
    recovery_writer->stopping = true;
    pthread_cond_signal(&recovery_writer->wake);
    pthread_mutex_unlock(&recovery_writer->lock);
    pthread_join(recovery_writer->thread, NULL);
}

void recovery_writer_free(struct recovery_writer *recovery_writer)
{
    if (recovery_writer == NULL)
        return;
    db_close(recovery_writer->new_connection);
    db_close(recovery_writer->db);
    pthread_cond_destroy(&recovery_writer->wake);
    pthread_mutex_destroy(&recovery_writer->lock);
    if (recovery_writer->event >= 0)
        close(recovery_writer->event);
    free(recovery_writer->url);
    free(recovery_writer);
}
