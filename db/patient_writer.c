#include "db/patient_writer.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "db/now.h"

enum { FIRST_PAUSE_MS = 20, LONGEST_PAUSE_MS = 640 };

struct patient_writer {
    char *url; /* owned */
    bool service;
    unsigned patience_ms;
    unsigned hearer;
    int event;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    struct write_list waiting, done;
    bool stopping;
    bool wanted;       /* a connection, by the loop */
    struct db *wished; /* and here it is */
    /* The thread's own: */
    struct db *db;       /* NULL until it is first needed */
    int64_t deadline_us; /* of the batch */
    unsigned pause_ms;   /* before the next try to connect */
    unsigned careful;    /* batches that are still to be written carefully */
};

/* Waits before the next try, each time twice as long. */
static void pause_longer(unsigned *pause_ms)
{
    struct timespec duration = {0, *pause_ms * 1000000L};
    nanosleep(&duration, NULL);
    if (*pause_ms < LONGEST_PAUSE_MS)
        *pause_ms *= 2;
}

/* -- writing -- */

static struct db *connect(const struct patient_writer *patient)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct db *db = db_open(patient->url, patient->service, &error);
    if (db == NULL)
        fprintf(stderr, "tillroll: database: %s\n", message);
    return db;
}

static bool is_connected(struct patient_writer *patient)
{
    if (patient->db == NULL)
        patient->db = connect(patient);
    return patient->db != NULL;
}

/* Some rows were there already: whose they are, their hashes tell. A hash stands for all of the
 * record up to it, so equal rows are this very write, whoever sent it; as durable as if it had been
 * written now, if that can be committed. */
static enum db_status sort_out(struct patient_writer *patient, struct write_batch *batch,
                               size_t first, size_t count)
{
    bool found[WRITER_ROWS_MAX];
    enum db_status status = db_begin(patient->db, false);
    if (status == DB_OK)
        status = record_find_pieces(patient->db, batch->piece + first, count, found);
    if (status == DB_OK)
        status = db_commit(patient->db);
    db_rollback(patient->db);
    if (status != DB_OK)
        return status == DB_UNKNOWN ? DB_UNKNOWN : DB_RETRY;
    for (size_t i = 0; i < count; i++)
        batch->write[first + i]->status = found[i] ? DB_OK : DB_CONFLICT;
    return DB_OK;
}

/* Usually no row exists already, because a process knows its own games; where several play the same
 * ones, one lost race makes the next likely. */
static enum db_status append(struct patient_writer *patient, const struct record_piece *pieces,
                             size_t count)
{
    enum { CAREFUL_BATCHES = 1000 };
    if (patient->careful > 0) {
        patient->careful--;
        return record_append_pieces(patient->db, pieces, count, true);
    }
    enum db_status status = record_append_pieces(patient->db, pieces, count, false);
    if (status != DB_CONFLICT)
        return status;
    patient->careful = CAREFUL_BATCHES;
    return record_append_pieces(patient->db, pieces, count, true);
}

/* One try. After DB_OK every write has its status. */
static enum db_status try_once(struct patient_writer *patient, struct write_batch *batch,
                               size_t first, size_t count)
{
    if (!is_connected(patient))
        return DB_UNAVAILABLE;
    enum db_status status = append(patient, batch->piece + first, count);
    if (status == DB_OK)
        write_batch_set(batch, first, count, DB_OK);
    return status == DB_CONFLICT ? sort_out(patient, batch, first, count) : status;
}

/* Tries until it is known what happened or patience is at its end. A try after an unknown outcome
 * writes what is missing and finds what is there; one that waits behind the lost connection's
 * transaction, should that still be running, sees its end. An unknown outcome on a connection that
 * holds was a warning: the rows are there, but perhaps not as durable as they should be, and
 * looking again would not show it. */
static enum db_status try_patiently(struct patient_writer *patient, struct write_batch *batch,
                                    size_t first, size_t count)
{
    bool unknown = batch->write[first]->status == DB_UNKNOWN;
    unsigned pause_ms = FIRST_PAUSE_MS;
    for (;;) {
        enum db_status status = try_once(patient, batch, first, count);
        if (status == DB_OK || status == DB_ERROR)
            return status;
        if (status == DB_UNKNOWN && db_is_open(patient->db))
            return status;
        unknown = unknown || status == DB_UNKNOWN || status == DB_RETRY;
        if (now_us(CLOCK_MONOTONIC) >= patient->deadline_us)
            return unknown ? DB_UNKNOWN : DB_UNAVAILABLE;
        pause_longer(&pause_ms);
    }
}

/* A write that fails by itself does not continue its record, or meets a damaged database: the
 * ordinary way through a worker finds out which. Among several, halving finds the one. */
