/* Group commit: everything that waits to be written to running games' records goes into one
 * transaction, so that many moves share one flush to disk.
 *
 *      writer_add ... writer_hand_over ──> one INSERT of all that waits, sent without waiting
 *      writer_take_done <── readable <──── it is committed
 *                                  └─────> anything else: the recovery writer finds out, then so
 *
 * While one batch is being committed the next one gathers. Then it may wait a little for clients
 * that have just been answered (db/writer/linger.h). The loop's own thread sends and receives:
 * handing each batch to another thread and back would take longer than writing it.
 *
 * The rows of one write are all written, or none, and no write suffers for another: one that lost a
 * race, or does not continue its record, gets that status, and the rest is committed. When the
 * connection breaks in the middle, the outcome is determined on a new one before anything is
 * reported.
 *
 * There is one writer for the central database, and one for each line database
 * (db/lines/line_databases.h), where the database notifies nobody: there the caller tells of every
 * write that may have been written, while the central writer is connected.
 */
#ifndef TILLROLL_DB_WRITER_WRITER_H
#define TILLROLL_DB_WRITER_WRITER_H

#include "db/store/games/records.h"
#include "engine/base/counter.h"

enum { WRITER_ROWS_MAX = 512 }; /* in one transaction; one write alone may have more */

/* One request's rows, which continue one record. Owned by the caller until writer_add(), and from
 * writer_take_done() on; what it points to must stay valid in between. */
struct write {
    struct write *next;
    const struct id *game;
    const struct record_row *rows; /* consecutive */
    size_t count;                  /* at least 1 */
    /* The outcome:
     *      DB_OK           these rows are in the record, and on disk
     *      DB_CONFLICT     they do not continue the record as it is now: nothing was written
     *      DB_UNAVAILABLE  the database cannot be reached: nothing was written
     *      DB_UNKNOWN      it may or may not have been written; a repeated request finds out */
    enum db_status status;
    /* It may have been written, and others hear, who were not notified: listener_tell() is to
     * follow. */
    bool untold;
};

struct writer;

/* At most `waiting_max` writes may be under way; `patience_ms` is how long it tries to reach the
 * database before a batch is given up. `hearer`: the number of this process's listener, which need
 * not be notified of writes whose outcome is reported here (db/link/listener.h); a write that stays
 * DB_UNKNOWN may be notified to nobody, so the listener must be renewed then. The other listeners
 * are told by the caller. With 0 every listener is notified in the transaction. Connects in the
 * background. NULL if the system has no threads or descriptors left. All functions are for one
 * thread, the loop's. */
struct writer *writer_new(const char *url, bool service, size_t waiting_max, unsigned patience_ms,
                          unsigned hearer);

/* True while it has a connection, and others are told by its number if this process ends. */
bool writer_is_connected(const struct writer *writer);

/* True while the maximum number of writes is under way. */
bool writer_is_full(const struct writer *writer);

/* Adds a write; not while writer_is_full(), and not while another write of the same game is under
 * way. */
void writer_add(struct writer *writer, struct write *write);

/* Sends what was added, unless a batch is under way. Once per turn of the loop. */
void writer_hand_over(struct writer *writer);

/* The batch that is under way: how many writes, and which. They are done all at once unless
 * something goes wrong. Valid until writer_take_done(). */
size_t writer_batch(const struct writer *writer, struct write *const **writes);

/* Receives the outcome of the batch that is under way if it has arrived. The loop serves many
 * requests in a turn; if the database is done in the middle of it, it need not wait for the next
 * batch until the turn ends. True if there are writes for writer_take_done(), which must follow in
 * the same turn; writer_hand_over() may come before it. */
bool writer_look(struct writer *writer);

/* Becomes readable when writer_take_done() has something to do. Owned by the writer. */
int writer_fd(const struct writer *writer);

/* All writes that were done since the last call, linked by `next`; NULL for none.
 * writer_hand_over() must follow in the same turn. */
struct write *writer_take_done(struct writer *writer);

/* Its counters. */
struct writer_figures {
    struct histogram commit_us; /* from sending a batch to the report that it is committed */
    struct histogram writes;    /* in each of these batches */
    struct counter waiting;     /* writes that are under way now */
    struct counter doubtful; /* batches whose outcome the recovery writer had to find out, or that
                                came while there was no connection */
};
extern const struct histogram_bounds writer_commit_bounds, writer_batch_bounds;

/* Owned by the writer. Any thread may read them. */
const struct writer_figures *writer_figures(const struct writer *writer);

/* Waits until everything handed over has been written or given up; then call writer_take_done(). */
void writer_stop(struct writer *writer);

/* All others have been told of what was `untold`, so they need not look for it
 * (db/link/listener.h). Does nothing before writer_stop(). NULL is fine. */
void writer_told(struct writer *writer);

/* Stops it first if need be. NULL is fine. */
void writer_free(struct writer *writer);

#endif
