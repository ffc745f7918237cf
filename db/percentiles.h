/* Games for one: nobody is met in them, so nobody is rated. What compares their players is where
 * each result stands among those of the same board: the percentile, reckoned as seat_percentile()
 * does (engine/tournament/seat_advantage.h), in whole millionths; and of each player the mean.
 */
#ifndef TILLROLL_DB_PERCENTILES_H
#define TILLROLL_DB_PERCENTILES_H

#include "db/db.h"

struct percentile_row {
    struct id player;
    const char *player_name;
    bool imported;      /* a player of another service, without account here */
    unsigned games;     /* from 1 */
    int64_t millionths; /* of all games together: the mean is this by `games` */
};

/* Those with at least `games_least` counted games for one of this ruleset, by mean percentile,
 * highest first, then by player id: at most `limit`, behind the player `after` ("" = from the
 * first). Equal means are equal exactly. */
enum db_status percentile_list(struct db *db, struct arena *arena, const char *slug,
                               unsigned games_least, const struct id *after, size_t limit,
                               struct percentile_row **rows, size_t *count);

/* DB_OK if the player has such games, else DB_NONE. */
enum db_status percentile_of(struct db *db, const char *slug, const struct id *player);

#endif
