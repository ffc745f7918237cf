/* Sessions, and the meaning of their errors. A session limits every wait, so that no failure in the
 * database can block a thread of the service forever. */
#include "db/link/connection.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/now.h"
#include "db/link/place.h"
#include "engine/base/text.h"

/* search_path is empty because every name is written in full. Statements are planned once, since
 * planning each use again takes longer than most of them. They look rows up by their keys, and a
 * plan made when a table was small must not read all of it when it has grown; so a plan scans whole
 * tables or builds bitmaps only if there is no index. (Such a plan seems expensive, and jit is off
 * so that it is not compiled.) A commit that the server answers before it is on disk is never
 * wanted, whatever the role's defaults say. */
#define SESSION_SETTINGS                                                                           \
    "SET statement_timeout = '10s';"                                                               \
    "SET lock_timeout = '5s';"                                                                     \
    "SET idle_in_transaction_session_timeout = '30s';"                                             \
    "SET search_path = '';"                                                                        \
    "SET TimeZone = 'UTC';"                                                                        \
    "SET bytea_output = 'hex';"                                                                    \
    "SET plan_cache_mode = force_generic_plan;"                                                    \
    "SET enable_bitmapscan = off;"                                                                 \
    "SET enable_seqscan = off;"                                                                    \
    "SET jit = off;"                                                                               \
    "SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN '0' ELSE"                                \
    "    pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8) END,"     \
    "  CASE WHEN pg_catalog.current_setting('synchronous_commit') = 'off'"                         \
    "    THEN pg_catalog.set_config('synchronous_commit', 'on', false) END"

/* ---- Waiting ---- */

/* Milliseconds for which the server may be silent: the connection's tcp_user_timeout, applied to
 * all waiting, also on local sockets and for a server that has halted. */
static int connection_silence_ms(PGconn *connection)
{
    int silence_ms = SILENCE_MS;
    uint64_t timeout_ms = 0;
    PQconninfoOption *options = PQconninfo(connection);
    for (const PQconninfoOption *each = options; each != NULL && each->keyword != NULL; each++)
        if (strcmp(each->keyword, "tcp_user_timeout") == 0 && each->val != NULL &&
            span_number(span_of(each->val), INT_MAX, &timeout_ms))
            silence_ms = timeout_ms > 0 ? (int)timeout_ms : SILENCE_MS;
    PQconninfoFree(options);
    return silence_ms;
}

/* Waits for a result. False if the server has sent nothing for `silence_ms`. True for a broken
 * connection: PQgetResult() then reports the failure. */
static bool wait_for_result(PGconn *connection, int silence_ms)
{
    while (PQisBusy(connection) != 0) {
        bool unsent = PQflush(connection) == 1;
        struct pollfd wanted = {.fd = PQsocket(connection),
                                .events = (short)(unsent ? POLLIN | POLLOUT : POLLIN)};
        int ready = poll(&wanted, 1, silence_ms);
        if (ready == 0)
            return false;
        if ((ready < 0 && errno != EINTR) || (ready > 0 && PQconsumeInput(connection) == 0))
            return true;
    }
    return true;
}

/* Returns the last result of a query, as PQexec() does. NULL, with `silent` set, if the server is
 * silent for `silence_ms`; the connection is then unusable. */
static PGresult *connection_receive(PGconn *connection, int silence_ms, bool *silent)
{
    PGresult *last = NULL;
    for (;;) {
        *silent = !wait_for_result(connection, silence_ms);
        PGresult *next = *silent ? NULL : PQgetResult(connection);
        if (next == NULL && !*silent)
            return last;
        PQclear(last);
        if (*silent)
            return NULL;
        last = next;
    }
}

PGresult *connection_do(PGconn *connection, const char *sql)
{
    bool silent;
    return PQsendQuery(connection, sql) == 1
               ? connection_receive(connection, connection_silence_ms(connection), &silent)
               : NULL;
}

/* ---- Identifying the server ---- */

static const char *const *places; /* places[0] is place 1 */
static size_t place_count;

void db_places_use(const char *const *urls, size_t count)
{
    places = urls;
    place_count = count < DB_PLACES_MAX ? count : DB_PLACES_MAX;
}

