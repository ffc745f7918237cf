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
    DB_RETRY,    /* serialization failure, deadlock, or a lock that took too long: the whole
                    transaction may be tried again */
    DB_UNKNOWN,  /* the connection broke during commit, or the server committed with a warning: it
                    may  or may not have happened, or not be as durable as it should */
    DB_UNAVAILABLE, /* no connection, it broke before commit, a statement took too long, or the
                       server is out of resources: nothing happened */
    DB_ARCHIVE, /* an archived record's file is missing, or is not what was archived (db/archive.h)
                 */
    DB_ERROR    /* anything else: a programming error or a damaged database; it has been logged */
};

/* One connection, used by one thread at a time. */
struct db;

/* Opens a connection. `url` is a libpq connection string or URI (not a plain database name). With
 * `service` the connection gives up what other rights its user has with SET ROLE tillroll_service.
 * A statement may take 10 s, waiting for a lock 5 s, and an open transaction may idle for 30 s; a
 * server that says nothing for 15 s when it was asked something (`tcp_user_timeout` of the URL) is
 * given up. The URL may name several servers; then with `target_session_attrs=read-write`.
 * NULL with a sentence in `error`, which holds no password. Close with db_close(); NULL is fine. */
struct db *db_open(const char *url, bool service, struct text *error);
void db_close(struct db *db);

/* The same as the service, at a hot standby: a server that is none is refused. Only to read, and
 * with care (db/replica.h). */
struct db *db_open_standby(const char *url, struct text *error);

/* True while the connection is usable. A broken one is reopened by the next db_begin(). */
bool db_is_open(const struct db *db);

/* Milliseconds for which the server may say nothing when it was asked something. */
int db_silence_ms(const struct db *db);

/* Begins a transaction: READ COMMITTED to write, or a read-only REPEATABLE READ snapshot. The
 * server hears of it with the first statement; until then a broken connection is reopened, once.
 * DB_ERROR if a transaction is open already. Every other function of this layer needs an open
 * transaction and returns DB_ERROR without one. After DB_RETRY, DB_ERROR and DB_UNAVAILABLE the
 * transaction has failed: the caller rolls back. */
enum db_status db_begin(struct db *db, bool read_only);

/* Commits. DB_OK only if the server said COMMIT and raised no warning while doing so (a synchronous
 * commit whose wait was cancelled warns, and is not durable on the standby). DB_UNAVAILABLE if the
 * connection was seen to be broken before COMMIT was sent, DB_UNKNOWN if it broke later, or with a
 * warning. DB_ERROR if a statement of the transaction had failed: it is rolled back. Where it has
 * only read, nobody waits for what the server says.
 *
 * After DB_OK of a transaction that was begun to write, what it has read is as durable as what it
 * has written: on the standby, too, if the server waits for one. */
enum db_status db_commit(struct db *db);

/* Has the commit of a transaction that only reads wait for what it has seen as well: for answers
 * that are signed, and must not be of what may yet be lost. */
void db_answer_for(struct db *db);

/* True if a standby has been promoted in the place of this connection's server, as far as this
 * process knows: what was read may be of a history that has ended. db_begin() looks elsewhere. */
bool db_is_superseded(const struct db *db);

/* True for a connection to a standby: what is read may not be everybody's to read yet. */
bool db_is_standby(const struct db *db);

/* Rolls back; harmless when no transaction is open. */
void db_rollback(struct db *db);

/* What the server said when the last call on this connection failed: SQLSTATE and message, for the
 * log only, never for a client. Owned by the connection, valid until its next call. */
const char *db_last_error(const struct db *db);

/* A fixed number of connections that threads share. */
struct db_pool;

/* `size` connections (1 .. 64), opened when first needed. */
struct db_pool *db_pool_new(const char *url, bool service, size_t size);

/* The same of connections to a standby (db_open_standby()). */
struct db_pool *db_pool_new_standby(const char *url, size_t size);

/* Waits up to `wait_ms` for a free connection. NULL if none came free or the database cannot be
 * reached. Give back with db_pool_give(), which rolls back what was left open. */
struct db *db_pool_take(struct db_pool *pool, int wait_ms);
void db_pool_give(struct db_pool *pool, struct db *db);
void db_pool_free(struct db_pool *pool);

/* What is counted of a pool; the counts are since it was made. */
struct db_pool_figures {
    size_t size, open, in_use;
    size_t waiting;   /* threads that wait for one to come free */
    uint64_t in_vain; /* that waited for nothing */
    uint64_t failed;  /* connections that could not be opened */
};
struct db_pool_figures db_pool_figures(struct db_pool *pool);

#endif
