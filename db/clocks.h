/* What keeping clocks needs of the database: which games have them, and whether anybody serves. The
 * clocks themselves are in the records (engine/clock.h).
 */
#ifndef TILLROLL_DB_CLOCKS_H
#define TILLROLL_DB_CLOCKS_H

#include "db/db.h"

/* The running games with clocks, in the arena. */
enum db_status clock_games(struct db *db, struct arena *arena, struct id **games, size_t *count);

/* Those of `games` that run and have clocks. */
enum db_status clock_games_among(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct id **found, size_t *found_count);

/* When somebody served, by the clocks of the services, in milliseconds since 1970. */
struct served {
    int64_t at_ms;                  /* the last time */
    int64_t gap_from_ms, gap_to_ms; /* when nobody did, and clocks are still to be stopped for it; 0
                                       if there is no such time */
};

/* Keeps others from changing it until the end of the transaction. */
enum db_status served_lock(struct db *db, struct served *served);

/* Changes it. */
enum db_status served_store(struct db *db, const struct served *served);

#endif
