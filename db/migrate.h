/* Migrations: db/migrations/NNNN_name.sql, applied in the order of their numbers, each in a
 * transaction of its own together with the row that records it (number, name, SHA-256 of the file).
 * An advisory lock lets one migrator work at a time. A file that was changed after it was applied,
 * or a number that is missing, is an error: migrations are never edited, only added.
 *
 * Services are replaced one after the other, after the database: until the last is, the release
 * before is at work on the new schema. So from 0023 on each migration leaves all statements of the
 * release before it valid, with the same meaning and rights: it adds tables, functions, and columns
 * that may be left out and whose names make none of those statements ambiguous. What is to go, or
 * to be checked more strictly, goes a release later, when nobody asks for it any more.
 * tests/deploy/statements.test.mjs tries every statement.
 *
 * One that cannot keep to that, from 0028 on, says so: it inserts its own number and a sentence
 * into tillroll.breaking_migration. Services of releases that do not know it say at /readyz from
 * then on that they are not ready, and refuse to start (db/schema.h): all have to be stopped before
 * it.
 */
#ifndef TILLROLL_DB_MIGRATE_H
#define TILLROLL_DB_MIGRATE_H

#include <stdbool.h>

#include "engine/text.h"

/* Brings the database at `url` up to date with the files in `directory`. Calls `say` with one line
 * for each that was applied. False with a sentence in `error`; what was applied before stays. */
bool migrate(const char *url, const char *directory, void (*say)(void *context, const char *line),
             void *context, struct text *error);

#endif
