/* Migrations: db/migrations/NNNN_name.sql, applied in the order of their numbers, each in a
 * transaction of its own together with the row that records it (number, name, SHA-256 of the file).
 * An advisory lock lets one migrator work at a time. A file that was changed after it was applied,
 * or a number that is missing, is an error: migrations are never edited, only added.
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