static void commit(struct patient_writer *patient, struct write_batch *batch, size_t first,
                   size_t count)
{
    enum db_status status = try_patiently(patient, batch, first, count);
    if (status == DB_OK)
        return;
    if (status == DB_ERROR && count > 1) {
        commit(patient, batch, first, count / 2);
        commit(patient, batch, first + count / 2, count - count / 2);
    } else {
        write_batch_set(batch, first, count, status == DB_ERROR ? DB_CONFLICT : status);
    }
}

/* -- the thread -- */

/* The lock is held, but not while connecting. */
static void make_connection(struct patient_writer *patient)
{
    pthread_mutex_unlock(&patient->lock);
    struct db *db = connect(patient);
    if (db != NULL && !record_pieces_ready(db, patient->hearer)) {
        db_close(db);
        db = NULL;
    }
    if (db == NULL)
        pause_longer(&patient->pause_ms);
    pthread_mutex_lock(&patient->lock);
    if (db == NULL)
        return;
    patient->pause_ms = FIRST_PAUSE_MS;
    patient->wanted = false;
    patient->wished = db;
    (void)eventfd_write(patient->event, 1);
}

/* False when the thread is to end. */
static bool wait_for_batch(struct patient_writer *patient, struct write_batch *batch)
{
    pthread_mutex_lock(&patient->lock);
    while (patient->waiting.count == 0 && !patient->stopping) {
        if (patient->wanted)
            make_connection(patient);
        else
            pthread_cond_wait(&patient->wake, &patient->lock);
    }
    write_batch_fill(batch, &patient->waiting);
    pthread_mutex_unlock(&patient->lock);
    return batch->count > 0;
}

static void hand_back(struct patient_writer *patient, struct write_batch *batch)
{
    pthread_mutex_lock(&patient->lock);
    write_batch_empty(batch, &patient->done);
    pthread_mutex_unlock(&patient->lock);
    (void)eventfd_write(patient->event, 1);
}

static void *run_thread(void *context)
{
    struct patient_writer *patient = context;
    struct write_batch *batch = malloc(sizeof *batch);
    if (batch == NULL)
        abort();
    while (wait_for_batch(patient, batch)) {
        patient->deadline_us = now_us(CLOCK_MONOTONIC) + (int64_t)patient->patience_ms * 1000;
        commit(patient, batch, 0, batch->count);
        hand_back(patient, batch);
    }
    free(batch);
    return NULL;
}

/* The thread takes no signals. */
static bool start_thread(struct patient_writer *patient)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&patient->thread, NULL, run_thread, patient) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* -- the loop's side -- */

struct patient_writer *patient_writer_new(const char *url, bool service, unsigned patience_ms,
                                          unsigned hearer)
{
    struct patient_writer *patient = calloc(1, sizeof *patient);
    if (patient == NULL)
        return NULL;
    patient->url = strdup(url);
    patient->service = service;
    patient->patience_ms = patience_ms;
    patient->hearer = hearer;
    patient->pause_ms = FIRST_PAUSE_MS;
    pthread_mutex_init(&patient->lock, NULL);
    pthread_cond_init(&patient->wake, NULL);
    patient->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (patient->url != NULL && patient->event >= 0 && start_thread(patient))
        return patient;
    patient_writer_free(patient);
    return NULL;
}

void patient_writer_give(struct patient_writer *patient, struct write_list *list)
{
    pthread_mutex_lock(&patient->lock);
    write_list_move(&patient->waiting, list);
    pthread_cond_signal(&patient->wake);
    pthread_mutex_unlock(&patient->lock);
}

void patient_writer_want_connection(struct patient_writer *patient)
{
    pthread_mutex_lock(&patient->lock);
    patient->wanted = true;
    pthread_cond_signal(&patient->wake);
    pthread_mutex_unlock(&patient->lock);
}

int patient_writer_fd(const struct patient_writer *patient)
{
    return patient->event;
}

struct db *patient_writer_take(struct patient_writer *patient, struct write_list *done)
{
    eventfd_t events;
    if (eventfd_read(patient->event, &events) != 0)
        return NULL;
    pthread_mutex_lock(&patient->lock);
    write_list_move(done, &patient->done);
    struct db *db = patient->wished;
    patient->wished = NULL;
    pthread_mutex_unlock(&patient->lock);
    return db;
}

void patient_writer_stop(struct patient_writer *patient)
{
    pthread_mutex_lock(&patient->lock);
    patient->stopping = true;
    pthread_cond_signal(&patient->wake);
    pthread_mutex_unlock(&patient->lock);
    pthread_join(patient->thread, NULL);
}

void patient_writer_free(struct patient_writer *patient)
{
    if (patient == NULL)
        return;
    db_close(patient->wished);
    db_close(patient->db);
    pthread_cond_destroy(&patient->wake);
    pthread_mutex_destroy(&patient->lock);
    if (patient->event >= 0)
        close(patient->event);
    free(patient->url);
    free(patient);
}
