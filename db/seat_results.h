/* The results of a ruleset's newest games by seats, for what the seats are worth. */
#ifndef TILLROLL_DB_SEAT_RESULTS_H
#define TILLROLL_DB_SEAT_RESULTS_H

#include "db/games.h"

struct seat_results {
    struct id game;
    const char *version; /* of the ruleset */
    unsigned seats;
    struct {
        int score;
        unsigned rank;
        bool fallback; /* the quiet move has played for this seat */
    } seat[GAME_ROW_SEATS];
};

/* Of the newest `limit` finished games, those whose results count, newest first. */
enum db_status seat_results_list(struct db *db, struct arena *arena, const char *slug, size_t limit,
                                 struct seat_results **results, size_t *count);

#endif
