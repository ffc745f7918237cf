/* Inside db/ only: how changes of ratings are read, and where a game stands among the rated ones;
 * shared by ratings.c, rating_revisions.c and rating_periods.c.
 */
#ifndef TILLROLL_DB_RATING_ROWS_H
#define TILLROLL_DB_RATING_ROWS_H

#include "db/ratings.h"
#include "db/statement.h"

/* Of `change`, a row of tillroll.rating_change. */
#define RATING_CHANGE_COLUMNS                                                                      \
    "SELECT change.game_id, change.event_id, change.number, change.player_id,"                     \
    " (SELECT name FROM tillroll.player WHERE player.id = change.player_id), change.scope,"        \
    " tillroll.to_ms(change.at), change.revision, change.games, change.mu_after IS NULL,"          \
    " change.mu_before, change.sigma_before, change.mu_after, change.sigma_after,"                 \
    " change.volatility_before, change.volatility_after"

enum { RATING_CHANGE_COLUMN_COUNT = 16 };

/* Reads RATING_CHANGE_COLUMNS, which begin at column `first`. */
void rating_change_read(const struct rows *rows, int row, int first, struct arena *arena,
                        struct rating_change *change);

/* Runs a statement that returns RATING_CHANGE_COLUMNS. */
enum db_status rating_changes_read(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct parameters *p,
                                   struct rating_change **changes, size_t *count);

/* `place`, the number and time of game $1 among the rated ones. One that is not among them becomes
 * the last if the condition holds, at the time $2 or that of the one before, if that is later. The
 * caller holds rating_lock(), or rating_lock_several() of its players. */
#define RATED_GAME_PLACE(condition)                                                                \
    "known AS (SELECT number, at FROM tillroll.rated_game WHERE game_id = $1"                      \
    "), last AS (SELECT at FROM tillroll.rated_game ORDER BY number DESC LIMIT 1"                  \
    "), made AS ("                                                                                 \
    " INSERT INTO tillroll.rated_game (game_id, at)"                                               \
    " SELECT $1, greatest(tillroll.from_ms($2), last.at)"                                          \
    " FROM (SELECT) AS one LEFT JOIN last ON true WHERE NOT EXISTS (SELECT FROM known)"            \
    "  AND " condition " RETURNING number, at"                                                     \
    "), place AS (SELECT * FROM known UNION ALL SELECT * FROM made)"

#endif
