/* Inside db/ only: the thread for writes that need more than one attempt. It waits for the server,
 * retries, finds the outcome of a batch whose connection broke, and finds the write that made a
 * batch fail; meanwhile the loop goes on with other batches (db/writer/writer.c). It also opens the
 * loop's connections. */
#ifndef TILLROLL_DB_WRITER_RECOVERY_WRITER_H
#define TILLROLL_DB_WRITER_RECOVERY_WRITER_H

#include "db/writer/write_batch.h"

struct recovery_writer;

/* Starts the thread. `patience_ms`: how long it tries to reach the database for a batch.
 * `notifies_later`: for the loop's connections (record_pieces_ready()). NULL if the system has no
 * threads or descriptors left. */
struct recovery_writer *recovery_writer_new(const char *url, bool service, unsigned patience_ms,
                                            bool notifies_later);

/* Hands over writes; `list` is empty afterwards. Writes whose status is DB_UNKNOWN may already be
 * in the database. */
void recovery_writer_give(struct recovery_writer *recovery_writer, struct write_list *list);

/* Requests a connection that is ready for record_pieces_send(). */
void recovery_writer_want_connection(struct recovery_writer *recovery_writer);

/* A descriptor that becomes readable when recovery_writer_take() has something to return. Owned by
 * the recovery writer. */
int recovery_writer_fd(const struct recovery_writer *recovery_writer);

/* Appends finished writes to `done`. Returns the requested connection, now the caller's, or NULL if
 * there is none yet. */
struct db *recovery_writer_take(struct recovery_writer *recovery_writer, struct write_list *done);

/* Ends the thread after all writes handed over have been written or given up. */
void recovery_writer_stop(struct recovery_writer *recovery_writer);

/* To be called after recovery_writer_stop(). NULL is fine. */
void recovery_writer_free(struct recovery_writer *recovery_writer);

#endif
