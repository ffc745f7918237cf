/* Reports on ratings and results. */
#ifndef TILLROLL_DB_STORE_PEOPLE_RATING_REPORTS_H
#define TILLROLL_DB_STORE_PEOPLE_RATING_REPORTS_H

#include "db/link/db.h"
#include "db/store/games/games.h"

/* ---- Percentiles ---- */

struct percentile_row {
    struct id player;
    const char *player_name;
    bool imported;      /* a player of another service, without an account here */
    unsigned games;     /* from 1 */
    int64_t millionths; /* sum over all games: the mean is this divided by `games` */
};

/* Lists the players with at least `games_least` games that count for a percentile of this ruleset;
 * players with at least `games_for_place` first, then by mean percentile, highest first, then by
 * player id; at most `limit`, after the player `after` ("" = from the first), in the arena. Means
 * are compared exactly. */
enum db_status percentile_list(struct db *db, struct arena *arena, const char *slug,
                               unsigned games_least, unsigned games_for_place,
                               const struct id *after, size_t limit, struct percentile_row **rows,
                               size_t *count);

/* DB_OK if the player has games that count for a percentile of this ruleset, else DB_NONE. */
enum db_status percentile_of(struct db *db, const char *slug, const struct id *player);

/* ---- Opponents ---- */

/* The players whom a player has met, and the results. */

struct opponent_tally {
    unsigned count; /* games, or tables with reported results */
    unsigned ahead, level,
        behind; /* those in which one of the two had the better rank: the player (`ahead`), neither
                   (`level`), the opponent (`behind`) */
};

struct opponent {
    struct id player;
    const char *name;
    struct opponent_tally games;
    struct id last_game; /* "" if `games.count` is 0 */
    struct opponent_tally reported;
    struct id last_event; /* of the newest table; "" if `reported.count` is 0 */
    unsigned last_round, last_table;
};

/* Lists opponents from the newest `games_most` games of a player whose results count, and from as
 * many tables whose reported results count: the most frequent first, at most `limit`, in the arena.
 */
enum db_status opponent_list(struct db *db, struct arena *arena, const struct id *player,
                             size_t games_most, size_t limit, struct opponent **opponents,
                             size_t *count);

/* ---- Results by seat ---- */

/* The results of a ruleset's newest games by seat, for estimating what each seat is worth. */

struct seat_results {
    struct id game;
    const char *version; /* of the ruleset */
    unsigned seats;
    struct {
        int score;
        unsigned rank;
        bool fallback; /* a fallback move was played for this seat */
    } seat[GAME_ROW_SEATS];
};

/* Lists those of the newest `limit` finished games whose results count, newest first, in the arena.
 */
enum db_status seat_results_list(struct db *db, struct arena *arena, const char *slug, size_t limit,
                                 struct seat_results **results, size_t *count);

#endif
