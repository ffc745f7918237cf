/* Inside db/ only: what a connection consists of, shared by db.c (transactions) and statement.c
 * (prepared statements).
 */
#ifndef TILLROLL_DB_CONNECTION_H
#define TILLROLL_DB_CONNECTION_H

#include <libpq-fe.h>

#include "db/db.h"

struct statement;

enum { CONNECTION_STATEMENTS = 256, CONNECTION_ERROR_BYTES = 512, SILENCE_MS = 15000 };

/* What a session knows of its server. */
struct server {
    int64_t timeline; /* counts promotions of standbys; 0 = the server is a standby */
    int silence_ms;   /* for how long it may say nothing when it was asked something */
};

struct db {
    PGconn *connection;
    char *url; /* owned */
    bool service;
    bool standby; /* only a standby will do */
    bool warned;  /* the server has raised a warning since this was cleared */
    bool lost;    /* libpq could not send or receive; it may think that the connection is good */
    bool silent;  /* lost, since an answer did not come in time */
    bool answers_for;   /* what the transaction has seen, when it is committed */
    const char *begins; /* with its first statement, which this is sent with; NULL = it has begun */
    bool owes_end;      /* of a transaction that only read: sent, and not yet answered */
    struct server server;
    size_t prepared_count;
    const struct statement *prepared[CONNECTION_STATEMENTS];
    char error[CONNECTION_ERROR_BYTES];
};

/* Opens a session with the layer's time limits, and says who the server is (`server` may be NULL).
 * Refuses a primary that another has replaced, as far as this process has seen that other one. NULL
 * with a sentence in `error`. */
PGconn *connection_open(const char *url, bool service, struct server *server, struct text *error);

/* The same with a standby, whatever the URL says; `server` is not NULL. One that is none, promoted
 * say, is refused, and tells nothing of who the primary is. */
PGconn *connection_open_standby(const char *url, bool service, struct server *server,
                                struct text *error);

/* Notes that there is a primary of this timeline. */
void connection_has_seen(int64_t timeline);

/* Whether a primary of a newer timeline has been seen: then what is read here may be of a history
 * that has ended. */
bool connection_is_superseded(int64_t timeline);

/* Milliseconds for which the server may say nothing: the connection's tcp_user_timeout, which
 * stands here for the whole way, sockets of the same machine and a server that has come to a halt
 * included. */
int connection_silence_ms(PGconn *connection);

/* The last result of what was sent, as PQexec() has it; NULL, with `silent`, if the server says
 * nothing for so long. The connection is of no use then. */
PGresult *connection_receive(PGconn *connection, int silence_ms, bool *silent);

/* PQexec() that waits no longer than that. NULL if it did, or if nothing could be sent. */
PGresult *connection_do(PGconn *connection, const char *sql);

/* The answer to what was sent on this connection; one that does not come makes it lost. */
PGresult *connection_answer(struct db *db);

/* The answers to two statements that were sent together, in pipeline mode. The second may be NULL,
 * as may both, if the connection broke. */
void connection_answers(struct db *db, PGresult *answer[static 2]);

/* Takes in the answer to the end of the transaction before, so that something else may be sent. To
 * be called before anything is. */
void connection_settle(struct db *db);

/* Begins the transaction that db_begin() has put off. */
enum db_status connection_begin(struct db *db);

/* Replaces a broken connection by a new one. False, and logged, if there is none to be had. */
bool connection_reopen(struct db *db);

/* What went wrong, by the result's SQLSTATE and the state of the connection; keeps it for
 * db_last_error() and logs what is not part of normal work. `result` may be NULL. */
enum db_status connection_status(struct db *db, const PGresult *result);

#endif
