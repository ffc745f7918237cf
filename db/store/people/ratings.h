/* Ratings: the current value of each player per scope, and every change with its operands. The
 * values are integers of 1e-6 (engine/tournament/result/rating.h, glicko.h). A scope is a ruleset's
 * slug, `overall`, or `glicko.` and a slug; or `house.` and a slug, for games with house players.
 *
 * Games, and tables of which a reported result is rated (db/store/people/rated_tables.h), are rated
 * in one order, which is stored; making ratings again goes through it
 * (db/store/people/rating_revisions.h). What has been changed since is left in the table, and not
 * shown here.
 */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATINGS_H
#define TILLROLL_DB_STORE_PEOPLE_RATINGS_H

#include "db/store/people/rated_tables.h"

/* How the scopes of games with house players begin. */
#define RATING_HOUSE_SCOPE "house."

/* The scope of a ruleset's games with house players, in the arena. */
const char *rating_house_scope(struct arena *arena, const char *slug);

struct rating_row {
    struct id player;
    const char *player_name;
    bool imported; /* a player of another service, without account here */
    const char *scope;
    int64_t mu, sigma; /* millionths; in Glicko-2 the rating and its deviation */
    unsigned games;
    unsigned reported;  /* of them, results that were reported; where lists are read, else 0 */
    int64_t volatility; /* billionths; 0 but in Glicko-2 */
    unsigned period;    /* the last one with games, of which the values are; likewise */
};

/* Until the end of the transaction nobody else rates games or makes ratings again. Not after
 * rating_lock_several() in the same transaction: two of those would wait for each other. */
enum db_status rating_lock(struct db *db);

/* DB_NONE if the player has no rating in this scope yet. Does not read the player's name (NULL);
 * `scope` in the result is the caller's. */
enum db_status rating_find(struct db *db, const struct id *player, const char *scope,
                           struct rating_row *rating);

enum { RATING_ROWS_MAX = 16 };

/* Fills in `count` rows (at most RATING_ROWS_MAX) that have player and scope already: mu, sigma and
 * games, which are 0 for those who have no rating in that scope yet. Until the end of the
 * transaction nobody else changes a rating of these players; games of others are rated beside it.
 */
enum db_status rating_lock_several(struct db *db, struct rating_row *rows, size_t count);

/* Stores the values after `game`, or a rated table, and appends the changes to the history.
 * before[i] and after[i] are of the same player and scope; a first rating has a `before` of no
 * games, and `after` has one game more; `apart` as in struct rated_row (rating_revisions.h).
 * DB_CONFLICT if the game has been rated, or a `before` is not what is stored: then the caller
 * rolls back. */
enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms, bool apart,
                            const struct rating_row *before, const struct rating_row *after,
                            size_t count);

/* What leaderboards are ordered by: mu - 3 sigma, in Glicko-2 the rating. */
int64_t rating_value(const struct rating_row *rating);

/* People, or in a `house.` scope house players, with `games_least` to `games_most` games, 1 at
 * least, by value, highest first, then by player id: at most `limit`, behind `after`, which is the
 * last row of the page before, or NULL. */
enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  unsigned games_least, unsigned games_most,
                                  const struct rating_row *after, size_t limit,
                                  struct rating_row **rows, size_t *count);

/* All scopes of one player: those with most games first, then by name. */
enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count);

struct rating_change {
    struct id game;           /* by which; "" in Glicko-2 and for a table */
    struct id event;          /* likewise; "" but in Glicko-2 */
    struct rated_table table; /* likewise; its id "" but for a table with a reported result */
    int64_t number;           /* of the game, table or period: their order in this scope */
    struct id player;
    const char *player_name;
    const char *scope;
    int64_t at_ms;
    unsigned revision; /* that made it as it is; 0 = as it was first */
    unsigned games;    /* of the period; else 1 */
    bool none;         /* there is no such change (any more): the rest is 0 */
    int64_t mu_before, sigma_before, mu_after, sigma_after;
    int64_t volatility_before, volatility_after; /* 0 but in Glicko-2 */
};

/* The changes that one game, event or table made, by scope and player. */
enum db_status rating_changes_of(struct db *db, struct arena *arena, const struct id *cause,
                                 struct rating_change **changes, size_t *count);

/* The changes of one player in one scope, the newest first: at most `limit`, those that stand
 * behind `after`, which is the last row of the page before, or NULL. */
enum db_status rating_history(struct db *db, struct arena *arena, const struct id *player,
                              const char *scope, const struct rating_change *after, size_t limit,
                              struct rating_change **changes, size_t *count);

/* ---- Periods ---- */

/* The rating periods of Glicko-2: the closed events of a ruleset with games of two seats, in the
 * order in which they were closed. Their changes are stored as those of games are
 * (db/store/people/rating_revisions.h). */

struct rating_period {
    const char *slug;
    unsigned number; /* from 1 in this ruleset */
    struct id event;
    int64_t at_ms;
};

/* Makes an event, `slug` and `event` of the period, the ruleset's last: sets number and time, which
 * is `at_ms` or that of the one before, if that is later. DB_CONFLICT if it is one already. The
 * caller holds rating_lock(). */
enum db_status rating_period_create(struct db *db, struct rating_period *period);

/* DB_NONE if the event is no period. */
enum db_status rating_period_of(struct db *db, struct arena *arena, const struct id *event,
                                struct rating_period *period);

/* The period after this one of the same ruleset. DB_NONE. */
enum db_status rating_period_next(struct db *db, struct arena *arena,
                                  const struct rating_period *after, struct rating_period *period);

/* How many periods a ruleset has had. */
enum db_status rating_period_count(struct db *db, const char *slug, unsigned *count);

/* A game of two, or a table with a reported result, with the ranks that count. */
struct game_of_two {
    struct id game; /* or table */
    struct id player[2];
    unsigned rank[2];
};

/* Those of an event that are not rated apart: games by id, then tables by id. */
enum db_status game_of_two_list(struct db *db, struct arena *arena, const struct id *event,
                                struct game_of_two **games, size_t *count);

#endif
