/* Inside db/ only: the thread for writes that are not straightforward. It waits for the server,
 * retries, finds out what has become of a batch whose connection broke, and which write of a batch
 * caused its failure; meanwhile the loop goes on with other batches (db/writer/writer.c). It also
 * makes the loop's connections.
 */
#ifndef TILLROLL_DB_WRITER_RECOVERY_WRITER_H
#define TILLROLL_DB_WRITER_RECOVERY_WRITER_H

#include "db/writer/write_batch.h"

struct recovery_writer;

/* Starts the thread. `patience_ms`: how long it tries to reach the database for a batch. `tells`:
 * for the loop's connections (record_pieces_ready()). NULL if the system has no threads or
 * descriptors left. */
struct recovery_writer *recovery_writer_new(const char *url, bool service, unsigned patience_ms,
                                            bool tells);

/* Hands over writes; `list` is empty afterwards. Writes that already have the status DB_UNKNOWN are
 * treated so: they may have been written. */
void recovery_writer_give(struct recovery_writer *recovery_writer, struct write_list *list);

/* Requests a connection that is ready for record_pieces_send(). */
void recovery_writer_want_connection(struct recovery_writer *recovery_writer);

/* Becomes readable when there is something to take. Owned by the recovery writer. */
int recovery_writer_fd(const struct recovery_writer *recovery_writer);

/* Appends finished writes to `done`. Returns the requested connection, now the caller's, or NULL if
 * there is none yet. */
struct db *recovery_writer_take(struct recovery_writer *recovery_writer, struct write_list *done);

/* Ends the thread after what was given has been written or given up. */
void recovery_writer_stop(struct recovery_writer *recovery_writer);

/* To be called after recovery_writer_stop(). NULL is fine. */
void recovery_writer_free(struct recovery_writer *recovery_writer);

#endif
