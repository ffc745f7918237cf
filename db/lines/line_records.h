/* Lines and fences of a game in its line database (db/lines/line_databases.h), for transactions of
 * the central one (db/store/games/records.h).
 *
 * Each function is a transaction of its own in the line database. DB_UNAVAILABLE if the database
 * cannot be reached. To be called only if line databases are in use. */
#ifndef TILLROLL_DB_LINES_LINE_RECORDS_H
#define TILLROLL_DB_LINES_LINE_RECORDS_H

#include "db/lines/record_rows.h"

/* Reads the rows that continue the record at `from`, into the arena. They are as durable as the
 * data read in the open transaction of `db` (db_require_durable()). */
enum db_status line_records_read(const struct db *db, struct arena *arena, const struct id *game,
                                 unsigned from, struct record_row **rows, size_t *count);

/* Reads the rows of several parts, of games that all have their lines at `place`. */
enum db_status line_records_read_parts(const struct db *db, struct arena *arena, size_t place,
                                       struct record_part *parts, size_t count);

/* Writes fences for rows that the central database is going to have. DB_CONFLICT if a move has
 * taken the seq of any. */
enum db_status line_records_fence(const struct id *game, const struct record_row *rows,
                                  size_t count);

#endif
