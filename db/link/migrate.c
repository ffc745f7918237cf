/* The migrator: compares the applied migrations that the database lists with the files, and applies
 * the rest; an empty database starts from the squashed schema. It reads and checks all files before
 * it changes anything. */
#include "db/link/migrate.h"

#include <dirent.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/link/connection.h"
#include "engine/base/arena.h"

enum { MIGRATIONS_MAX = 9999, FILE_BYTES_MAX = 1 << 20 };

struct migration {
    const char *name; /* of the file, for example 0001_roles.sql */
    const char *sql;
    uint8_t hash[crypto_hash_sha256_BYTES];
};

struct migrations {
    struct arena arena;
    struct migration *all; /* all[i] has the number i + 1 */
    size_t count;
    const char *squashed; /* the contents of SQUASHED; NULL = there is no such file */
};

static const char SQUASHED[] = "schema.sql";

static bool add_error(struct text *error, const char *what, const char *about)
{
    text_add(error, what);
    text_add(error, about);
    return false;
}

/* Four digits, an underscore, lower-case letters, digits and underscores, ".sql". */
static bool is_migration_name(const char *name)
{
    size_t length = strlen(name);
    size_t digits = strspn(name, "0123456789");
    size_t stem = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return digits == 4 && name[4] == '_' && stem > 5 && length == stem + 4 &&
           strcmp(name + stem, ".sql") == 0;
}

static int is_sql(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".sql") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static const char *read_file(struct arena *arena, const char *directory, const char *name,
                             size_t *length)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *bytes = arena_take(arena, FILE_BYTES_MAX + 1);
    *length = fread(bytes, 1, FILE_BYTES_MAX + 1, file);
    bool whole =
        ferror(file) == 0 && *length <= FILE_BYTES_MAX && memchr(bytes, 0, *length) == NULL;
    fclose(file);
    return whole ? bytes : NULL;
}

static bool read_migration(struct migrations *migrations, const char *directory, const char *name,
                           struct text *error)
{
    if (!is_migration_name(name))
        return add_error(error, "not the name of a migration: ", name);
    if (strtoul(name, NULL, 10) != migrations->count + 1)
        return add_error(error, "the numbers of the migrations do not follow each other at ", name);
    struct migration *migration = &migrations->all[migrations->count++];
    size_t length;
    migration->sql = read_file(&migrations->arena, directory, name, &length);
    if (migration->sql == NULL)
        return add_error(error, "cannot read ", name);
    migration->name = arena_copy(&migrations->arena, span_of(name));
    crypto_hash_sha256(migration->hash, (const unsigned char *)migration->sql, length);
    return true;
}

static bool read_squashed(struct migrations *migrations, const char *directory, struct text *error)
{
    size_t length;
    migrations->squashed = read_file(&migrations->arena, directory, SQUASHED, &length);
    return migrations->squashed != NULL || add_error(error, "cannot read ", SQUASHED);
}

static bool read_migrations(struct migrations *migrations, const char *directory,
                            struct text *error)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_sql, by_name);
    bool good = count > 0 && count <= MIGRATIONS_MAX;
    if (!good)
        add_error(error, "no migrations in ", directory);
    else
        migrations->all = arena_array(&migrations->arena, (size_t)count, sizeof *migrations->all);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        good = good &&
               (strcmp(name, SQUASHED) == 0 ? read_squashed(migrations, directory, error)
                                            : read_migration(migrations, directory, name, error));
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* Adds a server's message, which can be long, cut to the room that is left. */
static void add_message(struct text *error, const PGresult *result)
{
    struct span message = span_of(PQresultErrorMessage(result));
    size_t room = error->capacity - error->length - 1;
    if (message.length > room)
        message.length = room;
    while (message.length > 0 && message.at[message.length - 1] == '\n')
        message.length--;
    text_add_span(error, message);
}

