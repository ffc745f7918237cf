/* Periodic tasks that one service does for all: a row says when each is due, and the service that
 * locks the row does the task. */
#ifndef TILLROLL_DB_STORE_SERVICE_RETENTION_H
#define TILLROLL_DB_STORE_SERVICE_RETENTION_H

#include "db/link/db.h"

#define RETENTION_DELETE_OLD "delete_old"
#define RETENTION_FILL_NAMES "fill_names"
#define RETENTION_PUZZLES    "puzzles"

enum { RETENTION_BATCH = 5000 /* rows of a table at a time */ };

/* Takes a task, RETENTION_DELETE_OLD or RETENTION_FILL_NAMES, until the end of the transaction.
 * DB_NONE if the task is not due at `now_ms`, or another service has it; does not wait. */
enum db_status retention_take(struct db *db, const char *task, int64_t now_ms);

/* Deletes data from before `before_ms`: ended tokens, kept answers, parts of imports, sent
 * messages, waiting tables of the lobby, and causes that were never turned into notices; failed
 * messages and webhook deliveries are kept 23 days longer. Also turns guests without tokens into
 * deleted players. At most RETENTION_BATCH rows of each; `more` is set if there may be others. */
enum db_status retention_delete_old(struct db *db, int64_t before_ms, bool *more);

/* Sets when the task is due next. */
enum db_status retention_done(struct db *db, const char *task, int64_t due_at_ms);

/* The same if the task has never been due, as its migration has left it; else nothing. */
enum db_status retention_begin(struct db *db, const char *task, int64_t due_at_ms);

/* Takes a task that lasts longer than a transaction should: if it is due at `now_ms`, it is not due
 * for others before `until_ms`, by when it must be put off again (retention_done()), or is another
 * service's. DB_NONE if it is not due. */
enum db_status retention_put_off(struct db *db, const char *task, int64_t now_ms, int64_t until_ms);

#endif
