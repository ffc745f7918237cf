/* A connection to PostgreSQL, and what can go wrong with it.
 *
 * The layer's rule: SQL stands in db/ only, as named statements that are prepared once per
 * connection; every value is a parameter. A function that reads or writes takes an open transaction
 * from its caller; the caller (api/) begins and commits, one transaction per request, and answers
 * only after the commit.
 */
#ifndef TILLROLL_DB_DB_H
#define TILLROLL_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/arena.h"
#include "db/id.h"
#include "engine/text.h"

enum db_status {
    DB_OK,
    DB_NONE,     /* there is no such row */
    DB_CONFLICT, /* a unique key is taken, or a race was lost */
    DB_RETRY,    /* serialization failure or deadlock: the whole transaction may be tried again */
    DB_UNKNOWN,  /* the connection broke during commit: it may or may not have happened */
    DB_UNAVAILABLE, /* no connection, or it broke before commit: nothing happened */
    DB_ERROR /* anything else: a programming error or a damaged database; it has been logged */
};

/* One connection, used by one thread at a time. */
struct db;

/* Opens a connection. `url` is a libpq connection string or URI. When the session's user is not
 * `tillroll_service` and `service` is set, the connection gives up its other rights with SET ROLE
 * tillroll_service. NULL with a sentence in `error`. Close with db_close(). */
struct db *db_open(const char *url, bool service, struct text *error);
void db_close(struct db *db);

/* True while the connection is usable. A broken one is reopened by the next db_begin(). */
bool db_is_open(const struct db *db);

/* Begins a transaction: READ COMMITTED to write, or a read-only REPEATABLE READ snapshot. */
enum db_status db_begin(struct db *db, bool read_only);

/* Commits. DB_OK only if the server said COMMIT and raised no warning while doing so (a synchronous
 * commit whose wait was cancelled warns, and is not durable on the standby). */
enum db_status db_commit(struct db *db);

/* Rolls back; harmless when no transaction is open. */
void db_rollback(struct db *db);

/* What the server said when the last call on this connection failed: SQLSTATE and message, for the
 * log only, never for a client. Owned by the connection, valid until its next call. */
const char *db_last_error(const struct db *db);

/* A fixed number of connections that threads share. */
struct db_pool;

/* `size` connections (1 .. 64), opened when first needed. */
struct db_pool *db_pool_new(const char *url, bool service, size_t size);

/* Waits up to `wait_ms` for a free connection. NULL if none came free or the database cannot be
 * reached. Give back with db_pool_give(), which rolls back what was left open. */
struct db *db_pool_take(struct db_pool *pool, int wait_ms);
void db_pool_give(struct db_pool *pool, struct db *db);
void db_pool_free(struct db_pool *pool);

#endif