/* Returns the result of a successful query, else NULL. The caller clears it. */
static PGresult *query(PGconn *connection, const char *sql, int count, const char *const *values,
                       struct text *error)
{
    PGresult *result = PQexecParams(connection, sql, count, NULL, values, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return result;
    add_message(error, result);
    PQclear(result);
    return NULL;
}

static bool run(PGconn *connection, const char *sql, struct text *error)
{
    PGresult *result = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(result);
    bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!done)
        add_message(error, result);
    PQclear(result);
    return done;
}

static bool is_as_applied(const PGresult *applied, int row, const struct migrations *migrations,
                          struct text *error)
{
    const char *name = PQgetvalue(applied, row, 1);
    if (strtol(PQgetvalue(applied, row, 0), NULL, 10) != row + 1)
        return add_error(error, "the database lacks a migration before ", name);
    if ((size_t)row >= migrations->count)
        return add_error(error, "the database is newer than the files: it has ", name);
    const struct migration *migration = &migrations->all[row];
    char hex[2 * crypto_hash_sha256_BYTES + 1];
    struct text hash = TEXT_OVER(hex);
    text_add_hex(&hash, migration->hash, sizeof migration->hash);
    if (strcmp(migration->name, name) != 0)
        return add_error(error, "the file of a migration was renamed after it was applied: ", name);
    if (strcmp(hex, PQgetvalue(applied, row, 2)) != 0)
        return add_error(error, "the file was changed after it was applied: ", name);
    return true;
}

/* Counts the files that have been applied. The first of them creates the table that lists them. */
static bool count_applied(PGconn *connection, const struct migrations *migrations, size_t *count,
                          struct text *error)
{
    *count = 0;
    PGresult *table =
        query(connection, "SELECT pg_catalog.to_regclass('tillroll.migration') IS NOT NULL", 0,
              NULL, error);
    bool exists = table != NULL && PQgetvalue(table, 0, 0)[0] == 't';
    bool known = table != NULL;
    PQclear(table);
    if (!exists)
        return known;
    PGresult *applied = query(connection,
                              "SELECT number, name, pg_catalog.encode(hash, 'hex')"
                              " FROM tillroll.migration ORDER BY number",
                              0, NULL, error);
    bool good = applied != NULL;
    *count = (size_t)PQntuples(applied);
    for (int row = 0; good && row < PQntuples(applied); row++)
        good = is_as_applied(applied, row, migrations, error);
    PQclear(applied);
    return good;
}

static bool record(PGconn *connection, const struct migration *migration, struct text *error)
{
    char hex[2 * crypto_hash_sha256_BYTES + 1];
    struct text hash = TEXT_OVER(hex);
    text_add_hex(&hash, migration->hash, sizeof migration->hash);
    char number[5] = {0};
    memcpy(number, migration->name, 4);
    const char *const values[] = {number, migration->name, hex};
    PGresult *result = query(connection,
                             "INSERT INTO tillroll.migration (number, name, hash)"
                             " VALUES ($1, $2, pg_catalog.decode($3, 'hex'))",
                             3, values, error);
    PQclear(result);
    return result != NULL;
}

/* Reads the id of the current transaction. A file that ends its transaction is detected by it: it
 * would be half applied if something failed afterwards. */
