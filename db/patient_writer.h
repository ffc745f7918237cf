/* Inside db/ only: the thread that writes what is not plain. It waits for the server, tries again,
 * finds out what has become of a batch whose connection broke, and which write of a batch is to
 * blame for its failure; meanwhile the loop goes on with others (db/writer.c). It also makes the
 * loop's connections.
 */
#ifndef TILLROLL_DB_PATIENT_WRITER_H
#define TILLROLL_DB_PATIENT_WRITER_H

#include "db/write_batch.h"

struct patient_writer;

/* Starts the thread. `patience_ms`: how long it tries to reach the database for a batch. `hearer`:
 * for the loop's connections (db/listener.h). NULL if the system has no threads or descriptors
 * left. */
struct patient_writer *patient_writer_new(const char *url, bool service, unsigned patience_ms,
                                          unsigned hearer);

/* Hands writes over; `list` is empty afterwards. A status of DB_UNKNOWN that they have already is
 * believed: they may have been written. */
void patient_writer_give(struct patient_writer *patient, struct write_list *list);

/* Asks for a connection that is ready for record_pieces_send(). */
void patient_writer_want_connection(struct patient_writer *patient);

/* Becomes readable when there is something to take. Owned by the patient writer. */
int patient_writer_fd(const struct patient_writer *patient);

/* Appends what is done to `done`. Returns the connection that was wanted, now the caller's, or NULL
 * if there is none yet. */
struct db *patient_writer_take(struct patient_writer *patient, struct write_list *done);

/* Ends the thread after what was given has been written or given up. */
void patient_writer_stop(struct patient_writer *patient);

/* After patient_writer_stop(). NULL is fine. */
void patient_writer_free(struct patient_writer *patient);

#endif
