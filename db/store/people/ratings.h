/* Ratings: the current value of each player per scope, and every change with its operands. The
 * values are integers of 1e-6 (engine/tournament/result/rating.h, glicko.h). A scope is a ruleset's
 * slug, `overall`, or `glicko.` and a slug; or `house.` and a slug, for games with house players.
 *
 * Games, and tables with a rated reported result (db/store/people/rated_tables.h), are rated in one
 * stored order, which recomputing follows (db/store/people/rating_revisions.h). Values that a
 * revision has replaced stay in the table, and are not shown here. */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATINGS_H
#define TILLROLL_DB_STORE_PEOPLE_RATINGS_H

#include "db/link/statement.h"
#include "db/store/people/rated_tables.h"

/* The prefix of the scopes of games with house players. */
#define RATING_HOUSE_SCOPE "house."

/* The scope of a ruleset's games with house players, in the arena. */
const char *rating_house_scope(struct arena *arena, const char *slug);

struct rating_row {
    struct id player;
    const char *player_name;
    bool imported; /* a player of another service, without an account here */
    const char *scope;
    int64_t mu, sigma; /* millionths; in Glicko-2 the rating and its deviation */
    unsigned games;
    unsigned reported;  /* number of them with reported results; set in lists only, else 0 */
    int64_t volatility; /* billionths; 0 except in Glicko-2 */
    unsigned
        period; /* the last period with games, after which the values hold; 0 except in Glicko-2 */
};

/* Prevents other transactions from rating games and recomputing ratings until the end of this one.
 * Not to be called after rating_lock_several() in the same transaction: two such transactions would
 * wait for each other. */
enum db_status rating_lock(struct db *db);

/* Finds a rating. DB_NONE if the player has none in this scope yet. Does not read the player's name
 * (NULL); `scope` in the result is the caller's. */
enum db_status rating_find(struct db *db, const struct id *player, const char *scope,
                           struct rating_row *rating);

enum { RATING_ROWS_MAX = 16 };

/* Fills in `count` rows (at most RATING_ROWS_MAX) whose player and scope are set: mu, sigma and
 * games, which are 0 if the player has no rating in that scope yet. Prevents other transactions
 * from changing ratings of these players until the end of this one; games of other players can be
 * rated at the same time. */
enum db_status rating_lock_several(struct db *db, struct rating_row *rows, size_t count);

/* Stores the values after `game`, or a rated table, and appends the changes to the history.
 * before[i] and after[i] are of the same player and scope; a first rating has a `before` of no
 * games, and `after` has one game more; `apart` as in struct rated_row (rating_revisions.h).
 * DB_CONFLICT if the game has been rated, or a `before` is not the stored value: the caller then
 * rolls back. */
enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                            const struct rating_row *before, const struct rating_row *after,
                            size_t count);

/* The value that leaderboards are ordered by: mu - 3 sigma, in Glicko-2 the rating. */
int64_t rating_value(const struct rating_row *rating);

/* Lists people, or in a `house.` scope house players, with `games_least` (at least 1) to
 * `games_most` games, by value, highest first, then by player id: at most `limit`, after `after`,
 * which is the last row of the previous page, or NULL. In the arena. */
enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  unsigned games_least, unsigned games_most,
                                  const struct rating_row *after, size_t limit,
                                  struct rating_row **rows, size_t *count);

/* Lists all ratings of one player: scopes with most games first, then by name, in the arena. */
enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count);

struct rating_change {
    struct id game;           /* the game that caused it; "" in Glicko-2 and for a table */
    struct id event;          /* the event that caused it; "" except in Glicko-2 */
    struct rated_table table; /* the table that caused it; its id is "" except for a table with a
                                 reported result */
    int64_t number;           /* of the game, table or period: the order of changes in this scope */
    struct id player;
    const char *player_name;
    const char *scope;
    int64_t at_ms;
    unsigned revision; /* the revision that set these values; 0 = the original ones */
    unsigned games;    /* in the period; otherwise 1 */
    bool none;         /* there is no such change (any more): the members below are 0 */
    int64_t mu_before, sigma_before, mu_after, sigma_after;
    int64_t volatility_before, volatility_after; /* 0 except in Glicko-2 */
};

