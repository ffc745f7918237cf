/* Inside db/ only: the parts of a connection, shared by db.c (transactions) and statement.c
 * (prepared statements).
 */
#ifndef TILLROLL_DB_LINK_CONNECTION_H
#define TILLROLL_DB_LINK_CONNECTION_H

#include <libpq-fe.h>

#include "db/link/db.h"

struct statement;

enum { CONNECTION_STATEMENTS = 256, CONNECTION_ERROR_BYTES = 512, SILENCE_MS = 15000 };

/* What a session knows about its server. */
struct server {
    unsigned place;   /* of which database it is (db_places_use()) */
    int64_t timeline; /* counts promotions of standbys; 0 = the server is a standby */
    int silence_ms;   /* how long it may be silent after a request */
};

enum { CONNECTION_TOGETHER = 16 /* that may be sent together */ };

/* What was sent together with others, and is not answered yet. */
struct sent {
    const struct statement *prepares; /* this statement's text; NULL for anything else */
    enum db_status otherwise;         /* what it means if it has changed no row */
};

struct db {
    PGconn *connection;
    char *url; /* owned */
    bool service;
    bool standby; /* must be a standby */
    bool warned;  /* the server has raised a warning since this was cleared */
    bool lost;    /* libpq could not send or receive; its own status of the connection may still be
                     good */
    bool silent;  /* lost, because an answer did not come in time */
    bool wrote;   /* the transaction has changed rows, as far as its statements say */
    bool answers_for;   /* the commit is to cover what the transaction has read (db_answer_for()) */
    const char *begins; /* sent with the transaction's first statement; NULL = it has begun */
    bool owes_end;      /* the end of a read-only transaction was sent, and is not yet answered */
    struct server server;
    size_t sent_count; /* more than 0: the connection is in pipeline mode */
    struct sent sent[CONNECTION_TOGETHER];
    size_t prepared_count;
    const struct statement *prepared[CONNECTION_STATEMENTS];
    char error[CONNECTION_ERROR_BYTES];
};

/* Opens a session with the layer's time limits, and describes the server in `server` (may be NULL).
 * Refuses a primary that another has replaced, as far as this process has seen that other one. NULL
 * with a sentence in `error`. */
PGconn *connection_open(const char *url, bool service, struct server *server, struct text *error);

/* The same with a standby, whatever the URL says; `server` is not NULL. A server that is not a
 * standby, because it was promoted for example, is refused, and is not taken as the primary
 * either. */
PGconn *connection_open_standby(const char *url, bool service, struct server *server,
                                struct text *error);

/* Records that there is a primary of the database at `place` with this timeline. */
void connection_has_seen(unsigned place, int64_t timeline);

/* True if a primary of the same database with a newer timeline has been seen: then what is read
 * here may belong to a history that has ended. */
bool connection_is_superseded(const struct server *server);

/* PQexec() that waits no longer for a silent server than the connection's tcp_user_timeout, also
 * through a local socket. NULL if that was reached, or nothing could be sent. */
PGresult *connection_do(PGconn *connection, const char *sql);

/* The answer to what was sent on this connection; marks it lost if none comes. */
PGresult *connection_answer(struct db *db);

/* Receives the answers to all that is in `sent`. DB_OK with the last one in `last`, to be cleared,
 * if all are good; else the first that is not says what went wrong, and `last` is NULL. */
enum db_status connection_together(struct db *db, PGresult **last);

/* Takes note of what a good answer says: whether rows were changed. */
void connection_note(struct db *db, PGresult *answer);

/* Receives the answer to the end of the previous transaction. To be called before anything else is
 * sent. */
void connection_settle(struct db *db);

/* Replaces a broken connection by a new one. False, and logged, if none can be opened. */
bool connection_reopen(struct db *db);

/* What went wrong, by the result's SQLSTATE and the state of the connection; keeps it for
 * db_last_error() and logs what is not part of normal work. `result` may be NULL. */
enum db_status connection_status(struct db *db, const PGresult *result);

/* What is known of the schema of the database at place 0: `lack` is a sentence, borrowed for ever,
 * that says what is missing, or NULL. While something is, connection_status() has this sentence for
 * statements that need it, and DB_UNAVAILABLE. Any thread. */
void connection_note_schema(const char *lack);

/* True if the schema should be looked at again: something was missing, and it is a second since
 * this was last true for anybody. Any thread. */
bool connection_doubts_schema(void);

#endif
