/* The migrations that a database has, and those that this program needs. */
#ifndef TILLROLL_DB_LINK_SCHEMA_H
#define TILLROLL_DB_LINK_SCHEMA_H

#include "db/link/db.h"

/* The number of the newest migration when this program was built (CMakeLists.txt). */
extern const unsigned schema_needed;

/* The compatibility of a database with this program. */
enum schema_fit {
    SCHEMA_GOOD,
    SCHEMA_OLD, /* the database lacks migrations that this program needs, or all of them */
    SCHEMA_NEW  /* the database has a newer migration that excludes this program, by its number in
                   tillroll.breaking_migration (db/link/migrate.h). Other migrations stay compatible
                   with the previous release, so a newer database is usually good. */
};

/* Reads whether there is a schema at all: a database that was never migrated has none. In an open
 * transaction. */
enum db_status schema_is_made(struct db *db, bool *made);

/* Reads whether the database fits this program, in an open transaction. If the schema is too old, a
 * statement that needs a missing part returns DB_UNAVAILABLE and logs the advice instead of the
 * missing name, until a later call finds nothing missing. */
enum db_status schema_fits(struct db *db, enum schema_fit *fit);

/* A sentence that says how to fix it; NULL for SCHEMA_GOOD. */
const char *schema_advice(enum schema_fit fit);

#endif
