/* Group commit: all writes to running games' records that are waiting go into one transaction, so
 * that many moves share one flush to disk.
 *
 *      writer_add ... writer_hand_over ──> one INSERT of all that waits, sent without waiting
 *      writer_take_done <── readable <──── it is committed
 *                                  └─────> anything else: the recovery writer finds the outcome
 *
 * While one batch is being committed, the next one is collected. Then it may wait a little for
 * clients that have just been answered (db/writer/linger.h). The loop's own thread sends and
 * receives: handing each batch to another thread and back would take longer than writing it.
 *
 * The rows of one write are all written, or none. No write fails because of another: one that lost
 * a race, or does not continue its record, gets that status, and the rest is committed. If the
 * connection breaks before the outcome is known, it is determined on a new connection before
 * anything is reported.
 *
 * There is one writer for the central database, and one for each line database
 * (db/lines/line_databases.h). A line database notifies no session: there the caller notifies other
 * services of every write that may have been written, while the central writer is connected. */
#ifndef TILLROLL_DB_WRITER_WRITER_H
#define TILLROLL_DB_WRITER_WRITER_H

#include "db/writer/write.h"
#include "engine/base/counter.h"

struct writer;

/* Starts a writer, which connects in the background. At most `waiting_max` writes may be under way.
 * `patience_ms`: how long to try to reach the database before a batch is given up.
 * `listener_number`: the number of this process's listener, which need not be notified of writes
 * whose outcome is reported here (db/link/listener.h); the caller notifies the other listeners. A
 * write that stays DB_UNKNOWN may be notified to no listener, so the caller then renews its own.
 * With 0, every listener is notified in the transaction. NULL if the system has no threads or
 * descriptors left. All functions are for one thread, the loop's. */
struct writer *writer_new(const char *url, bool service, size_t waiting_max, unsigned patience_ms,
                          unsigned listener_number);

/* True while the writer has a connection, by whose end other services notice if this process dies.
 */
bool writer_is_connected(const struct writer *writer);

/* True while the maximum number of writes is under way. */
bool writer_is_full(const struct writer *writer);

/* Adds a write; not while writer_is_full(), and not while another write of the same game is under
 * way. */
void writer_add(struct writer *writer, struct write *write);

/* Sends the added writes, unless a batch is under way. To be called once per turn of the loop. */
void writer_hand_over(struct writer *writer);

/* The number of writes in the batch that is under way, and the writes. They are done all at once
 * unless something goes wrong. Valid until writer_take_done(). */
size_t writer_batch(const struct writer *writer, struct write *const **writes);

/* Receives the outcome of the batch that is under way, if it has arrived. The loop serves many
 * requests in a turn; with this, a database that answers in the middle of a turn need not wait
 * until its end for the next batch. True if there are writes for writer_take_done(), which must
 * follow in the same turn; writer_hand_over() may come before it. */
bool writer_look(struct writer *writer);

/* A descriptor that becomes readable when writer_take_done() has something to do. Owned by the
 * writer. */
int writer_fd(const struct writer *writer);

/* Returns all writes that were done since the last call, linked by `next`; NULL for none.
 * writer_hand_over() must follow in the same turn. */
struct write *writer_take_done(struct writer *writer);

/* A writer's counters. */
struct writer_figures {
    struct histogram commit_us; /* from sending a batch to the report of its commit */
    struct histogram writes;    /* in each of these batches */
    struct counter waiting;     /* writes that are under way now */
    struct counter doubtful;    /* batches handed to the recovery writer: they failed, their outcome
                                   was unknown, or there was no connection */
};
extern const struct histogram_bounds writer_commit_bounds, writer_batch_bounds;

/* The writer's counters. Owned by the writer. Any thread may read them. */
const struct writer_figures *writer_figures(const struct writer *writer);

/* Waits until all writes handed over have been written or given up; writer_take_done() must follow.
 */
void writer_stop(struct writer *writer);

/* Records in the database that other services have been notified of all `unnotified` writes, so
 * they need not search for them (db/link/listener.h). Without effect before writer_stop(). NULL is
 * fine. */
void writer_all_notified(struct writer *writer);

/* Frees a writer, stopping it first if necessary. NULL is fine. */
void writer_free(struct writer *writer);

#endif
