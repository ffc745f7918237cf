/* Which migrations a database has, and which this program needs. */
#ifndef TILLROLL_DB_SCHEMA_H
#define TILLROLL_DB_SCHEMA_H

#include "db/db.h"

/* The number of the newest migration when this was built (CMakeLists.txt). */
extern const unsigned schema_needed;

/* What a database is for this program. */
enum schema_fit {
    SCHEMA_GOOD,
    SCHEMA_OLD, /* it lacks migrations that this program needs */
    SCHEMA_NEW  /* it has one since that says that this program must not serve any more: it has put
                   its number into tillroll.breaking_migration (db/migrate.h). Others leave it as it
                   is for the release before, so a newer database is good as a rule. */
};

/* In an open transaction. */
enum db_status schema_fits(struct db *db, enum schema_fit *fit);

/* A sentence that says what to do; NULL for SCHEMA_GOOD. */
const char *schema_advice(enum schema_fit fit);

#endif
