/* Connections and their transactions. The one idea: a caller never learns more than is known. A
 * transaction counts as committed only when the server has said so without reserve; what broke
 * before COMMIT was sent did not happen; in between, nobody knows.
 */
#include "db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"

static void note_warning(void *context, const PGresult *notice)
{
    struct db *db = context;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity == NULL || strcmp(severity, "WARNING") != 0)
        return;
    db->warned = true;
    const char *message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(db->error, sizeof db->error, "warning: %s", message == NULL ? "" : message);
    fprintf(stderr, "tillroll: database: %s\n", db->error);
}

/* Statements are prepared per session, so a new one has none. */
static void use_connection(struct db *db, PGconn *connection)
{
    PQfinish(db->connection);
    db->connection = connection;
    db->lost = false;
    db->prepared_count = 0;
    PQsetNoticeReceiver(connection, note_warning, db);
}

struct db *db_open(const char *url, bool service, struct text *error)
{
    PGconn *connection = connection_open(url, service, error);
    if (connection == NULL)
        return NULL;
    struct db *db = calloc(1, sizeof *db);
    char *copy = strdup(url);
    if (db == NULL || copy == NULL) {
        text_add(error, "out of memory");
        PQfinish(connection);
        free(copy);
        free(db);
        return NULL;
    }
    db->url = copy;
    db->service = service;
    use_connection(db, connection);
    return db;
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    PQfinish(db->connection);
    free(db->url);
    free(db);
}

bool db_is_open(const struct db *db)
{
    return !db->lost && PQstatus(db->connection) == CONNECTION_OK;
}

bool connection_reopen(struct db *db)
{
    struct text error = TEXT_OVER(db->error);
    PGconn *connection = connection_open(db->url, db->service, &error);
    if (connection == NULL) {
        fprintf(stderr, "tillroll: database: %s\n", db->error);
        return false;
    }
    use_connection(db, connection);
    return true;
}

static bool command(struct db *db, const char *sql, const char *expected_tag,
                    enum db_status *status)
{
    PGresult *result = PQexec(db->connection, sql);
    bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    *status = done ? DB_OK : connection_status(db, result);
    if (done && strcmp(PQcmdStatus(result), expected_tag) != 0) {
        snprintf(db->error, sizeof db->error, "the server answered %s to %s", PQcmdStatus(result),
                 sql);
        *status = DB_ERROR;
    }
    PQclear(result);
    return *status == DB_OK;
}

static enum db_status send_begin(struct db *db, bool read_only)
{
    enum db_status status;
    command(db, read_only ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN READ WRITE",
            "BEGIN", &status);
    return status;
}

enum db_status db_begin(struct db *db, bool read_only)
{
    enum db_status status = DB_UNAVAILABLE;
    if (db_is_open(db)) {
        if (PQtransactionStatus(db->connection) != PQTRANS_IDLE) {
            snprintf(db->error, sizeof db->error, "a transaction is open already");
            return DB_ERROR;
        }
        status = send_begin(db, read_only);
    }
    if (!db_is_open(db) && connection_reopen(db))
        status = send_begin(db, read_only);
    return status;
}

/* True if the server has hung up already, as far as this machine knows: then COMMIT would not even
 * be sent, and the transaction is known to be undone. Looks twice, because the first look may get
 * the server's farewell and only the second the end of the stream. */
static bool is_lost(struct db *db)
{
    for (unsigned look = 0; look < 2; look++)
        if (PQconsumeInput(db->connection) == 0)
            return true;
    return !db_is_open(db);
}

enum db_status db_commit(struct db *db)
{
    if (is_lost(db))
        return connection_status(db, NULL);
    if (PQtransactionStatus(db->connection) != PQTRANS_INTRANS) {
        snprintf(db->error, sizeof db->error, "commit of a transaction that failed or never began");
        fprintf(stderr, "tillroll: database: %s\n", db->error);
        db_rollback(db);
        return DB_ERROR;
    }
    db->warned = false;
    enum db_status status;
    bool committed = command(db, "COMMIT", "COMMIT", &status);
    if (db->warned || !db_is_open(db))
        return DB_UNKNOWN;
    return committed ? DB_OK : status;
}

void db_rollback(struct db *db)
{
    if (!db_is_open(db) || PQtransactionStatus(db->connection) == PQTRANS_IDLE)
        return;
    PQclear(PQexec(db->connection, "ROLLBACK"));
}

const char *db_last_error(const struct db *db)
{
    return db->error;
}
