#include "db/writer/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "db/link/db.h"
#include "db/link/now.h"
#include "db/writer/linger.h"
#include "db/writer/recovery_writer.h"

struct writer {
    struct recovery_writer *recovery_writer;
    struct write_list added; /* not sent yet */
    struct write_list done;  /* not taken yet */
    size_t waiting_max;
    size_t under_way; /* added and not yet returned */
    unsigned listener_number;
    bool stopped;
    int poll;      /* epoll descriptor of the recovery writer, the timer and the connection */
    int timer;     /* for the end of lingering, or of waiting for an answer */
    struct db *db; /* NULL while there is no connection; then the recovery writer writes */
    struct write_batch batch; /* sent and not yet answered; empty for none */
    int64_t sent_us;
    int64_t commit_us; /* moving average of the duration of a commit */
    struct linger linger;
    int64_t timer_us;  /* when the timer ends; 0 = its end has been handled */
    int64_t answer_us; /* when the batch must have been answered */
    struct writer_figures figures;
};

const struct histogram_bounds writer_commit_bounds = {14,
                                                      {100, 250, 500, 1000, 2500, 5000, 10000,
                                                       25000, 50000, 100000, 250000, 500000,
                                                       1000000, 5000000}};
const struct histogram_bounds writer_batch_bounds = {10, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}};

/* -- setting up -- */

