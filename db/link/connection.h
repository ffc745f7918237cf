/* Inside db/ only: the parts of a connection, shared by db.c (transactions) and statement.c
 * (prepared statements).
 */
#ifndef TILLROLL_DB_LINK_CONNECTION_H
#define TILLROLL_DB_LINK_CONNECTION_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/link/status.h"
#include "engine/base/text.h"

struct statement;

enum { CONNECTION_STATEMENTS = 256, CONNECTION_ERROR_BYTES = 512, SILENCE_MS = 15000 };

/* A session's server. */
struct server {
    unsigned place;   /* its database: see db/link/place.h */
    int64_t timeline; /* counts promotions of standbys; 0 = the server is a standby */
    int silence_ms;   /* how long the server may be silent after a request */
};

enum { CONNECTION_TOGETHER = 16 /* statements that may be sent together */ };

/* A statement that was sent together with others and has not been answered yet. */
struct sent {
    const struct statement
        *prepares; /* the statement that this message prepares; NULL for any other message */
    enum db_status otherwise; /* the status if it has changed no row */
};

struct db {
    PGconn *connection;
    char *url; /* owned */
    bool service;
    bool standby;    /* only a standby is accepted */
    bool warned;     /* the server has raised a warning since this was last cleared */
    bool lost;       /* libpq could not send or receive, even if its own status still says that the
                        connection is good */
    bool silent;     /* lost because an answer did not come in time */
    bool wrote;      /* the transaction has changed rows, according to its statements' results */
    bool is_durable; /* the commit also makes durable what the transaction has read
                        (db_require_durable()) */
    const char *deferred_begin; /* sent with the first statement; NULL once sent */
    bool end_unanswered; /* the end of a read-only transaction has been sent, and not yet been
                            answered */
    struct server server;
    size_t sent_count; /* more than 0: the connection is in pipeline mode */
    struct sent sent[CONNECTION_TOGETHER];
    size_t prepared_count;
    const struct statement *prepared[CONNECTION_STATEMENTS];
    char error[CONNECTION_ERROR_BYTES];
};

/* Opens a session with the layer's time limits, and describes its server in `server` (may be NULL).
 * Refuses a primary if this process has seen another that replaced it. NULL with a sentence in
 * `error`. */
PGconn *connection_open(const char *url, bool service, struct server *server, struct text *error);

/* Opens a session with a standby, whatever the URL says; `server` is not NULL. Refuses a server
 * that is not a standby, for example because it was promoted; such a server is not recorded as the
 * primary either. */
PGconn *connection_open_standby(const char *url, bool service, struct server *server,
                                struct text *error);

/* Records that the database at `place` has a primary with this timeline. */
void connection_has_seen(unsigned place, int64_t timeline);

/* True if a primary of the same database with a newer timeline has been seen: data read here may
 * then belong to a history that has ended. */
bool connection_is_superseded(const struct server *server);

/* PQexec() that gives up a silent server after the connection's tcp_user_timeout, on local sockets
 * too. NULL if the server was silent that long, or nothing could be sent. */
PGresult *connection_do(PGconn *connection, const char *sql);

/* Receives the response to a statement sent on this connection; marks the connection lost if none
 * comes. */
PGresult *connection_answer(struct db *db);

/* Receives the responses to all statements in `sent`. DB_OK if all succeeded, with the last
 * response in `last`, which the caller clears; otherwise the status of the first that failed, and
 * `last` is NULL. */
enum db_status connection_receive_all(struct db *db, PGresult **last);

/* Records whether a successful response has changed rows. */
void connection_note_changes(struct db *db, PGresult *answer);

/* Receives the response to the end of the previous transaction. To be called before anything else
 * is sent. */
void connection_settle(struct db *db);

/* See db_is_open(). */
bool connection_is_open(const struct db *db);

/* Replaces a broken connection with a new one. False, and logged, if none can be opened. */
bool connection_reopen(struct db *db);

/* Returns the status of a failure, from the result's SQLSTATE and the state of the connection.
 * Keeps the message for db_last_error(), and logs failures that are not part of normal operation.
 * `result` may be NULL. */
enum db_status connection_status(struct db *db, const PGresult *result);

/* Records whether the schema of the database at place 0 is complete: `lack` is a sentence that says
 * what is missing, borrowed forever, or NULL. While something is missing, connection_status()
 * returns DB_UNAVAILABLE with this sentence for statements that need it. Any thread. */
void connection_note_schema(const char *lack);

/* True if the schema should be checked again: something was missing, and no call has returned true
 * in the last second. Any thread. */
bool connection_doubts_schema(void);

#endif
