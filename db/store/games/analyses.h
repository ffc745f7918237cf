/* Analyses of games: those that wait to be made, and finished ones. Who makes one has a lease,
 * which each delivery renews; when it has run out, somebody else can take the game. */
#ifndef TILLROLL_DB_STORE_GAMES_ANALYSES_H
#define TILLROLL_DB_STORE_GAMES_ANALYSES_H

#include "db/link/db.h"

enum { ANALYSIS_ATTEMPTS = 3, ANALYSIS_LEASE_S = 120, ANALYSES_WAITING = 1000 };

struct analysis_row {
    struct id game;
    const char *maker;    /* the version that makes it, or has made it */
    const char *document; /* "" until it is finished */
    unsigned attempts;
    bool leased;          /* somebody is at work on it */
    unsigned done, total; /* plies; total 0 = nothing has been delivered yet */
};

/* DB_NONE if it has not been asked for. */
enum db_status analysis_find(struct db *db, struct arena *arena, const struct id *game,
                             struct analysis_row *row);

/* How many wait: of this player, with the owner and the owner's bots, and of all; neither more than
 * `most`. */
enum db_status analysis_count_waiting(struct db *db, const struct id *player, unsigned most,
                                      unsigned *own, unsigned *all);

/* Asks for it, in place of one by another maker. DB_OK also if it has been asked for. */
enum db_status analysis_ask(struct db *db, const struct id *game, const struct id *player,
                            const char *maker);

/* Takes the oldest that waits for `maker`, for the player. DB_NONE if there is none. */
enum db_status analysis_lease(struct db *db, struct arena *arena, const struct id *player,
                              const char *maker, struct analysis_row *row);

/* Whose work it is: the attempt, as analysis_lease() told it. */
struct analysis_lease {
    struct id game, player;
    unsigned attempt;
};

/* Adds plies, `count` members of a JSON array, after the first `done` of `total`, and renews the
 * lease. DB_NONE if the lease is lost, or these plies do not come next. */
enum db_status analysis_deliver(struct db *db, const struct analysis_lease *lease, unsigned done,
                                unsigned total, const char *plies, unsigned count);

/* The plies delivered so far, as a JSON array. DB_NONE if the lease is lost. */
enum db_status analysis_plies(struct db *db, struct arena *arena,
                              const struct analysis_lease *lease, const char **plies);

/* Stores the finished document. DB_NONE if the lease is lost. */
enum db_status analysis_finish(struct db *db, const struct analysis_lease *lease,
                               const char *document);

/* It cannot be made: nobody tries again. DB_NONE if the lease is lost. */
enum db_status analysis_give_up(struct db *db, const struct analysis_lease *lease);

/* Forgets one that is not finished. */
enum db_status analysis_drop(struct db *db, const struct id *game);

#endif
