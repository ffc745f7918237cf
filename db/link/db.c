/* Connections and their transactions. The principle: a status never claims more than is known. A
 * transaction counts as committed only when the server has said so without a warning; if the
 * connection broke before COMMIT was sent, it did not happen; in between, the outcome is unknown.
 */
#include "db/link/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/link/connection.h"

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

/* Switches to a new connection. Statements are prepared per session, so a new one has none. */
static void use_connection(struct db *db, PGconn *connection, const struct server *server)
{
    PQfinish(db->connection);
    db->connection = connection;
    db->server = *server;
    db->lost = false;
    db->silent = false;
    db->deferred_begin = NULL;
    db->end_unanswered = false;
    db->sent_count = 0;
    db->prepared_count = 0;
    PQsetNoticeReceiver(connection, note_warning, db);
}

const char *db_url(const char *given)
{
    const char *const named[] = {given, getenv("TILLROLL_DATABASE"), getenv("DATABASE_URL")};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (named[i] != NULL && named[i][0] != '\0')
            return named[i];
    return NULL;
}

static PGconn *open_connection(const char *url, bool service, bool standby, struct server *server,
                               struct text *error)
{
    return (standby ? connection_open_standby : connection_open)(url, service, server, error);
}

static struct db *open_db(const char *url, bool service, bool standby, struct text *error)
{
    struct server server;
    PGconn *connection = open_connection(url, service, standby, &server, error);
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
    db->standby = standby;
    use_connection(db, connection, &server);
    return db;
}

struct db *db_open(const char *url, bool service, struct text *error)
{
    return open_db(url, service, false, error);
}

struct db *db_open_standby(const char *url, struct text *error)
{
    return open_db(url, true, true, error);
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
    return connection_is_open(db);
}

int db_silence_ms(const struct db *db)
{
    return db->server.silence_ms;
}

bool connection_reopen(struct db *db)
{
    struct text error = TEXT_OVER(db->error);
    struct server server;
    PGconn *connection = open_connection(db->url, db->service, db->standby, &server, &error);
    if (connection == NULL) {
        fprintf(stderr, "tillroll: database: %s\n", db->error);
        return false;
    }
    use_connection(db, connection, &server);
    return true;
}

static bool command(struct db *db, const char *sql, const char *expected_tag,
                    enum db_status *status)
{
    PGresult *result = PQsendQuery(db->connection, sql) == 1 ? connection_answer(db) : NULL;
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

/* Sends the BEGIN that db_begin() has deferred. */
static enum db_status connection_begin(struct db *db)
{
    enum db_status status;
    const char *deferred_begin = db->deferred_begin;
    db->deferred_begin = NULL;
    command(db, deferred_begin, "BEGIN", &status);
    return status;
}

bool db_is_superseded(const struct db *db)
{
    return connection_is_superseded(&db->server);
}

bool db_is_standby(const struct db *db)
{
    return db->standby;
}

/* True if the server is already known to have closed the connection: then COMMIT would not even be
 * sent, and the transaction is known to be undone. Looks twice, because the first look may read
 * only the server's last message and the second the end of the stream. */
static bool is_lost(struct db *db)
{
    for (unsigned look = 0; look < 2; look++)
        if (PQconsumeInput(db->connection) == 0)
            return true;
    return !db_is_open(db);
}

enum db_status db_begin(struct db *db, bool read_only)
{
    connection_settle(db);
    db->is_durable = !read_only;
    db->wrote = false;
    db->lost = db->lost || db_is_superseded(db);
    if (db_is_open(db) &&
        (db->deferred_begin != NULL || PQtransactionStatus(db->connection) != PQTRANS_IDLE)) {
        snprintf(db->error, sizeof db->error, "a transaction is open already");
        return DB_ERROR;
    }
    if ((!db_is_open(db) || is_lost(db)) && !connection_reopen(db))
        return DB_UNAVAILABLE;
    db->deferred_begin =
        read_only ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN READ WRITE";
    return DB_OK;
}

/* A transaction that has read another one's changes may be answered as if it had made them itself
 * (a repeated request), so they have to be equally durable. On the primary they are: no change is
 * visible before it is on disk. On a standby they may not be yet: if an administrator or the end of
 * a server cut that wait short, the change is visible all the same. This message in the server's
 * log comes after every change that was visible, and its commit waits for the standby. The commit
 * of a transaction that has changed rows does the same. */
static const char commit_what_was_seen[] =
    "SELECT pg_catalog.pg_logical_emit_message(true, 'tillroll', '')"
    "    WHERE pg_catalog.current_setting('synchronous_standby_names') <> '';"
    "COMMIT";

void db_require_durable(struct db *db)
{
    db->is_durable = true;
}

/* Ends a transaction that has only read and whose data need not be durable; its result is not
 * awaited. */
static enum db_status end_reading(struct db *db)
{
    if (PQsendQuery(db->connection, "COMMIT") != 1)
        return connection_status(db, NULL);
    db->end_unanswered = true;
    return DB_OK;
}

/* Receives the responses to statements sent with statement_later(). */
static enum db_status receive_sent(struct db *db)
{
    PGresult *last = NULL;
    enum db_status status = db->sent_count > 0 ? connection_receive_all(db, &last) : DB_OK;
    PQclear(last);
    return status;
}

static enum db_status commit(struct db *db, const char *words)
{
    enum db_status status = db->deferred_begin == NULL ? DB_OK : connection_begin(db);
    if (status != DB_OK)
        return status;
    status = receive_sent(db);
    if (status != DB_OK) {
        db_rollback(db);
        return status;
    }
    if (is_lost(db))
        return connection_status(db, NULL);
    if (PQtransactionStatus(db->connection) != PQTRANS_INTRANS) {
        snprintf(db->error, sizeof db->error, "commit of a transaction that failed or never began");
        fprintf(stderr, "tillroll: database: %s\n", db->error);
        db_rollback(db);
        return DB_ERROR;
    }
    if (!db->is_durable)
        return end_reading(db);
    db->warned = false;
    if (words == NULL)
        words = db->wrote ? "COMMIT" : commit_what_was_seen;
    bool committed = command(db, words, "COMMIT", &status);
    if (db->warned || !db_is_open(db))
        return DB_UNKNOWN;
    return committed ? DB_OK : status;
}

enum db_status db_commit(struct db *db)
{
    return commit(db, NULL);
}

enum db_status db_commit_unsynced(struct db *db)
{
    return commit(db, "SET LOCAL synchronous_commit = off; COMMIT");
}

void db_rollback(struct db *db)
{
    db->deferred_begin = NULL;
    (void)receive_sent(db);
    if (!db_is_open(db) || db->end_unanswered ||
        PQtransactionStatus(db->connection) == PQTRANS_IDLE)
        return;
    enum db_status status;
    command(db, "ROLLBACK", "ROLLBACK", &status);
}

const char *db_last_error(const struct db *db)
{
    return db->error;
}
