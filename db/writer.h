/* Group commit: everything that waits to be written to running games' records goes into one
 * transaction, so that many moves share one flush to disk.
 *
 *      loop thread                          writer thread
 *      writer_add ... writer_hand_over ──>  one INSERT of all that waits, and its commit
 *      writer_take_done  <── eventfd <────  what became of each
 *
 * While one batch is being committed the next one gathers; there is no timer. Where a commit takes
 * long (a slow disk), the writer waits a little for those whom it has just answered.
 *
 * The rows of one write are all written, or none, and no write suffers for another: one that lost a
 * race, or does not continue its record, is told so, and the rest is committed. When the connection
 * breaks in the middle, the writer finds out on a new one what has happened before it says
 * anything.
 */
#ifndef TILLROLL_DB_WRITER_H
#define TILLROLL_DB_WRITER_H

#include "db/records.h"

enum { WRITER_ROWS_MAX = 512 }; /* in one transaction; one write alone may have more */

/* One request's rows, which continue one record. The caller's from writer_take_done() on, and until
 * writer_add(); what it points to must stay in between. */
struct write {
    struct write *next;
    const struct id *game;
    const struct record_row *rows; /* consecutive */
    size_t count;                  /* at least 1 */
    /* What became of it:
     *      DB_OK           these rows are in the record, and on disk
     *      DB_CONFLICT     they do not continue the record as it is now: nothing was written
     *      DB_UNAVAILABLE  the database cannot be reached: nothing was written
     *      DB_UNKNOWN      it may or may not have been written; whoever asks again finds out */
    enum db_status status;
};

struct writer;

/* Starts the thread, with a connection of its own that is opened when first needed. At most
 * `waiting_max` writes may wait; `patience_ms` is how long it tries to reach the database before
 * it gives a batch up. NULL if the system has no threads or descriptors left. */
struct writer *writer_new(const char *url, bool service, size_t waiting_max, unsigned patience_ms);

/* True while as many writes wait as may. Loop thread. */
bool writer_is_full(const struct writer *writer);

/* Adds a write; not while writer_is_full(), and not while another write of the same game is under
 * way. Loop thread. */
void writer_add(struct writer *writer, struct write *write);

/* Lets the writer have what was added. Loop thread, once per turn. */
void writer_hand_over(struct writer *writer);

/* Becomes readable when writes are done. Owned by the writer. */
int writer_done_fd(const struct writer *writer);

/* All writes that were done since the last call, linked by `next`; NULL for none. Loop thread. */
struct write *writer_take_done(struct writer *writer);

/* Ends the thread after what was handed over has been written or given up. Loop thread. */
void writer_stop(struct writer *writer);

/* Stops it first if need be. NULL is fine. */
void writer_free(struct writer *writer);

#endif
