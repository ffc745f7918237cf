/* Evidence of kingmaking and collusion: who loses by their own moves in favour of one opponent,
 * over many games. For people to judge; it is no verdict.
 *
 * A gift of A to X in a game is the sum of what A's moves gave X, beside what level `regular` would
 * have played (analysis.h, `skill`). At a table of three and more, somebody who favours nobody
 * gives each opponent as much as the others, whoever sits where: which of A's gifts in a game is
 * B's is then a matter of lot. At tables of two, likewise: which of A's games were those with B.
 *
 *      excess   the sum of A's gifts to B, less what is expected if B is any of A's opponents
 *      p        how often the sum would be as great if it were drawn by lot: a permutation test
 *
 * A pair is flagged if p is at most 1 / COLLUSION_LEVEL, and A's moves cost A something in all. So
 * among honest pairs one in COLLUSION_LEVEL is flagged, or fewer: pairs with few games cannot be. A
 * weak player who always errs in favour of whoever is behind gives to many, and is not flagged for
 * one of them.
 *
 * All moves count, not only those that cost A something: what is uncertain in their values would
 * otherwise decide which count, and many a gift costs its giver nothing.
 *
 * Integers only, and the same games in the same order give the same result everywhere.
 */
#ifndef TILLROLL_ENGINE_ANALYSIS_COLLUSION_H
#define TILLROLL_ENGINE_ANALYSIS_COLLUSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/analysis/analysis.h"

enum {
    COLLUSION_LEVEL = 10000,
    COLLUSION_PERMUTATIONS = 200000,
    COLLUSION_SCREEN =
        250, /* hundredths: pairs below so many standard deviations are not permuted */
    COLLUSION_PLAYERS_MAX = 65535
};

/* Gains in units of 1 / ANALYSIS_ONE. */
struct collusion_game {
    unsigned seats;                  /* 2 .. GAME_SEATS_MAX */
    uint32_t player[GAME_SEATS_MAX]; /* below COLLUSION_PLAYERS_MAX, all different */
    int64_t cost[GAME_SEATS_MAX];    /* [a]: what a's moves cost it, less what they gained */
    int64_t gift[GAME_SEATS_MAX]
                [GAME_SEATS_MAX]; /* [a][x]: what they gave x, less what they took */
};

/* One ordered pair that met. */
struct collusion_pair {
    uint32_t from, to;
    uint32_t games;   /* in which they met */
    int64_t cost;     /* of `from`, in these */
    int64_t given;    /* to `to` */
    int64_t excess;   /* more than expected */
    int32_t deviates; /* the excess in hundredths of its standard deviation */
    uint32_t as_much; /* permutations with as great a sum; if `permuted` */
    bool permuted, flagged;
};

struct collusion;

/* NULL when out of memory. collusion_free() frees; NULL is fine. One thread at a time. */
struct collusion *collusion_new(void);
void collusion_free(struct collusion *collusion);

/* Adds a game; it is copied. False when out of memory. */
bool collusion_add(struct collusion *collusion, const struct collusion_game *game);

/* Adds up the gifts of an analysis that is done; its players are left to the caller. */
void collusion_read(const struct analysis *analysis, struct collusion_game *game);

/* Adds what one move gave each seat to a game's gifts. */
void collusion_read_move(struct collusion_game *game, unsigned seat,
                         const int64_t skill[static GAME_SEATS_MAX]);

/* All ordered pairs that met, the greatest deviation first: a new array for free(), with its length
 * in `count`. NULL when out of memory. */
struct collusion_pair *collusion_find(const struct collusion *collusion, size_t *count);

#endif
