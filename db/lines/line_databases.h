/* Further PostgreSQL databases for the lines of plain moves of running games, so that moves of
 * different games wait for different disks and servers. Everything else, finished records too, is
 * in the central database. Most installations have no line databases; then nothing here has an
 * effect.
 *
 * A game's id and the number of databases determine which of them takes its lines: its place, 1 ..
 * count in the order of the list. There the key (game, seq) decides each seq of a game: the row is
 * either a plain move or a fence, which says that a transaction of the central database will write
 * that line centrally (db/store/games/records.c). So no record can fork. */
#ifndef TILLROLL_DB_LINES_LINE_DATABASES_H
#define TILLROLL_DB_LINES_LINE_DATABASES_H

#include "db/link/db.h"

/* Sets the list of line databases. `urls`: connection strings, separated by spaces; NULL or "" for
 * none. `service` as for db_open(). record_read() and record_append() use at most `connections` (1
 * .. 64) to each. To be called once, before the first connection is opened. False, with a sentence
 * in `error`, if there are too many or one is named twice. */
bool line_databases_use(const char *urls, bool service, size_t connections, struct text *error);

/* The number of line databases in use. */
size_t line_databases_count(void);

/* The URL of the database at a place, 1 .. count. Borrowed. */
const char *line_database_url(size_t place);

/* The place of a game's lines; 0 if no databases are in use. */
size_t line_database_of(const struct id *game);

/* Records that a game has rows in its line database, and therefore a fence there for each later row
 * of the central database. Any thread. */
void line_database_note_begun(const struct id *game);

/* True if that is recorded: then the line database has the row that the next move continues. False
 * for games of which it is not known or has been forgotten; their moves are written with
 * record_append(). Any thread. */
bool line_database_has_begun(const struct id *game);

/* Takes a connection to the database at a place. NULL if the database cannot be reached; if it was
 * away a moment ago, NULL without an attempt, so that its games do not hold up all others. Any
 * thread. */
struct db *line_database_take(size_t place);

/* Returns a connection, with the status of its last use. NULL is fine. */
void line_database_give(size_t place, struct db *db, enum db_status status);

/* Starts a thread for each line database that checks every `interval_ms` whether the database can
 * be reached. False if the system has no threads left. */
bool line_databases_watch(unsigned interval_ms);

/* The time at which the watching thread last reached the database, in ms since 1970; 0 = not since
 * line_databases_watch(). Any thread. */
int64_t line_database_seen_ms(size_t place);

/* Ends these threads and all connections; none may be in use. */
void line_databases_end(void);

#endif
