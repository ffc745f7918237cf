/* Chores that one of the services does for all: a row says when each is due, and whoever locks it
 * then does it.
 */
#ifndef TILLROLL_DB_STORE_SERVICE_RETENTION_H
#define TILLROLL_DB_STORE_SERVICE_RETENTION_H

#include "db/link/db.h"

#define RETENTION_DELETE_OLD "delete_old"
#define RETENTION_FILL_NAMES "fill_names"
#define RETENTION_PUZZLES    "puzzles"

enum { RETENTION_BATCH = 5000 /* rows of a table at a time */ };

/* Takes a task, RETENTION_DELETE_OLD or RETENTION_FILL_NAMES, until the end of the transaction.
 * DB_NONE if it is not due at `now_ms`, or another service is at it; does not wait. */
enum db_status retention_take(struct db *db, const char *task, int64_t now_ms);

/* Deletes tokens that ended, answers that were kept and mails that were sent before `before_ms`,
 * mails that failed and what was sent to webhooks 23 days earlier, tables of the lobby that have
 * waited since before, and what happened before without having been turned into notices, and
 * forgets guests without tokens, at most RETENTION_BATCH of each. `more` says that there may be
 * others. */
enum db_status retention_delete_old(struct db *db, int64_t before_ms, bool *more);

/* When the task is due next. */
enum db_status retention_done(struct db *db, const char *task, int64_t due_at_ms);

/* The same if the task has never been due, as its migration has left it; else nothing. */
enum db_status retention_begin(struct db *db, const char *task, int64_t due_at_ms);

/* Takes a task that lasts longer than a transaction should: if it is due at `now_ms`, it is not due
 * for others before `until_ms`, by when it must be put off again (retention_done()), or is another
 * service's. DB_NONE if it is not due. */
enum db_status retention_put_off(struct db *db, const char *task, int64_t now_ms, int64_t until_ms);

#endif