static unsigned place_of(const char *url)
{
    for (size_t i = 0; i < place_count; i++)
        if (strcmp(places[i], url) == 0)
            return (unsigned)i + 1;
    return 0;
}

/* The newest timeline of each database that this process has had a session with. A primary that
 * another has replaced may run on for a while, and may even be reached, but nothing may be based on
 * its data any more. So the timeline is recorded per database, not per connection. */
static _Atomic int64_t newest_timeline[DB_PLACES_MAX + 1];

bool connection_is_superseded(const struct server *server)
{
    return server->timeline != 0 && server->timeline < atomic_load(&newest_timeline[server->place]);
}

void connection_has_seen(unsigned place, int64_t timeline)
{
    int64_t newest = atomic_load(&newest_timeline[place]);
    while (timeline > newest &&
           !atomic_compare_exchange_weak(&newest_timeline[place], &newest, timeline))
        continue;
}

/* False, with a sentence, for a primary that has been replaced. */
static bool check_timeline(const struct server *server, struct text *error)
{
    connection_has_seen(server->place, server->timeline);
    if (!connection_is_superseded(server))
        return true;
    text_add(error, "another primary has replaced this one: it is on timeline ");
    text_add_number(error, server->timeline);
    text_add(error, ", and a newer one was seen (after restoring a backup, restart this program)");
    return false;
}

/* ---- Opening ---- */

