/* Further PostgreSQL databases for the lines of plain moves of running games, so that moves of
 * different games wait for different disks and servers. Everything else, finished records too, is
 * in the central database. Without any, which is usual, nothing here does anything.
 *
 * Which of them a game's lines go to follows from its id and the number of databases: the place,
 * 1 .. count in the order of the list. There each seq of a game is decided by the key (game, seq):
 * either a plain move has it, or a fence, which says that a transaction of the central database
 * will write it there (db/store/games/records.c). So no record can fork.
 */
#ifndef TILLROLL_DB_LINES_LINE_DATABASES_H
#define TILLROLL_DB_LINES_LINE_DATABASES_H

#include "db/link/db.h"

/* `urls`: connection strings, separated by spaces; NULL or "" for none. `service` as for db_open().
 * `connections` to each at most for what record_read() and record_append() do, 1 .. 64. Once,
 * before the first connection is opened. False, with a sentence in `error`, if there are too many
 * or one is named twice. */
bool line_databases_use(const char *urls, bool service, size_t connections, struct text *error);

/* How many are in use. */
size_t line_databases_count(void);

/* Of the database at a place, 1 .. count. Borrowed. */
const char *line_database_url(size_t place);

/* The place of a game's lines; 0 if no databases are in use. */
size_t line_database_of(const struct id *game);

/* Records that a game has rows in its line database, and so for each row of the central database
 * since then a fence. Any thread. */
void line_database_note_begun(const struct id *game);

/* True if that is known: then the next move finds there what it continues. Of some that is not
 * known, or has been forgotten; what comes there goes the way of record_append(). Any thread. */
bool line_database_has_begun(const struct id *game);

/* A connection to the database at a place; NULL if it cannot be reached. Of one that was away a
 * moment ago that is said without trying: its games are not to hold up all others. Any thread. */
struct db *line_database_take(size_t place);

/* Gives it back, with the status of what was done with it. NULL is fine. */
void line_database_give(size_t place, struct db *db, enum db_status status);

/* Starts a thread for each that asks every `interval_ms` whether it is there. False if the system
 * has no threads left. */
bool line_databases_watch(unsigned interval_ms);

/* When it was last seen there, in ms since 1970; 0 = not since line_databases_watch(). Any thread.
 */
int64_t line_database_seen_ms(size_t place);

/* Ends these threads and all connections; none may be in use. */
void line_databases_end(void);

#endif
