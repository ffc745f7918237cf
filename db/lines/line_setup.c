#include "db/lines/line_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/lines/line_databases.h"
#include "db/link/connection.h"
#include "engine/base/embed.h"

enum { INSTALLATION = 37, SQL_BYTES = 2048 };

EMBED(line_schema, "db/lines/lines.sql");

/* ---- Queries ---- */

static bool fail(struct text *error, const char *sentence)
{
    text_add(error, sentence);
    return false;
}

/* "line database 2 " */
static void add_place(struct text *error, size_t place)
{
    text_add(error, "line database ");
    text_add_number(error, (int64_t)place);
    text_add(error, " ");
}

static void add_result(const PGresult *result, struct text *error)
{
    char message[256];
    snprintf(message, sizeof message, "%s", PQresultErrorMessage(result));
    message[strcspn(message, "\n")] = '\0';
    text_add(error, message[0] == '\0' ? "the connection broke" : message);
}

/* Runs one or more statements; writes the first value of the last to `answer`, "" for none. */
static bool ask(PGconn *connection, const char *sql, char *answer, size_t size, struct text *error)
{
    PGresult *result = connection_do(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!good)
        add_result(result, error);
    bool has = good && PQntuples(result) > 0;
    if (answer != NULL)
        snprintf(answer, size, "%s", has ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    return good;
}

static bool run(PGconn *connection, const char *sql, struct text *error)
{
    return ask(connection, sql, NULL, 0, error);
}

/* Statements of the owner may take long or wait for locks, so they have no timeout. */
static PGconn *open_as_owner(const char *url, struct text *error)
{
    PGconn *connection = connection_open(url, false, NULL, error);
    if (connection == NULL || run(connection, "SET statement_timeout = 0", error))
        return connection;
    PQfinish(connection);
    return NULL;
}

/* ---- The central database ---- */

/* Reads "4 <uuid>" if 4 are joined, else "". */
static bool read_joined(PGconn *connection, char *joined, size_t size, struct text *error)
{
    char made[2];
    joined[0] = '\0';
    return ask(connection, "SELECT to_regprocedure('tillroll.line_databases()') IS NOT NULL", made,
               sizeof made, error) &&
           (made[0] != 't' ||
            ask(connection, "SELECT tillroll.line_databases()", joined, size, error));
}

static bool check_count(const char *joined, struct text *error)
{
    size_t count = line_databases_count();
    size_t found = joined[0] == '\0' ? 0 : strtoul(joined, NULL, 10);
    if (found == count)
        return true;
    text_add_number(error, (int64_t)found);
    text_add(error, " line databases are joined to the central database, and ");
    text_add_number(error, (int64_t)count);
    return fail(error, " are named in TILLROLL_LINE_DATABASES; see tillroll help lines");
}

static bool is_central(PGconn *connection, bool *central, struct text *error)
{
    char found[2];
    bool good = ask(connection, "SELECT to_regclass('tillroll.event') IS NOT NULL", found,
                    sizeof found, error);
    *central = good && found[0] == 't';
    return good;
}

static bool check_migrated(PGconn *connection, struct text *error)
{
    bool central = false;
    return is_central(connection, &central, error) &&
           (central ||
            fail(error, "the central database has no tables yet; run tillroll migrate first"));
}

/* True if no service is running: one without the list would be refused, in the middle of games. */
static bool check_alone(PGconn *connection, struct text *error)
{
    char alone[2];
    return ask(connection,
               "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory'"
               " AND classid = 1953066092 AND database ="
               " (SELECT oid FROM pg_database WHERE datname = current_database()))",
               alone, sizeof alone, error) &&
           (alone[0] == 't' || fail(error, "a service is running; end it first"));
}

static bool make_central(PGconn *connection, const char *installation, struct text *error)
{
    char sql[SQL_BYTES];
    size_t count = line_databases_count();
    snprintf(sql, sizeof sql,
             "BEGIN;"
             "SET LOCAL ROLE tillroll_owner;"
             "CREATE FUNCTION tillroll.line_databases() RETURNS text LANGUAGE sql IMMUTABLE"
             " AS $$ SELECT '%zu %s' $$;"
             "GRANT EXECUTE ON FUNCTION tillroll.line_databases TO tillroll_service;"
             "CREATE FUNCTION tillroll.lines_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$"
             " BEGIN IF current_setting('tillroll.line_database', true)"
             "   IS DISTINCT FROM '0 of %zu' THEN"
             "  RAISE EXCEPTION 'running games have lines in %zu line databases,"
             " which this session does not know'"
             "   USING ERRCODE = 'object_not_in_prerequisite_state';"
             " END IF; RETURN NULL; END $$;"
             "CREATE TRIGGER lines_elsewhere BEFORE INSERT ON tillroll.record_line"
             " FOR EACH STATEMENT EXECUTE FUNCTION tillroll.lines_elsewhere();"
             "ALTER TABLE tillroll.record_line ENABLE ALWAYS TRIGGER lines_elsewhere;"
             "COMMIT",
             count, installation, count, count);
    return run(connection, sql, error);
}

/* Reads the id of the installation, which is created when it first joins line databases. */
static bool join_central(const char *url, char installation[static INSTALLATION],
                         struct text *error)
{
    char joined[INSTALLATION + 24];
    PGconn *connection = open_as_owner(url, error);
    bool good = connection != NULL && check_migrated(connection, error) &&
                check_alone(connection, error) &&
                read_joined(connection, joined, sizeof joined, error);
    if (good && joined[0] != '\0') {
        good = check_count(joined, error);
        snprintf(installation, INSTALLATION, "%s", strchr(joined, ' ') + 1);
    } else if (good) {
        good = ask(connection, "SELECT gen_random_uuid()", installation, INSTALLATION, error) &&
               make_central(connection, installation, error);
    }
    PQfinish(connection);
    return good;
}

/* ---- The line databases ---- */

/* Reads "2 of 4 <uuid>", or "". */
static bool read_place(PGconn *connection, char *place, size_t size, struct text *error)
{
    return ask(connection, "SELECT place || ' ' || installation FROM tillroll.line_database", place,
               size, error);
}

static void print_place(char *text, size_t size, size_t place, const char *installation)
{
    snprintf(text, size, "%zu of %zu %s", place, line_databases_count(), installation);
}

static bool make_schema(PGconn *connection, struct text *error)
{
    char made[2];
    return ask(connection, "SELECT to_regclass('tillroll.line_database') IS NOT NULL", made,
               sizeof made, error) &&
           (made[0] == 't' ||
            (run(connection, "BEGIN", error) && run(connection, (const char *)line_schema, error) &&
             run(connection, "COMMIT", error)));
}

/* A database without a place must be empty. Exception: it had this place before the installation
 * began to leave. The central database still refuses other sessions then, and the database may join
 * again. */
static bool take_place(PGconn *connection, size_t place, const char *installation,
                       struct text *error)
{
    char sql[SQL_BYTES];
    char found[96];
    char wanted[96];
    print_place(wanted, sizeof wanted, place, installation);
    if (!read_place(connection, found, sizeof found, error))
        return false;
    if (found[0] != '\0')
        return strcmp(found, wanted) == 0 ||
               fail(error, "has another place, or belongs to another installation");
    snprintf(sql, sizeof sql,
             "BEGIN; SET LOCAL ROLE tillroll_owner;"
             "INSERT INTO tillroll.line_database (installation, place) VALUES ('%s', '%zu of %zu');"
             "COMMIT",
             installation, place, line_databases_count());
    char empty[2];
    return ask(connection, "SELECT NOT EXISTS (SELECT FROM tillroll.record_line)", empty,
               sizeof empty, error) &&
           (empty[0] == 't' || fail(error, "has lines, but no place; see tillroll help lines")) &&
           run(connection, sql, error);
}

static bool join_place(size_t place, const char *installation, struct text *error)
{
    bool central = false;
    add_place(error, place);
    PGconn *connection = open_as_owner(line_database_url(place), error);
    bool good = connection != NULL && is_central(connection, &central, error) &&
                (!central || fail(error, "is a central database")) &&
                make_schema(connection, error) &&
                take_place(connection, place, installation, error);
    PQfinish(connection);
    if (good)
        text_clear(error);
    return good;
}

bool line_setup_join(const char *url, struct text *error)
{
    char installation[INSTALLATION];
    if (line_databases_count() == 0)
        return fail(error, "name the line databases in TILLROLL_LINE_DATABASES");
    bool good = join_central(url, installation, error);
    for (size_t place = 1; good && place <= line_databases_count(); place++)
        good = join_place(place, installation, error);
    return good;
}

/* ---- Checking at startup ---- */

static bool check_place(size_t place, const char *installation, struct text *error)
{
    char unused[256];
    char found[96];
    char wanted[96];
    struct text away = TEXT_OVER(unused);
    PGconn *connection = connection_open(line_database_url(place), true, NULL, &away);
    bool known = connection != NULL && read_place(connection, found, sizeof found, &away);
    PQfinish(connection);
    print_place(wanted, sizeof wanted, place, installation);
    if (!known || strcmp(found, wanted) == 0)
        return true;
    add_place(error, place);
    return fail(error, "has another place, or belongs to another installation; the list in "
                       "TILLROLL_LINE_DATABASES must not be changed");
}

bool line_setup_check(struct db *central, struct text *error)
{
    char joined[INSTALLATION + 24];
    char unused[256];
    struct text away = TEXT_OVER(unused);
    if (central == NULL || !read_joined(central->connection, joined, sizeof joined, &away))
        return true;
    if (!check_count(joined, error))
        return false;
    for (size_t place = 1; place <= line_databases_count(); place++)
        if (!check_place(place, strchr(joined, ' ') + 1, error))
            return false;
    return true;
}

/* ---- Leaving ---- */

/* The lock waits for transactions that are adding lines; later ones find no place. */
static bool close_place(size_t place, const char *installation, struct text *error)
{
    char found[96];
    char wanted[96];
    add_place(error, place);
    print_place(wanted, sizeof wanted, place, installation);
    PGconn *connection = open_as_owner(line_database_url(place), error);
    bool good = connection != NULL && read_place(connection, found, sizeof found, error) &&
                (found[0] == '\0' || strcmp(found, wanted) == 0 ||
                 fail(error, "has another place, or belongs to another installation")) &&
                run(connection,
                    "BEGIN; SET LOCAL ROLE tillroll_owner;"
                    "LOCK TABLE tillroll.record_line IN EXCLUSIVE MODE;"
                    "DELETE FROM tillroll.line_database; COMMIT",
                    error);
    PQfinish(connection);
    if (good)
        text_clear(error);
    return good;
}

static bool empty_place(size_t place, struct text *error)
{
    add_place(error, place);
    PGconn *connection = open_as_owner(line_database_url(place), error);
    bool good = connection != NULL &&
                run(connection,
                    "BEGIN; SET LOCAL ROLE tillroll_owner; SET LOCAL tillroll.settled = 'yes';"
                    "TRUNCATE tillroll.record_line; COMMIT",
                    error);
    PQfinish(connection);
    if (good)
        text_clear(error);
    return good;
}

bool line_setup_close(const char *url, struct text *error)
{
    char joined[INSTALLATION + 24];
    PGconn *connection = open_as_owner(url, error);
    bool good = connection != NULL && check_alone(connection, error) &&
                read_joined(connection, joined, sizeof joined, error) && check_count(joined, error);
    PQfinish(connection);
    for (size_t place = 1; good && place <= line_databases_count(); place++)
        good = close_place(place, strchr(joined, ' ') + 1, error);
    return good;
}

bool line_setup_leave(const char *url, struct text *error)
{
    bool good = true;
    for (size_t place = 1; good && place <= line_databases_count(); place++)
        good = empty_place(place, error);
    PGconn *connection = good ? open_as_owner(url, error) : NULL;
    good = connection != NULL &&
           run(connection,
               "BEGIN; SET LOCAL ROLE tillroll_owner;"
               "DROP TRIGGER IF EXISTS lines_elsewhere ON tillroll.record_line;"
               "DROP FUNCTION IF EXISTS tillroll.lines_elsewhere, tillroll.line_databases; COMMIT",
               error);
    PQfinish(connection);
    return good;
}