static bool transaction_id(PGconn *connection, char id[static 32], struct text *error)
{
    PGresult *result = query(connection, "SELECT pg_catalog.pg_current_xact_id()", 0, NULL, error);
    if (result == NULL)
        return false;
    snprintf(id, 32, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return true;
}

static bool begin_and_run(PGconn *connection, const char *sql, struct text *error)
{
    char before[32];
    char after[32];
    if (!run(connection, "BEGIN", error) || !transaction_id(connection, before, error) ||
        !run(connection, sql, error) || !run(connection, "RESET ROLE", error) ||
        !transaction_id(connection, after, error))
        return false;
    if (PQtransactionStatus(connection) != PQTRANS_INTRANS || strcmp(before, after) != 0)
        return add_error(error, "it ends the transaction that it runs in", "");
    return true;
}

/* Starts each error with the name of the file that it is about. */
static void begin_file(const char *name, struct text *error)
{
    text_clear(error);
    text_add(error, name);
    text_add(error, ": ");
}

static bool end_file(PGconn *connection, bool good, struct text *error)
{
    if (good && run(connection, "COMMIT", error)) {
        text_clear(error);
        return true;
    }
    PQclear(PQexec(connection, "ROLLBACK"));
    return false;
}

static bool apply(PGconn *connection, const struct migration *migration, struct text *error)
{
    begin_file(migration->name, error);
    return end_file(connection,
                    begin_and_run(connection, migration->sql, error) &&
                        record(connection, migration, error),
                    error);
}

/* Runs the squashed schema. The rows that it adds to tillroll.migration must match the files beside
 * it; a squashed schema made from other files is refused. */
static bool run_squashed(PGconn *connection, const struct migrations *migrations, size_t *applied,
                         struct text *error)
{
    if (!begin_and_run(connection, migrations->squashed, error) ||
        !count_applied(connection, migrations, applied, error))
        return false;
    return *applied > 0 || add_error(error, "it records no migrations", "");
}

/* Creates an empty database's schema in one transaction, in place of the first migrations. */
static bool apply_squashed(PGconn *connection, const struct migrations *migrations, size_t *applied,
                           struct text *line, struct text *error)
{
    begin_file(SQUASHED, error);
    if (!end_file(connection, run_squashed(connection, migrations, applied, error), error))
        return false;
    text_add_all(line, SQUASHED, ", the squashed schema of ", migrations->all[0].name, " to ",
                 migrations->all[*applied - 1].name);
    return true;
}

/* Waits for another migrator without limit, but not for the service: a migration that queues for a
 * table's lock blocks every session behind it. */
static bool lock(PGconn *connection, struct text *error)
{
    return run(connection,
               "SET statement_timeout = 0; SET lock_timeout = 0;"
               "SET idle_in_transaction_session_timeout = 0;"
               "SELECT pg_catalog.pg_advisory_lock(7306086895124181869);"
               "SET lock_timeout = '10s'",
               error);
}

/* An empty database needs roles, which only an administrator can create. */
static bool check_roles(PGconn *connection, struct text *error)
{
    PGresult *result =
        query(connection,
              "SELECT (SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles"
              "        WHERE rolname = current_user)"
              " OR (pg_catalog.to_regrole('tillroll_service') IS NOT NULL"
              "     AND COALESCE(pg_catalog.pg_has_role("
              "         current_user, pg_catalog.to_regrole('tillroll_owner')::oid, 'MEMBER'),"
              "         false))",
              0, NULL, error);
    bool known = result != NULL;
    bool good = known && PQgetvalue(result, 0, 0)[0] == 't';
    PQclear(result);
    return good || !known ||
           add_error(error,
                     "this user is not in the role tillroll_owner: an administrator of the "
                     "database server has to run deploy/database.sql and grant the role",
                     "");
}

bool migrate(const char *url, const char *directory, void (*say)(void *context, const char *line),
             void *context, struct text *error)
{
    struct migrations migrations = {0};
    PGconn *connection = NULL;
    size_t applied;
    bool good = read_migrations(&migrations, directory, error) &&
                (connection = connection_open(url, false, NULL, error)) != NULL &&
                lock(connection, error) &&
                count_applied(connection, &migrations, &applied, error) &&
                (applied > 0 || check_roles(connection, error));
    if (good && applied == 0 && migrations.squashed != NULL) {
        char buffer[640]; /* two names of files */
        struct text line = TEXT_OVER(buffer);
        good = apply_squashed(connection, &migrations, &applied, &line, error);
        if (good)
            say(context, buffer);
    }
    while (good && applied < migrations.count) {
        good = apply(connection, &migrations.all[applied], error);
        if (good)
            say(context, migrations.all[applied++].name);
    }
    PQfinish(connection);
    arena_free(&migrations.arena);
    return good;
}
