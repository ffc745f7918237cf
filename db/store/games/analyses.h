/* Analyses of games: waiting and finished ones. The player whose program makes one has a lease,
 * which each delivery renews; once it has expired, another player can take the game. */
#ifndef TILLROLL_DB_STORE_GAMES_ANALYSES_H
#define TILLROLL_DB_STORE_GAMES_ANALYSES_H

#include "db/link/db.h"

enum { ANALYSIS_ATTEMPTS = 3, ANALYSIS_LEASE_S = 120, ANALYSES_WAITING = 1000 };

struct analysis_row {
    struct id game;
    const char *maker;    /* the version of the analysis, which makes or has made it */
    const char *document; /* "" until it is finished */
    unsigned attempts;
    bool leased;          /* a player has a lease on it */
    unsigned done, total; /* plies; total 0 = nothing has been delivered yet */
};

/* Finds the analysis of a game, in the arena. DB_NONE if none has been requested. */
enum db_status analysis_find(struct db *db, struct arena *arena, const struct id *game,
                             struct analysis_row *row);

/* Counts the waiting analyses: those requested by this player, the owner and the owner's bots, and
 * all; neither above `most`. */
enum db_status analysis_count_waiting(struct db *db, const struct id *player, unsigned most,
                                      unsigned *own, unsigned *all);

/* Requests an analysis, in place of one by another maker. DB_OK also if it has been requested
 * already. */
enum db_status analysis_ask(struct db *db, const struct id *game, const struct id *player,
                            const char *maker);

/* Gives the player a lease on the oldest analysis that waits for `maker`. DB_NONE if there is none.
 */
enum db_status analysis_lease(struct db *db, struct arena *arena, const struct id *player,
                              const char *maker, struct analysis_row *row);

/* A lease, with the number of the attempt as set by analysis_lease(). */
struct analysis_lease {
    struct id game, player;
    unsigned attempt;
};

/* Adds `count` plies, members of a JSON array, after the first `done` of `total`, and renews the
 * lease. DB_NONE if the lease is lost, or these plies do not come next. */
enum db_status analysis_deliver(struct db *db, const struct analysis_lease *lease, unsigned done,
                                unsigned total, const char *plies, unsigned count);

/* Reads the plies delivered so far, as a JSON array in the arena. DB_NONE if the lease is lost. */
enum db_status analysis_plies(struct db *db, struct arena *arena,
                              const struct analysis_lease *lease, const char **plies);

/* Stores the finished document. DB_NONE if the lease is lost. */
enum db_status analysis_finish(struct db *db, const struct analysis_lease *lease,
                               const char *document);

/* Stores that the analysis cannot be made: there are no further attempts. DB_NONE if the lease is
 * lost. */
enum db_status analysis_give_up(struct db *db, const struct analysis_lease *lease);

/* Deletes an analysis that is not finished. */
enum db_status analysis_drop(struct db *db, const struct id *game);

#endif
