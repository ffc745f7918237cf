/* Ratings: the current value of each player per scope, and every change with its operands. The
 * values are integers of 1e-6 (engine/tournament/rating.h). A scope is a ruleset's slug or
 * `overall`.
 */
#ifndef TILLROLL_DB_RATINGS_H
#define TILLROLL_DB_RATINGS_H

#include "db/db.h"

struct rating_row {
    struct id player;
    const char *player_name;
    const char *scope;
    int64_t mu, sigma; /* millionths */
    unsigned games;
};

/* Lets one transaction at a time rate games, so that the order of games is one order. */
enum db_status rating_lock(struct db *db);

/* DB_NONE if the player has no rating in this scope yet. Does not read the player's name (NULL);
 * `scope` in the result is the caller's. */
enum db_status rating_find(struct db *db, const struct id *player, const char *scope,
                           struct rating_row *rating);

enum { RATING_ROWS_MAX = 16 };

/* Fills in `count` rows (at most RATING_ROWS_MAX) that have player and scope already: mu, sigma and
 * games, which are 0 for those who have no rating in that scope yet. */
enum db_status rating_find_several(struct db *db, struct rating_row *rows, size_t count);

/* Stores the values after `game` and appends the changes to the history. before[i] and after[i] are
 * of the same player and scope; a first rating has a `before` of no games, and `after` has one game
 * more. DB_CONFLICT if the game has been rated, or a `before` is not what is stored: then the
 * caller rolls back. */
enum db_status rating_store(struct db *db, const struct id *game, int64_t now_ms,
                            const struct rating_row *before, const struct rating_row *after,
                            size_t count);

/* By mu - 3 sigma, highest first, then by player id; skips the first `offset_key` rows by key:
 * `after` is the last row of the page before, or NULL. */
enum db_status rating_leaderboard(struct db *db, struct arena *arena, const char *scope,
                                  const struct rating_row *after, size_t limit,
                                  struct rating_row **rows, size_t *count);

/* All scopes of one player. */
enum db_status rating_of_player(struct db *db, struct arena *arena, const struct id *player,
                                struct rating_row **rows, size_t *count);

struct rating_change {
    struct id game;
    struct id player;
    const char *scope;
    int64_t at_ms;
    int64_t mu_before, sigma_before, mu_after, sigma_after;
};

/* The changes that one game made, by scope and player. */
enum db_status rating_changes_of_game(struct db *db, struct arena *arena, const struct id *game,
                                      struct rating_change **changes, size_t *count);

/* The changes of one player in one scope, the newest first, then by game id, highest first: at most
 * `limit`, those that stand behind `after`, which is the last row of the page before, or NULL. */
enum db_status rating_history(struct db *db, struct arena *arena, const struct id *player,
                              const char *scope, const struct rating_change *after, size_t limit,
                              struct rating_change **changes, size_t *count);

#endif
