/* The ratings that finished games leave behind. They are kept in memory while games are added and
 * stored at the end; what the database held before is read first. */
#ifndef TILLROLL_TESTS_FILL_RATINGS_H
#define TILLROLL_TESTS_FILL_RATINGS_H

#include "engine/record/record.h"
#include "engine/tournament/result/rating.h"
#include "fill_copy.h"
#include "fill_players.h"

struct fill_rating {
    struct rating value;
    uint32_t games;
    bool changed;
};

struct fill_ratings {
    const struct fill_players *players; /* borrowed */
    size_t scopes;                      /* every ruleset, and `overall` */
    struct fill_rating *rating;         /* of player p in scope s: rating[p * scopes + s] */
    struct copy games;                  /* in the order in which they are rated */
    int64_t numbers;                    /* given to games so far */
    struct copy changes;
};

void fill_ratings_open(struct fill_ratings *ratings, const struct fill_players *players,
                       PGconn *connection);

/* Rates a finished game; player[seat] is the index of a seat's player. */
void fill_ratings_add(struct fill_ratings *ratings, const struct record_header *header,
                      const size_t *player, const struct outcome *outcome, int64_t at_ms);

/* Sends the changes so far. */
void fill_ratings_flush(struct fill_ratings *ratings, PGconn *connection);

/* Stores the ratings and frees. */
void fill_ratings_store(struct fill_ratings *ratings, PGconn *connection);

#endif
