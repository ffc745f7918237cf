/* Inside db/ only: what a connection consists of, shared by db.c (transactions) and statement.c
 * (prepared statements).
 */
#ifndef TILLROLL_DB_CONNECTION_H
#define TILLROLL_DB_CONNECTION_H

#include <libpq-fe.h>

#include "db/db.h"

struct statement;

enum { CONNECTION_STATEMENTS = 256, CONNECTION_ERROR_BYTES = 512 };

struct db {
    PGconn *connection;
    char *url; /* owned */
    bool service;
    bool warned; /* the server has raised a warning since this was cleared */
    bool lost;   /* libpq could not send or receive; it may think that the connection is good */
    size_t prepared_count;
    const struct statement *prepared[CONNECTION_STATEMENTS];
    char error[CONNECTION_ERROR_BYTES];
};

/* Opens a session with the layer's time limits. NULL with a sentence in `error`. */
PGconn *connection_open(const char *url, bool service, struct text *error);

/* Replaces a broken connection by a new one. False, and logged, if there is none to be had. */
bool connection_reopen(struct db *db);

/* What went wrong, by the result's SQLSTATE and the state of the connection; keeps it for
 * db_last_error() and logs what is not part of normal work. `result` may be NULL. */
enum db_status connection_status(struct db *db, const PGresult *result);

#endif
