/* Cosignatures of the transparency log's checkpoints, as they are stored. Checkpoints are read with
 * theirs (db/store/log/tlog.h): the newest of each witness. */
#ifndef TILLROLL_DB_STORE_LOG_COSIGNATURES_H
#define TILLROLL_DB_STORE_LOG_COSIGNATURES_H

#include "db/link/db.h"

/* `witness` is the verification key, `line` a line of the note, with its LF. One that is there is
 * not added again. */
enum db_status cosignature_store(struct db *db, uint64_t size, const char *witness, uint64_t time_s,
                                 const char *line);

/* The largest checkpoint that a witness has cosigned, and when it did so last. DB_NONE. */
enum db_status cosignature_newest(struct db *db, const char *witness, uint64_t *size,
                                  uint64_t *time_s);

#endif
