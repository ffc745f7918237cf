#include "db/link/schema.h"

#include "db/link/connection.h"
#include "db/link/statement.h"

const unsigned schema_needed = TILLROLL_MIGRATIONS;

static const struct statement is_made = {"schema_is_made",
                                         "SELECT to_regclass('tillroll.event') IS NOT NULL"};

enum db_status schema_is_made(struct db *db, bool *made)
{
    return statement_value(db, &is_made, NULL, made);
}

static const struct statement newest = {
    "schema_newest", "SELECT number FROM tillroll.migration ORDER BY number DESC LIMIT 1"};

static const struct statement breaking = {
    "schema_breaking",
    "SELECT number FROM tillroll.breaking_migration ORDER BY number DESC LIMIT 1"};

static enum db_status read_number(struct db *db, const struct statement *statement,
                                  unsigned *number)
{
    return statement_value(db, statement, NULL, number);
}

/* Compares the database's migrations with those of this program. If there is none that this program
 * does not know, none excludes it. */
static enum db_status compare(struct db *db, enum schema_fit *fit)
{
    unsigned number;
    bool made;
    enum db_status status = schema_is_made(db, &made);
    *fit = SCHEMA_OLD;
    if (status != DB_OK || !made)
        return status;
    status = read_number(db, &newest, &number);
    if (status != DB_OK)
        return status;
    *fit = number < schema_needed ? SCHEMA_OLD : SCHEMA_GOOD;
    if (number <= schema_needed)
        return DB_OK;
    status = read_number(db, &breaking, &number);
    if (status == DB_OK && number > schema_needed)
        *fit = SCHEMA_NEW;
    return status == DB_NONE ? DB_OK : status;
}

enum db_status schema_fits(struct db *db, enum schema_fit *fit)
{
    enum db_status status = compare(db, fit);
    if (status == DB_OK)
        connection_note_schema(*fit == SCHEMA_OLD ? schema_advice(SCHEMA_OLD) : NULL);
    return status;
}

const char *schema_advice(enum schema_fit fit)
{
    switch (fit) {
    case SCHEMA_GOOD:
        break;
    case SCHEMA_OLD:
        return "The database lacks migrations that this service needs; run tillroll migrate.";
    case SCHEMA_NEW:
        return "The database has been changed for a newer release, with which this one cannot "
               "work; start that one.";
    }
    return NULL;
}
