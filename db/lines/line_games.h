/* Which games have lines in line databases, and taking out those of games that are over. */
#ifndef TILLROLL_DB_LINES_LINE_GAMES_H
#define TILLROLL_DB_LINES_LINE_GAMES_H

#include "db/link/db.h"

/* A game with lines in a line database. */
struct line_game {
    struct id id;
    unsigned last; /* seq of the last */
};

/* The next `limit` of them after `after` ("" = from the first), in the arena. `lines` is a
 * connection to the line database. In an open transaction there. */
enum db_status line_games(struct db *lines, struct arena *arena, const struct id *after,
                          size_t limit, struct line_game **games, size_t *count);

/* Which of these games have been over for an hour and are in the central database to their last
 * line, so that nobody looks for them elsewhere. In an open transaction of that. */
enum db_status line_games_over(struct db *db, struct arena *arena, const struct line_game *games,
                               size_t count, struct id **over, size_t *over_count);

/* How far somebody knows a game. */
struct line_mark {
    struct id game;
    int seq;
};

/* Those of the games, at most `limit`, that have lines after the mark in their line databases, in
 * the arena. What is away is passed over. */
void line_games_behind(struct arena *arena, const struct line_mark *marks, size_t count,
                       size_t limit, struct id **games, size_t *found);

/* Takes all rows of these games out of a line database, as the owner of the tables, in an open
 * transaction. `rows`: how many there were. */
enum db_status line_games_remove(struct db *lines, const struct id *games, size_t count,
                                 size_t *rows);

#endif
