/* A connection to PostgreSQL, and the ways in which its use can fail.
 *
 * The layer's rule: SQL is in db/ only, as named statements that are prepared once per connection;
 * every value is a parameter. A function that reads or writes takes an open transaction from its
 * caller. The caller (api/) begins and commits, one transaction per request, and answers only after
 * the commit. */
#ifndef TILLROLL_DB_LINK_DB_H
#define TILLROLL_DB_LINK_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/link/id.h"
#include "db/link/place.h"
#include "db/link/status.h"
#include "engine/base/arena.h"
#include "engine/base/text.h"

/* One connection, used by one thread at a time. */
struct db;

/* The URL of the database to use: `given` (the value of an option; may be NULL), else the
 * environment variable TILLROLL_DATABASE, else DATABASE_URL. Empty ones count as not set. Borrowed;
 * NULL if no database is named. */
const char *db_url(const char *given);

/* The advice to print if no database is named, without a full stop. */
#define DB_URL_ADVICE "name the database with --database or TILLROLL_DATABASE"

/* Opens a connection. `url` is a libpq connection string or URI (not a plain database name). With
 * `service` the connection gives up its user's other rights with SET ROLE tillroll_service. A
 * statement may take 10 s, waiting for a lock 5 s, and an open transaction may be idle for 30 s; a
 * server that is silent for 15 s after a request (`tcp_user_timeout` of the URL) is given up. The
 * URL may name several servers, but then needs `target_session_attrs=read-write`. NULL with a
 * sentence in `error`, which never contains the password. Close with db_close(); NULL is fine. */
struct db *db_open(const char *url, bool service, struct text *error);
void db_close(struct db *db);

/* Opens a connection as the service to a hot standby; refuses any other server. For reading only,
 * with the checks of db/link/replica.h. */
struct db *db_open_standby(const char *url, struct text *error);

/* True while the connection is usable. The next db_begin() reopens a broken one. */
bool db_is_open(const struct db *db);

/* Milliseconds for which the server may be silent after a request. */
int db_silence_ms(const struct db *db);

/* Begins a transaction: READ COMMITTED to write, or a read-only REPEATABLE READ snapshot. BEGIN is
 * sent with the first statement; until then a broken connection is reopened, once. DB_ERROR if a
 * transaction is open already. Every other function of this layer needs an open transaction and
 * returns DB_ERROR without one. After DB_RETRY, DB_ERROR and DB_UNAVAILABLE the transaction has
 * failed, and the caller rolls back. */
enum db_status db_begin(struct db *db, bool read_only);

/* Commits. DB_OK only if the server reported COMMIT and raised no warning while doing so (a
 * synchronous commit whose wait was cancelled raises a warning, and is not durable on the standby).
 * DB_UNAVAILABLE if the connection was found broken before COMMIT was sent; DB_UNKNOWN if it broke
 * later, or with a warning. DB_ERROR if a statement of the transaction had failed: it is rolled
 * back. If a statement sent with statement_later() (db/link/statement.h) fails now, the transaction
 * is rolled back too, and that statement's status returned. For a transaction that has only read,
 * the server's answer is not awaited.
 *
 * After DB_OK of a transaction that was begun to write, the data it has read is as durable as its
 * own changes: on the standby, too, if the server waits for one. */
enum db_status db_commit(struct db *db);

/* Commits without waiting for a disk or a standby. The change is visible to all sessions at once
 * and survives the end of this process, but a server that crashes within a second may lose it. For
 * changes that may be repeated. */
enum db_status db_commit_unsynced(struct db *db);

/* Makes the commit of a read-only transaction also wait until the data it has read is durable: for
 * signed answers, which must not depend on data that may still be lost. */
void db_require_durable(struct db *db);

/* True if this process has seen that a standby was promoted to replace this connection's server:
 * data read here may belong to a history that has ended. db_begin() then connects to another
 * server. */
bool db_is_superseded(const struct db *db);

/* True for a connection to a standby, whose data may not be visible on the primary yet. */
bool db_is_standby(const struct db *db);

/* Rolls back. Without effect if no transaction is open. */
void db_rollback(struct db *db);

/* The server's report on the last call that failed on this connection: SQLSTATE and message, for
 * the log only, never for a client. Owned by the connection, valid until its next call. */
const char *db_last_error(const struct db *db);

/* A fixed number of connections that threads share. */
struct db_pool;

/* Creates a pool of `size` connections (1 .. 64), opened when first needed. NULL if out of memory.
 */
struct db_pool *db_pool_new(const char *url, bool service, size_t size);

/* Puts a first connection of its kind, opened elsewhere, into a new pool; NULL is fine. */
void db_pool_begin_with(struct db_pool *pool, struct db *db);

/* Creates a pool of connections to a standby (db_open_standby()). */
struct db_pool *db_pool_new_standby(const char *url, size_t size);

/* Waits up to `wait_ms` for a free connection. NULL if none came free or the database cannot be
 * reached. Return it with db_pool_give(), which rolls back an open transaction. */
struct db *db_pool_take(struct db_pool *pool, int wait_ms);
void db_pool_give(struct db_pool *pool, struct db *db);
void db_pool_free(struct db_pool *pool);

/* Counters of a pool; the counts are since its creation. */
struct db_pool_figures {
    size_t size, open, in_use;
    size_t waiting;   /* threads waiting for a free connection */
    uint64_t in_vain; /* waits that ended without one */
    uint64_t failed;  /* connections that could not be opened */
};
struct db_pool_figures db_pool_figures(struct db_pool *pool);

#endif
