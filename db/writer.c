/* One thread, one connection, one statement a batch. Writes of a batch stand in the order of their
 * games' ids: two processes that write the same games then wait for each other instead of blocking
 * each other for ever.
 */
#include "db/writer.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "db/statement.h"

struct write_list {
    struct write *first, *last;
    size_t count;
};

struct writer {
    struct write_list added; /* since the last hand-over; the loop's own, without lock */
    size_t waiting_max;
    size_t under_way; /* added and not yet taken back; the loop's own */
    unsigned patience_ms;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    struct write_list waiting, done;
    bool stopping;
    int done_event;
    pthread_t thread;
    bool started;
    /* The writer thread's own: */
    char *url; /* owned */
    bool service;
    struct db *db;      /* NULL until it is first needed */
    int64_t commit_us;  /* moving average of what a commit takes */
    size_t batch_count; /* writes in the batch before */
    unsigned careful;   /* batches that are still to be written carefully */
};

/* A batch, and the same writes as pieces of records. */
struct batch {
    struct write *write[WRITER_ROWS_MAX];
    struct record_piece piece[WRITER_ROWS_MAX];
    size_t count;
    int64_t deadline_us;
};

/* -- lists -- */

static void list_append(struct write_list *list, struct write *write)
{
    write->next = NULL;
    if (list->first == NULL)
        list->first = write;
    else
        list->last->next = write;
    list->last = write;
    list->count++;
}

static struct write *list_take(struct write_list *list)
{
    struct write *write = list->first;
    list->first = write->next;
    list->count--;
    return write;
}

static void list_move(struct write_list *to, struct write_list *from)
{
    if (from->first == NULL)
        return;
    if (to->first == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->count += from->count;
    *from = (struct write_list){NULL, NULL, 0};
}

/* -- time -- */

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static struct timespec time_at(int64_t moment_us)
{
    return (struct timespec){(time_t)(moment_us / 1000000), (long)(moment_us % 1000000) * 1000};
}

static void pause_ms(unsigned duration_ms)
{
    struct timespec duration = {duration_ms / 1000, (long)(duration_ms % 1000) * 1000000};
    nanosleep(&duration, NULL);
}

/* -- writing -- */

static void set_status(struct batch *batch, size_t first, size_t count, enum db_status status)
{
    for (size_t i = first; i < first + count; i++)
        batch->write[i]->status = status;
}

static bool is_connected(struct writer *writer)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    if (writer->db == NULL) {
        writer->db = db_open(writer->url, writer->service, &error);
        if (writer->db == NULL)
            fprintf(stderr, "tillroll: database: %s\n", message);
    }
    return writer->db != NULL;
}

/* Some rows were there already: whose they are, their hashes tell. A hash stands for all of the
 * record up to it, so equal rows are this very write, whoever sent it. */
static enum db_status sort_out(struct writer *writer, struct batch *batch, size_t first,
                               size_t count)
{
    bool found[WRITER_ROWS_MAX];
    enum db_status status = db_begin(writer->db, true);
    if (status == DB_OK)
        status = record_find_pieces(writer->db, batch->piece + first, count, found);
    db_rollback(writer->db);
    if (status != DB_OK)
        return DB_RETRY;
    for (size_t i = 0; i < count; i++)
        batch->write[first + i]->status = found[i] ? DB_OK : DB_CONFLICT;
    return DB_OK;
}

/* Usually no row exists already, because a process knows its own games; where several play the same
 * ones, one lost race makes the next likely. */
static enum db_status append(struct writer *writer, const struct record_piece *pieces, size_t count)
{
    enum { CAREFUL_BATCHES = 1000 };
    if (writer->careful > 0) {
        writer->careful--;
        return record_append_pieces(writer->db, pieces, count, true);
    }
    enum db_status status = record_append_pieces(writer->db, pieces, count, false);
    if (status != DB_CONFLICT)
        return status;
    writer->careful = CAREFUL_BATCHES;
    return record_append_pieces(writer->db, pieces, count, true);
}

/* One try. After DB_OK every write has its status. */
static enum db_status try_once(struct writer *writer, struct batch *batch, size_t first,
                               size_t count)
{
    if (!is_connected(writer))
        return DB_UNAVAILABLE;
    enum db_status status = append(writer, batch->piece + first, count);
    if (status == DB_OK)
        set_status(batch, first, count, DB_OK);
    return status == DB_CONFLICT ? sort_out(writer, batch, first, count) : status;
}

/* Tries until it is known what happened or patience is at its end. A try after an unknown outcome
 * writes what is missing and finds what is there; one that waits behind the lost connection's
 * transaction, should that still be running, sees its end. An unknown outcome on a connection that
 * holds was a warning: the rows are there, but perhaps not as durable as they should be, and
 * looking again would not show it. */
static enum db_status try_patiently(struct writer *writer, struct batch *batch, size_t first,
                                    size_t count)
{
    enum { PAUSE_MS = 20 };
    bool unknown = false;
    for (;;) {
        enum db_status status = try_once(writer, batch, first, count);
        if (status == DB_OK || status == DB_ERROR)
            return status;
        if (status == DB_UNKNOWN && db_is_open(writer->db))
            return status;
        unknown = unknown || status == DB_UNKNOWN || status == DB_RETRY;
        if (now_us() >= batch->deadline_us)
            return unknown ? DB_UNKNOWN : DB_UNAVAILABLE;
        pause_ms(PAUSE_MS);
    }
}

/* A write that fails by itself does not continue its record, or meets a damaged database: the
 * ordinary way through a worker finds out which. Among several, halving finds the one. */
