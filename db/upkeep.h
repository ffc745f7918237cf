/* Chores that one of the services does for all: a row says when each is due, and whoever locks it
 * then does it.
 */
#ifndef TILLROLL_DB_UPKEEP_H
#define TILLROLL_DB_UPKEEP_H

#include "db/db.h"

enum { UPKEEP_BATCH = 5000 /* rows of a table at a time */ };

/* Takes the task of deleting what is old, until the end of the transaction. DB_NONE if it is not
 * due at `now_ms`, or another service is at it; does not wait. */
enum db_status upkeep_take(struct db *db, int64_t now_ms);

/* Deletes tokens that ended and answers that were kept before `before_ms`, at most UPKEEP_BATCH of
 * each. `more` says that there may be others. */
enum db_status upkeep_delete_old(struct db *db, int64_t before_ms, bool *more);

/* When it is due next. */
enum db_status upkeep_done(struct db *db, int64_t due_at_ms);

#endif
