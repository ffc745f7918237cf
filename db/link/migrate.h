/* Migrations: db/migrations/NNNN_name.sql, applied in the order of their numbers, each in a
 * transaction of its own together with the row that records it (number, name, SHA-256 of the file).
 * An advisory lock lets one migrator work at a time. A file that was changed after it was applied,
 * or a number that is missing, is an error: migrations are never edited, only added.
 *
 * An empty database starts from the squashed schema instead, db/migrations/schema.sql, if the
 * directory has that file: the result of all migrations up to some number, in one transaction,
 * together with the rows that record them. Numbers, names and hashes in these rows must be those of
 * the files beside it. Migrations above that number follow one by one, so adding a migration does
 * not require a new file. `node tests/db/squash.mjs` makes the file from all migrations;
 * tests/db/squash.test.mjs proves that a database created with it equals one that all of them were
 * applied to.
 *
 * Services are replaced one after the other, after the database: until the last one is, the
 * previous release runs on the new schema. So from 0023 on, each migration leaves all statements of
 * the previous release valid, with the same meaning and rights: it adds tables, functions, and
 * columns that may be left out and whose names make none of those statements ambiguous. Removals
 * and stricter checks follow one release later, when nothing uses the old form any more.
 * tests/deploy/statements.test.mjs tries every statement.
 *
 * Due in the next release: its first migration drops the table `bye`, which services of this
 * release no longer write, and those of the previous one still do.
 *
 * A migration from 0028 on that cannot comply declares so: it inserts its own number and a sentence
 * into tillroll.breaking_migration. Services of releases without that migration then report at
 * /readyz that they are not ready, and refuse to start (db/link/schema.h): all must be stopped
 * before it is applied. */
#ifndef TILLROLL_DB_LINK_MIGRATE_H
#define TILLROLL_DB_LINK_MIGRATE_H

#include <stdbool.h>

#include "engine/base/text.h"

/* Brings the database at `url` up to date with the files in `directory`. Calls `say` with one line
 * for each file applied: the name of a migration, or a sentence that begins with schema.sql. False
 * with a sentence in `error`; files applied before the failure stay applied. */
bool migrate(const char *url, const char *directory, void (*say)(void *context, const char *line),
             void *context, struct text *error);

#endif
