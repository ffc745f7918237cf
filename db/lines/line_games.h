/* Finding games that have lines in line databases, and removing the lines of finished games. */
#ifndef TILLROLL_DB_LINES_LINE_GAMES_H
#define TILLROLL_DB_LINES_LINE_GAMES_H

#include "db/link/db.h"

/* A game with lines in a line database. */
struct line_game {
    struct id id;
    unsigned last; /* seq of its last line there */
};

/* Lists the next `limit` games with lines in a line database, by id, after `after` ("" = from the
 * first), in the arena. `lines` is a connection to the line database, with an open transaction. */
enum db_status line_games(struct db *lines, struct arena *arena, const struct id *after,
                          size_t limit, struct line_game **games, size_t *count);

/* Lists which of these games have been over for an hour and are complete in the central database,
 * so that no reader needs their lines elsewhere. In an open transaction of the central database. */
enum db_status line_games_over(struct db *db, struct arena *arena, const struct line_game *games,
                               size_t count, struct id **over, size_t *over_count);

/* The last line of a game that a reader knows. */
struct line_mark {
    struct id game;
    int seq;
};

/* Lists the games, at most `limit`, that have lines after the mark in their line databases, in the
 * arena. Databases that cannot be reached are skipped. */
void line_games_behind(struct arena *arena, const struct line_mark *marks, size_t count,
                       size_t limit, struct id **games, size_t *found);

/* Deletes all rows of these games from a line database, as the owner of the tables, in an open
 * transaction. `rows`: how many there were. */
enum db_status line_games_remove(struct db *lines, const struct id *games, size_t count,
                                 size_t *rows);

#endif