/* Lists the changes caused by one game, event or table, by scope and player, in the arena. */
enum db_status rating_changes_of(struct db *db, struct arena *arena, const struct id *cause,
                                 struct rating_change **changes, size_t *count);

/* Lists the changes of one player in one scope, newest first: at most `limit`, after `after`, which
 * is the last row of the previous page, or NULL. In the arena. */
enum db_status rating_history(struct db *db, struct arena *arena, const struct id *player,
                              const char *scope, const struct rating_change *after, size_t limit,
                              struct rating_change **changes, size_t *count);

/* ---- Periods ---- */

/* The rating periods of Glicko-2: the closed events of a ruleset with games of two seats, in the
 * order of their closing. Their changes are stored like those of games
 * (db/store/people/rating_revisions.h). */

struct rating_period {
    const char *slug;
    unsigned number; /* from 1 in this ruleset */
    struct id event;
    int64_t at_ms;
};

/* Makes an event (`slug` and `event` of the period) the ruleset's last period: sets number and
 * time, which is `at_ms` or that of the previous period, if that is later. DB_CONFLICT if it is a
 * period already. The caller holds rating_lock(). */
enum db_status rating_period_create(struct db *db, struct rating_period *period);

/* Finds the period of an event, in the arena. DB_NONE if the event is no period. */
enum db_status rating_period_of(struct db *db, struct arena *arena, const struct id *event,
                                struct rating_period *period);

/* Finds the next period of the same ruleset after this one, in the arena. DB_NONE. */
enum db_status rating_period_next(struct db *db, struct arena *arena,
                                  const struct rating_period *after, struct rating_period *period);

/* Counts the periods that a ruleset has had. */
enum db_status rating_period_count(struct db *db, const char *slug, unsigned *count);

/* A game of two seats, or a table with a reported result, with the ranks that count. */
struct game_of_two {
    struct id game; /* or table */
    struct id player[2];
    unsigned rank[2];
};

/* Lists those of an event that are not rated apart: games by id, then tables by id, in the arena.
 */
enum db_status game_of_two_list(struct db *db, struct arena *arena, const struct id *event,
                                struct game_of_two **games, size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: reading of rating changes, and the place of a game among the rated ones; shared
 * by ratings.c and rating_revisions.c. */

/* The columns of `change`, a row of tillroll.rating_change. */
#define RATING_CHANGE_COLUMNS                                                                      \
    "SELECT change.game_id, change.event_id, change.number, change.player_id,"                     \
    " (SELECT name FROM tillroll.player WHERE player.id = change.player_id), change.scope,"        \
    " tillroll.to_ms(change.at), change.revision, change.games, change.mu_after IS NULL,"          \
    " change.mu_before, change.sigma_before, change.mu_after, change.sigma_after,"                 \
    " change.volatility_before, change.volatility_after, " RATED_TABLE_COLUMNS("change")

enum { RATING_CHANGE_COLUMN_COUNT = 20 };

/* Reads a row of RATING_CHANGE_COLUMNS into a struct rating_change. */
void rating_change_read(const struct rows *rows, int row, struct arena *arena, void *element);

/* Runs a statement that returns RATING_CHANGE_COLUMNS, and reads the changes, in the arena. */
enum db_status rating_changes_read(struct db *db, struct arena *arena,
                                   const struct statement *statement, const struct value *p,
                                   struct rating_change **changes, size_t *count);

/* `place`: the number and time among the rated games of game, or table, $1. If it is not among them
 * and the condition holds, it becomes the last, at the time $2 or that of the previous one, if that
 * is later; `value` says whether it is rated apart. The caller holds rating_lock(), or
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