static bool session_do(PGconn *connection, const char *sql)
{
    PGresult *result = connection_do(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* States which place the session believes its database to have. Triggers refuse lines of sessions
 * that state another, or do not know that lines are elsewhere (db/lines/line_setup.c). */
static bool state_place(PGconn *connection, unsigned place)
{
    char sql[80];
    snprintf(sql, sizeof sql, "SET tillroll.line_database = '%u of %zu'", place, place_count);
    return place_count == 0 || session_do(connection, sql);
}

/* Applies the settings and reads the server's timeline. False if the connection broke, or the user
 * may not take the service's role. */
static bool apply_settings(PGconn *connection, bool service, struct server *server)
{
    PGresult *result = connection_do(
        connection, service ? "SET ROLE tillroll_service;" SESSION_SETTINGS : SESSION_SETTINGS);
    bool good = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
    server->timeline = good ? strtoll(PQgetvalue(result, 0, 0), NULL, 16) : 0;
    server->silence_ms = connection_silence_ms(connection);
    PQclear(result);
    return good;
}

/* Notices are not errors and do not belong in the service's log. */
static void ignore_notice(void *context, const PGresult *notice)
{
    (void)context;
    (void)notice;
}

/* True if libpq can parse the URL. libpq's own error message quotes a part that it cannot parse,
 * which may be the password. */
static bool is_readable(const char *url)
{
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &message);
    PQfreemem(message);
    PQconninfoFree(options);
    return options != NULL;
}

/* Adds the reason why there is no session: the first line of libpq's message. */
static void add_reason(PGconn *connection, struct text *error)
{
    char message[256];
    text_add(error, "cannot open a session with the database: ");
    snprintf(message, sizeof message, "%s",
             connection == NULL ? "out of memory" : PQerrorMessage(connection));
    message[strcspn(message, "\n")] = '\0';
    text_add(error, message);
}

/* Opens a session; with `wanted` only with this kind of server (libpq's target_session_attrs),
 * whatever the URL says. */
static PGconn *open_session(const char *url, bool service, const char *wanted, struct server *who,
                            struct text *error)
{
    if (!is_readable(url)) {
        text_add(error, "the database's address is not a connection string or URI");
        return NULL;
    }
    /* The keywords before `dbname` are defaults that the URL may override. A server that has
     * vanished is given up 15 s after its last message, whether a query was pending or not. */
    const char *const keywords[] = {"connect_timeout",
                                    "tcp_user_timeout",
                                    "keepalives_idle",
                                    "keepalives_interval",
                                    "keepalives_count",
                                    "fallback_application_name",
                                    "dbname",
                                    "client_encoding",
                                    wanted == NULL ? NULL : "target_session_attrs",
                                    NULL};
    const char *const values[] = {"5",        "15000", "5",    "2",    "5",
                                  "tillroll", url,     "UTF8", wanted, NULL};
    PGconn *connection = PQconnectdbParams(keywords, values, 1);
    PQsetNoticeReceiver(connection, ignore_notice, NULL);
    who->place = place_of(url);
    bool good = PQstatus(connection) == CONNECTION_OK && apply_settings(connection, service, who) &&
                state_place(connection, who->place);
    if (good)
        return connection;
    add_reason(connection, error);
    PQfinish(connection);
    return NULL;
}

PGconn *connection_open(const char *url, bool service, struct server *server, struct text *error)
{
    struct server unused = {0};
    struct server *who = server == NULL ? &unused : server;
    PGconn *connection = open_session(url, service, NULL, who, error);
    if (connection == NULL || check_timeline(who, error))
        return connection;
    PQfinish(connection);
    return NULL;
}

PGconn *connection_open_standby(const char *url, bool service, struct server *server,
                                struct text *error)
{
    PGconn *connection = open_session(url, service, "standby", server, error);
    if (connection == NULL || server->timeline == 0)
        return connection;
    text_add(error, "the standby has just been promoted");
    PQfinish(connection);
    return NULL;
}

static enum db_status status_of_state(const char *state)
{
    static const struct {
        const char *prefix; /* of the SQLSTATE; the first match decides */
        enum db_status status;
    } meanings[] = {
        {"23505", DB_CONFLICT},    /* unique_violation */
        {"40001", DB_RETRY},       /* serialization_failure */
        {"40P01", DB_RETRY},       /* deadlock_detected */
        {"55P03", DB_RETRY},       /* lock_not_available: waited for lock_timeout */
        {"57014", DB_UNAVAILABLE}, /* query_canceled: statement_timeout */
        {"57P", DB_UNAVAILABLE},   /* the server is shutting down or starting up */
        {"25P03", DB_UNAVAILABLE}, /* idle_in_transaction_session_timeout */
        {"53", DB_UNAVAILABLE},    /* no memory, no disk, no free connection */
        {"08", DB_UNAVAILABLE},    /* connection exception */
    };
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (strncmp(state, meanings[i].prefix, strlen(meanings[i].prefix)) == 0)
            return meanings[i].status;
    return DB_ERROR;
}

/* ---- Missing parts of the schema ---- */

enum { LOOK_MS = 1000 };

static _Atomic(const char *) schema_lack;
static _Atomic bool schema_doubted;
static _Atomic int64_t next_look_ms;

void connection_note_schema(const char *lack)
{
    atomic_store(&schema_lack, lack);
    atomic_store(&schema_doubted, lack != NULL);
}

bool connection_doubts_schema(void)
{
    if (!atomic_load_explicit(&schema_doubted, memory_order_relaxed))
        return false;
    int64_t now = now_ms(CLOCK_MONOTONIC);
    int64_t next = atomic_load(&next_look_ms);
    return now >= next && atomic_compare_exchange_strong(&next_look_ms, &next, now + LOOK_MS);
}

/* Returns the sentence about the schema if the SQLSTATE says that a table, schema, column or
 * function is undefined; NULL otherwise. A faulty statement can be the cause too. */
static const char *lack_of_schema(const struct db *db, const char *state)
{
    static const char *const undefined[] = {"42P01", "3F000", "42703", "42883"};
    bool is_undefined = false;
    for (size_t i = 0; i < sizeof undefined / sizeof undefined[0]; i++)
        is_undefined = is_undefined || (state != NULL && strcmp(state, undefined[i]) == 0);
    if (!is_undefined || db->server.place != 0)
        return NULL;
    atomic_store(&schema_doubted, true);
    return atomic_load(&schema_lack);
}

/* ---- Results and errors ---- */

/* Keeps the first line of a message, after its SQLSTATE if there is one. */
static void keep_error(struct db *db, const char *state, const char *message)
{
    snprintf(db->error, sizeof db->error, "%s%s%s", state == NULL ? "" : state,
             state == NULL ? "" : " ", message == NULL ? "no message" : message);
    db->error[strcspn(db->error, "\n")] = '\0';
}

PGresult *connection_answer(struct db *db)
{
    PGresult *result = connection_receive(db->connection, db->server.silence_ms, &db->silent);
    db->lost = db->lost || db->silent;
    return result;
}

/* Returns the next result; in pipeline mode, NULL after the last of each statement. */
static PGresult *next_answer(struct db *db)
{
    if (db->silent)
        return NULL;
    db->silent = !wait_for_result(db->connection, db->server.silence_ms);
    db->lost = db->lost || db->silent;
    return db->silent ? NULL : PQgetResult(db->connection);
}

void connection_note_changes(struct db *db, PGresult *answer)
{
    const char *tag = PQcmdStatus(answer);
    bool changes = strncmp(tag, "INSERT", 6) == 0 || strncmp(tag, "UPDATE", 6) == 0 ||
                   strncmp(tag, "DELETE", 6) == 0;
    db->wrote = db->wrote || (changes && strtol(PQcmdTuples(answer), NULL, 10) > 0);
}

/* True if a response is successful. A prepared statement stays prepared, whatever else fails. */
static bool is_success(struct db *db, const struct sent *sent, PGresult *answer)
{
    ExecStatusType done = PQresultStatus(answer);
    if (done != PGRES_COMMAND_OK && done != PGRES_TUPLES_OK)
        return false;
    connection_note_changes(db, answer);
    if (sent->prepares != NULL)
        db->prepared[db->prepared_count++] = sent->prepares;
    return sent->otherwise == DB_OK || strtol(PQcmdTuples(answer), NULL, 10) > 0;
}

/* Reads all responses, even if the first is an error. Returns how many succeeded before the first
 * failure. */
static size_t read_answers(struct db *db, PGresult **decisive)
{
    size_t good = 0;
    for (size_t i = 0; i < db->sent_count; i++) {
        PGresult *answer = next_answer(db);
        if (answer != NULL)
            PQclear(next_answer(db));
        bool succeeded = is_success(db, &db->sent[i], answer);
        if (good < i) {
            PQclear(answer);
            continue;
        }
        PQclear(*decisive);
        *decisive = answer;
        good += succeeded ? 1 : 0;
    }
    PGresult *end = next_answer(db);
    db->lost = db->lost || PQresultStatus(end) != PGRES_PIPELINE_SYNC ||
               PQexitPipelineMode(db->connection) == 0;
    PQclear(end);
    return good;
}

enum db_status connection_receive_all(struct db *db, PGresult **last)
{
    const size_t count = db->sent_count;
    size_t good = 0;
    *last = NULL;
    db->silent = false;
    db->lost = db->lost || PQpipelineSync(db->connection) == 0;
    if (!db->lost)
        good = read_answers(db, last);
    db->sent_count = 0;
    if (!db->lost && good == count)
        return DB_OK;
    ExecStatusType done = PQresultStatus(*last);
    bool answered = done == PGRES_COMMAND_OK || done == PGRES_TUPLES_OK;
    enum db_status status = answered && !db->lost ? db->sent[good].otherwise
                                                  : connection_status(db, answered ? NULL : *last);
    PQclear(*last);
    *last = NULL;
    return status;
}

/* The result of ending a read-only transaction is ignored. */
void connection_settle(struct db *db)
{
    if (!db->end_unanswered)
        return;
    db->end_unanswered = false;
    PQclear(connection_answer(db));
}

bool connection_is_open(const struct db *db)
{
    return !db->lost && PQstatus(db->connection) == CONNECTION_OK;
}

enum db_status connection_status(struct db *db, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (db->silent)
        message = "the server has said nothing for too long";
    keep_error(db, state, message != NULL ? message : PQerrorMessage(db->connection));
    /* An error without SQLSTATE is libpq's own. After a failed write, libpq still calls the
     * connection good until it has tried to read. */
    db->lost = db->lost || state == NULL;
    enum db_status status = connection_is_open(db) ? status_of_state(state) : DB_UNAVAILABLE;
    const char *lack = lack_of_schema(db, state);
    if (lack != NULL) {
        keep_error(db, NULL, lack);
        status = DB_UNAVAILABLE;
    }
    if (status == DB_UNAVAILABLE || status == DB_ERROR)
        fprintf(stderr, "tillroll: database: %s\n", db->error);
    return status;
}
