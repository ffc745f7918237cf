/* The migrations that a database has, and those that this program needs. */
#ifndef TILLROLL_DB_LINK_SCHEMA_H
#define TILLROLL_DB_LINK_SCHEMA_H

#include "db/link/db.h"

/* The number of the newest migration when this program was built (CMakeLists.txt). */
extern const unsigned schema_needed;

/* Whether a database and this program are compatible. */
enum schema_fit {
    SCHEMA_GOOD,
    SCHEMA_OLD, /* it lacks migrations that this program needs, or all of them */
    SCHEMA_NEW  /* it has a newer one that excludes this program, by its number in
                   tillroll.breaking_migration (db/link/migrate.h). Other migrations stay compatible
                   with the previous release, so a newer database is usually good. */
};

/* Whether there is a schema at all: a database that was never migrated has none. In an open
 * transaction. */
enum db_status schema_is_made(struct db *db, bool *made);

/* In an open transaction. Until the next answer, a statement that needs what an old schema lacks
 * ends with DB_UNAVAILABLE, and logs the advice instead of what it missed. */
enum db_status schema_fits(struct db *db, enum schema_fit *fit);

/* A sentence that says what to do; NULL for SCHEMA_GOOD. */
const char *schema_advice(enum schema_fit fit);

#endif
