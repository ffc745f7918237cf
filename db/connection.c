/* Sessions and what their errors mean. A session limits every wait, so that nothing that goes wrong
 * in the database can hold a thread of the service for ever.
 */
#include "db/connection.h"

#include <stdio.h>
#include <string.h>

/* search_path is empty because every name is written in full. Statements are planned once: planning
 * each use anew takes longer than most of them. They look rows up by their keys, and a plan that
 * was made when a table was small must not read all of it when it has grown; so whole tables are
 * read, or bitmaps made, only where there is no index (and such a plan, which seems dear, is not
 * compiled). A commit that the server answers before it is on disk is never wanted, whatever the
 * role's defaults say. */
static const char session_settings[] =
    "SET statement_timeout = '10s';"
    "SET lock_timeout = '5s';"
    "SET idle_in_transaction_session_timeout = '30s';"
    "SET search_path = '';"
    "SET TimeZone = 'UTC';"
    "SET bytea_output = 'hex';"
    "SET plan_cache_mode = force_generic_plan;"
    "SET enable_bitmapscan = off;"
    "SET enable_seqscan = off;"
    "SET jit = off;"
    "SELECT pg_catalog.set_config('synchronous_commit', 'on', false)"
    "    WHERE pg_catalog.current_setting('synchronous_commit') = 'off'";

static bool session_do(PGconn *connection, const char *sql)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* Notices are no errors and belong in no log of ours. */
static void ignore_notice(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

/* libpq quotes a part of what it cannot read, which may be the password. */
static bool is_readable(const char *url)
{
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &message);
    PQfreemem(message);
    PQconninfoFree(options);
    return options != NULL;
}

PGconn *connection_open(const char *url, bool service, struct text *error)
{
    if (!is_readable(url)) {
        text_add(error, "the database's address is not a connection string or URI");
        return NULL;
    }
    /* What stands before `dbname` is a default that the URL may override. */
    static const char *const keywords[] = {"connect_timeout",           "tcp_user_timeout",
                                           "fallback_application_name", "dbname",
                                           "client_encoding",           NULL};
    const char *const values[] = {"5", "15000", "tillroll", url, "UTF8", NULL};
    PGconn *connection = PQconnectdbParams(keywords, values, 1);
    PQsetNoticeReceiver(connection, ignore_notice, NULL);
    if (PQstatus(connection) == CONNECTION_OK && session_do(connection, session_settings) &&
        (!service || session_do(connection, "SET ROLE tillroll_service")))
        return connection;
    text_add(error, "cannot open a session with the database: ");
    char message[256];
    snprintf(message, sizeof message, "%s",
             connection == NULL ? "out of memory" : PQerrorMessage(connection));
    message[strcspn(message, "\n")] = '\0';
    text_add(error, message);
    PQfinish(connection);
    return NULL;
}

static enum db_status status_of_state(const char *state)
{
    static const struct {
        const char *prefix; /* of the SQLSTATE; the first that fits decides */
        enum db_status status;
    } meanings[] = {
        {"23505", DB_CONFLICT},    /* unique_violation */
        {"40001", DB_RETRY},       /* serialization_failure */
        {"40P01", DB_RETRY},       /* deadlock_detected */
        {"55P03", DB_RETRY},       /* lock_not_available: waited lock_timeout for it */
        {"57014", DB_UNAVAILABLE}, /* query_canceled: statement_timeout */
        {"57P", DB_UNAVAILABLE},   /* the server is going down or coming up */
        {"25P03", DB_UNAVAILABLE}, /* idle_in_transaction_session_timeout */
        {"53", DB_UNAVAILABLE},    /* no memory, no disk, no free connection */
        {"08", DB_UNAVAILABLE},    /* connection exception */
    };
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (strncmp(state, meanings[i].prefix, strlen(meanings[i].prefix)) == 0)
            return meanings[i].status;
    return DB_ERROR;
}

/* The first line of what was said, after its SQLSTATE if there is one. */
static void keep_error(struct db *db, const char *state, const char *message)
{
    snprintf(db->error, sizeof db->error, "%s%s%s", state == NULL ? "" : state,
             state == NULL ? "" : " ", message == NULL ? "no message" : message);
    db->error[strcspn(db->error, "\n")] = '\0';
}

enum db_status connection_status(struct db *db, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    keep_error(db, state, message != NULL ? message : PQerrorMessage(db->connection));
    /* An error without SQLSTATE is libpq's own. After a write that failed it goes on to call the
     * connection good, until it has tried to read. */
    db->lost = db->lost || state == NULL;
    enum db_status status = db_is_open(db) ? status_of_state(state) : DB_UNAVAILABLE;
    if (status == DB_UNAVAILABLE || status == DB_ERROR)
        fprintf(stderr, "tillroll: database: %s\n", db->error);
    return status;
}