static void commit(struct writer *writer, struct batch *batch, size_t first, size_t count)
{
    enum db_status status = try_patiently(writer, batch, first, count);
    if (status == DB_OK)
        return;
    if (status == DB_ERROR && count > 1) {
        commit(writer, batch, first, count / 2);
        commit(writer, batch, first + count / 2, count - count / 2);
    } else {
        set_status(batch, first, count, status == DB_ERROR ? DB_CONFLICT : status);
    }
}

static int compare_games(const void *a, const void *b)
{
    const struct write *const *left = a;
    const struct write *const *right = b;
    return strcmp((*left)->game->text, (*right)->game->text);
}

static void write_batch(struct writer *writer, struct batch *batch)
{
    int64_t begin_us = now_us();
    qsort(batch->write, batch->count, sizeof(struct write *), compare_games);
    for (size_t i = 0; i < batch->count; i++) {
        const struct write *write = batch->write[i];
        batch->piece[i] = (struct record_piece){write->game, write->rows, write->count};
    }
    batch->deadline_us = begin_us + (int64_t)writer->patience_ms * 1000;
    commit(writer, batch, 0, batch->count);
    writer->commit_us += (now_us() - begin_us - writer->commit_us) / 8;
    writer->batch_count = batch->count;
}

/* -- the thread -- */

/* On a slow disk a commit that starts at once takes few along, and those who have just been
 * answered wait for nearly two: better to wait a quarter of a commit for them. The lock is held. */
static void linger(struct writer *writer)
{
    enum { SLOW_US = 2000 };
    if (writer->commit_us < SLOW_US)
        return;
    struct timespec until = time_at(now_us() + writer->commit_us / 4);
    int result = 0;
    while (result == 0 && !writer->stopping && writer->waiting.count < writer->batch_count)
        result = pthread_cond_timedwait(&writer->wake, &writer->lock, &until);
}

/* The lock is held. */
static void fill(struct batch *batch, struct write_list *waiting)
{
    size_t rows = 0;
    batch->count = 0;
    while (waiting->count > 0 && batch->count < WRITER_ROWS_MAX &&
           (rows == 0 || rows + waiting->first->count <= WRITER_ROWS_MAX)) {
        batch->write[batch->count] = list_take(waiting);
        rows += batch->write[batch->count++]->count;
    }
}

/* False when the thread is to end. */
static bool wait_for_batch(struct writer *writer, struct batch *batch)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->waiting.count == 0 && !writer->stopping)
        pthread_cond_wait(&writer->wake, &writer->lock);
    if (writer->waiting.count > 0)
        linger(writer);
    fill(batch, &writer->waiting);
    pthread_mutex_unlock(&writer->lock);
    return batch->count > 0;
}

static void hand_back(struct writer *writer, const struct batch *batch)
{
    pthread_mutex_lock(&writer->lock);
    bool was_empty = writer->done.count == 0;
    for (size_t i = 0; i < batch->count; i++)
        list_append(&writer->done, batch->write[i]);
    pthread_mutex_unlock(&writer->lock);
    if (was_empty)
        (void)eventfd_write(writer->done_event, 1);
}

static void *run_thread(void *context)
{
    struct writer *writer = context;
    struct batch *batch = malloc(sizeof *batch);
    if (batch == NULL)
        abort();
    while (wait_for_batch(writer, batch)) {
        write_batch(writer, batch);
        hand_back(writer, batch);
    }
    free(batch);
    db_close(writer->db);
    return NULL;
}

/* -- the loop's side -- */

static void init_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static bool start_thread(struct writer *writer)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    writer->started = pthread_create(&writer->thread, NULL, run_thread, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return writer->started;
}

struct writer *writer_new(const char *url, bool service, size_t waiting_max, unsigned patience_ms)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return NULL;
    writer->url = strdup(url);
    writer->service = service;
    writer->waiting_max = waiting_max;
    writer->patience_ms = patience_ms;
    pthread_mutex_init(&writer->lock, NULL);
    init_condition(&writer->wake);
    writer->done_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (writer->url != NULL && writer->done_event >= 0 && start_thread(writer))
        return writer;
    writer_free(writer);
    return NULL;
}

bool writer_is_full(const struct writer *writer)
{
    return writer->under_way >= writer->waiting_max;
}

void writer_add(struct writer *writer, struct write *write)
{
    assert(write->count >= 1 && !writer_is_full(writer));
    list_append(&writer->added, write);
    writer->under_way++;
}

void writer_hand_over(struct writer *writer)
{
    if (writer->added.count == 0)
        return;
    pthread_mutex_lock(&writer->lock);
    assert(!writer->stopping);
    list_move(&writer->waiting, &writer->added);
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->lock);
}

int writer_done_fd(const struct writer *writer)
{
    return writer->done_event;
}

struct write *writer_take_done(struct writer *writer)
{
    eventfd_t events;
    (void)eventfd_read(writer->done_event, &events);
    pthread_mutex_lock(&writer->lock);
    struct write_list done = writer->done;
    writer->done = (struct write_list){NULL, NULL, 0};
    pthread_mutex_unlock(&writer->lock);
    writer->under_way -= done.count;
    return done.first;
}

void writer_stop(struct writer *writer)
{
    writer_hand_over(writer);
    pthread_mutex_lock(&writer->lock);
    writer->stopping = true;
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);
    writer->started = false;
}

void writer_free(struct writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->started)
        writer_stop(writer);
    pthread_cond_destroy(&writer->wake);
    pthread_mutex_destroy(&writer->lock);
    if (writer->done_event >= 0)
        close(writer->done_event);
    free(writer->url);
    free(writer);
}
