/* Ratings made again: the rated games in their order, the values from which a part of it begins,
 * and revisions, which add what became different and leave what was there.
 *
 * The values that hold are those of the newest revision of each change, so a part of the order that
 * has been made again is what the next part begins from.
 */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATING_REVISIONS_H
#define TILLROLL_DB_STORE_PEOPLE_RATING_REVISIONS_H

#include "db/link/statement.h"
#include "db/store/games/games.h"
#include "db/store/people/ratings.h"

/* ---- The order of games ---- */

struct rated_row {
    struct id game;           /* "" for a table */
    struct rated_table table; /* its id "" for a game */
    int64_t number;           /* from 1 */
    int64_t at_ms;
    const char *slug;
    bool apart;     /* rated on the list of house players, and on no other */
    unsigned seats; /* 0: its results do not count */
    struct id player[GAME_ROW_SEATS];
    int32_t rank[GAME_ROW_SEATS];
};

/* The number of a game or rated table. One that has not been rated, though its results count,
 * becomes the last, `apart` as in struct rated_row. DB_NONE if there is nothing to rate. The caller
 * holds rating_lock(). */
enum db_status rated_game_place(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                                int64_t *number);

/* Games from this number on, in order, with the ranks that count: at most `limit`. */
enum db_status rated_game_list(struct db *db, struct arena *arena, int64_t from, size_t limit,
                               struct rated_row **games, size_t *count);

/* The changes that hold by the games and tables `first` .. `last`. */
enum db_status rating_changes_between(struct db *db, struct arena *arena, int64_t first,
                                      int64_t last, struct rating_change **changes, size_t *count);

/* Fills in `count` rows that have player and scope already: the values after the last change before
 * this number, with its number as `period`. `games` is 0 where there is none, else 1. */
enum db_status rating_values_before(struct db *db, int64_t number, struct rating_row *rows,
                                    size_t count);

/* ---- What is stored ---- */

/* Adds changes of their `revision`; one with `none` says that there is no such change any more.
 * Their places in the list of a revision go on from `place`; for revision 0 that is of no meaning.
 * DB_CONFLICT if one is there. */
enum db_status rating_changes_add(struct db *db, const struct rating_change *changes, size_t count,
                                  unsigned place);

/* Makes the current ratings of all whom this revision changes follow from the changes that hold. */
enum db_status rating_settle_revision(struct db *db, unsigned revision);

/* The same of these players in this scope. */
enum db_status rating_settle(struct db *db, const char *scope, const struct id *players,
                             size_t count);

/* ---- Revisions ---- */

struct rating_revision {
    unsigned number; /* from 1 */
    int64_t at_ms;
    struct id actor; /* "" for nobody */
    const char *actor_name;
    struct id game;           /* that was corrected, */
    struct rated_table table; /* or the table; its id "" for a game */
    const char *reason;
    unsigned changes;
};

/* Gives it the next number; `game` may be a table's id. The caller holds rating_lock(). */
enum db_status rating_revision_create(struct db *db, struct rating_revision *revision);

/* DB_NONE. */
enum db_status rating_revision_find(struct db *db, struct arena *arena, unsigned number,
                                    struct rating_revision *revision);

/* Newest first, those before `before` (0 = from the newest), at most `limit`. */
enum db_status rating_revision_list(struct db *db, struct arena *arena, unsigned before,
                                    size_t limit, struct rating_revision **revisions,
                                    size_t *count);

/* What a change was before a revision, and what it made of it; `none` where there was, or is, no
 * such change. */
struct rating_correction {
    unsigned place; /* from 1 */
    struct rating_change was, is;
};

/* The corrections of a revision behind this place, in order, at most `limit`. */
enum db_status rating_correction_list(struct db *db, struct arena *arena, unsigned revision,
                                      unsigned after, size_t limit,
                                      struct rating_correction **corrections, size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: how changes of ratings are read, and where a game stands among the rated ones;
 * shared by ratings.c and rating_revisions.c.
 */

/* Of `change`, a row of tillroll.rating_change. */
#define RATING_CHANGE_COLUMNS                                                                      \
    "SELECT change.game_id, change.event_id, change.number, change.player_id,"                     \
    " (SELECT name FROM tillroll.player WHERE player.id = change.player_id), change.scope,"        \
    " tillroll.to_ms(change.at), change.revision, change.games, change.mu_after IS NULL,"          \
    " change.mu_before, change.sigma_before, change.mu_after, change.sigma_after,"                 \
    " change.volatility_before, change.volatility_after, " RATED_TABLE_COLUMNS("change")

enum { RATING_CHANGE_COLUMN_COUNT = 20 };

/* Runs a statement that returns RATING_CHANGE_COLUMNS. */
enum db_status rating_changes_read(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct value *p,
                                   struct rating_change **changes, size_t *count);

/* `place`, the number and time of game, or table, $1 among the rated ones. One that is not among
 * them becomes the last if the condition holds, at the time $2 or that of the one before, if that
 * is later, and apart if the value says so. The caller holds rating_lock(), or
 * rating_lock_several() of its players. */
#define RATED_GAME_PLACE(condition, value)                                                         \
    "known AS (SELECT number, at, game_id, table_id FROM tillroll.rated_game WHERE game_id = $1"   \
    " UNION ALL SELECT number, at, game_id, table_id FROM tillroll.rated_game WHERE table_id = $1" \
    "), last AS (SELECT at FROM tillroll.rated_game ORDER BY number DESC LIMIT 1"                  \
    "), made AS ("                                                                                 \
    " INSERT INTO tillroll.rated_game (game_id, table_id, at, apart)"                              \
    " SELECT CASE WHEN reported.id IS NULL THEN $1 END, reported.id,"                              \
    "  greatest(tillroll.from_ms($2), last.at), " value                                            \
    " FROM (SELECT) AS one LEFT JOIN last ON true"                                                 \
    " LEFT JOIN tillroll.rated_table AS reported ON reported.id = $1"                              \
    " WHERE NOT EXISTS (SELECT FROM known) AND (" condition ")"                                    \
    " RETURNING number, at, game_id, table_id"                                                     \
    "), place AS (SELECT * FROM known UNION ALL SELECT * FROM made)"

#endif