static bool watch(const struct writer *writer, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(writer->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

struct writer *writer_new(const char *url, bool service, size_t waiting_max, unsigned patience_ms,
                          unsigned listener_number)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return NULL;
    writer->waiting_max = waiting_max;
    writer->listener_number = listener_number;
    writer->poll = epoll_create1(EPOLL_CLOEXEC);
    writer->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    writer->recovery_writer = recovery_writer_new(url, service, patience_ms, listener_number != 0);
    if (writer->recovery_writer != NULL && watch(writer, writer->timer) &&
        watch(writer, recovery_writer_fd(writer->recovery_writer))) {
        recovery_writer_want_connection(writer->recovery_writer);
        return writer;
    }
    writer_free(writer);
    return NULL;
}

/* -- the connection -- */

static void use_connection(struct writer *writer, struct db *db)
{
    if (watch(writer, record_pieces_socket(db)))
        writer->db = db;
    else
        db_close(db);
}

/* Closes the connection, which also removes its socket from the epoll set. */
static void drop_connection(struct writer *writer)
{
    db_close(writer->db);
    writer->db = NULL;
    if (!writer->stopped)
        recovery_writer_want_connection(writer->recovery_writer);
}

/* -- sending -- */

static void set_timer(struct writer *writer, int64_t in_us)
{
    struct itimerspec until = {
        .it_value = {(time_t)(in_us / 1000000), (long)(in_us % 1000000) * 1000}};
    writer->timer_us = now_us(CLOCK_MONOTONIC) + in_us;
    timerfd_settime(writer->timer, 0, &until, NULL);
}

/* Setting the timer for each batch would cost a system call each time. If it is already set to an
 * earlier time, it is left alone and extended when it ends. */
static void set_answer_deadline(struct writer *writer)
{
    int64_t silence_us = (int64_t)db_silence_ms(writer->db) * 1000;
    writer->answer_us = writer->sent_us + silence_us;
    if (writer->timer_us == 0)
        set_timer(writer, silence_us);
}

static void begin_to_linger(struct writer *writer)
{
    int64_t wait_us =
        linger_begin(&writer->linger, writer->batch.write, writer->batch.count, writer->added.count,
                     writer->commit_us, now_us(CLOCK_THREAD_CPUTIME_ID));
    if (wait_us > 0)
        set_timer(writer, wait_us);
}

static void give_to_recovery(struct writer *writer, struct write_list *writes)
{
    counter_add(&writer->figures.doubtful, 1);
    recovery_writer_give(writer->recovery_writer, writes);
}

/* Marks the writes of the batch that no session was notified of, if the caller is to notify others.
 */
static void note_untold(struct writer *writer, bool others)
{
    for (size_t i = 0; i < writer->batch.count; i++)
        writer->batch.write[i]->unnotified = others && writer->listener_number != 0;
}

/* Gives up waiting for the batch, which may or may not have been written. */
static void give_up_batch(struct writer *writer)
{
    struct write_list again = {NULL, NULL, 0};
    write_batch_set(&writer->batch, 0, writer->batch.count, DB_UNKNOWN);
    note_untold(writer, true);
    write_batch_empty(&writer->batch, &again);
    give_to_recovery(writer, &again);
    drop_connection(writer);
}

/* A batch that fails to send may have been sent in part. */
static void send_batch(struct writer *writer)
{
    write_batch_fill(&writer->batch, &writer->added);
    writer->sent_us = now_us(CLOCK_MONOTONIC);
    set_answer_deadline(writer);
    if (!record_pieces_send(writer->db, writer->listener_number, writer->batch.piece,
                            writer->batch.count))
        give_up_batch(writer);
}

void writer_hand_over(struct writer *writer)
{
    if (writer->added.count == 0 || writer->batch.count > 0 || linger_waits(&writer->linger))
        return;
    linger_end(&writer->linger);
    if (writer->db != NULL && db_is_superseded(writer->db))
        drop_connection(writer);
    if (writer->db == NULL)
        give_to_recovery(writer, &writer->added);
    else
        send_batch(writer);
}

size_t writer_batch(const struct writer *writer, struct write *const **writes)
{
    *writes = writer->batch.write;
    return writer->batch.count;
}

/* -- receiving -- */

static void count_commit(struct writer *writer, int64_t took_us)
{
    histogram_add(&writer->figures.commit_us, &writer_commit_bounds, (uint64_t)took_us);
    histogram_add(&writer->figures.writes, &writer_batch_bounds, writer->batch.count);
}

/* With a warning the rows exist, but may not be as durable as they should be; another attempt would
 * not show that, so the outcome stays unknown. With an error nothing was written. */
static void receive_batch(struct writer *writer)
{
    bool others;
    enum db_status status = record_pieces_receive(writer->db, &others);
    struct write_list again = {NULL, NULL, 0};
    bool lost = !db_is_open(writer->db);
    int64_t took_us = now_us(CLOCK_MONOTONIC) - writer->sent_us;
    writer->commit_us += (took_us - writer->commit_us) / 8;
    write_batch_set(&writer->batch, 0, writer->batch.count,
                    status == DB_OK || status == DB_UNKNOWN ? status : DB_OK);
    note_untold(writer, others || lost);
    if (status == DB_OK || (status == DB_UNKNOWN && !lost)) {
        count_commit(writer, took_us);
        begin_to_linger(writer);
        write_batch_empty(&writer->batch, &writer->done);
        return;
    }
    write_batch_empty(&writer->batch, &again);
    give_to_recovery(writer, &again);
    if (lost)
        drop_connection(writer);
}

/* An idle connection becomes readable when it has ended, or when the server has sent a message that
 * can be ignored. */
static void check_connection(struct writer *writer)
{
    if (writer->db == NULL || !record_pieces_arrived(writer->db))
        return;
    if (writer->batch.count > 0)
        receive_batch(writer);
    else if (!db_is_open(writer->db))
        drop_connection(writer);
}

/* Gives up a batch whose answer is overdue: the server may be waiting for a standby that has gone.
 */
static void check_timer(struct writer *writer)
{
    uint64_t times;
    int64_t now = now_us(CLOCK_MONOTONIC);
    if (writer->timer_us == 0 || now < writer->timer_us ||
        read(writer->timer, &times, sizeof times) != (ssize_t)sizeof times)
        return;
    linger_end(&writer->linger);
    writer->timer_us = 0;
    if (writer->batch.count > 0 && now >= writer->answer_us)
        give_up_batch(writer);
    else if (writer->batch.count > 0)
        set_timer(writer, writer->answer_us - now);
}

bool writer_look(struct writer *writer)
{
    if (writer->batch.count > 0)
        check_connection(writer);
    return writer->done.count > 0;
}

struct write *writer_take_done(struct writer *writer)
{
    struct db *db = recovery_writer_take(writer->recovery_writer, &writer->done);
    if (db != NULL)
        use_connection(writer, db);
    check_connection(writer);
    check_timer(writer);
    struct write *first = writer->done.first;
    writer->under_way -= writer->done.count;
    counter_set(&writer->figures.waiting, writer->under_way);
    writer->done = (struct write_list){NULL, NULL, 0};
    return first;
}

/* -- the rest -- */

bool writer_is_connected(const struct writer *writer)
{
    return writer->db != NULL;
}

bool writer_is_full(const struct writer *writer)
{
    return writer->under_way >= writer->waiting_max;
}

void writer_add(struct writer *writer, struct write *write)
{
    assert(write->count >= 1 && !writer_is_full(writer) && !writer->stopped);
    write->unnotified = false;
    write->status = DB_OK; /* not in doubt */
    write_list_add(&writer->added, write);
    linger_note(&writer->linger, write->game);
    writer->under_way++;
    counter_set(&writer->figures.waiting, writer->under_way);
}

const struct writer_figures *writer_figures(const struct writer *writer)
{
    return &writer->figures;
}

int writer_fd(const struct writer *writer)
{
    return writer->poll;
}

void writer_stop(struct writer *writer)
{
    writer->stopped = true;
    if (writer->batch.count > 0)
        receive_batch(writer);
    recovery_writer_give(writer->recovery_writer, &writer->added);
    recovery_writer_stop(writer->recovery_writer);
}

void writer_all_notified(struct writer *writer)
{
    if (writer != NULL && writer->stopped && writer->db != NULL && writer->listener_number != 0)
        record_pieces_all_notified(writer->db);
}

void writer_free(struct writer *writer)
{
    if (writer == NULL)
        return;
    if (writer->recovery_writer != NULL && !writer->stopped)
        writer_stop(writer);
    recovery_writer_free(writer->recovery_writer);
    db_close(writer->db);
    if (writer->timer >= 0)
        close(writer->timer);
    if (writer->poll >= 0)
        close(writer->poll);
    free(writer);
}
