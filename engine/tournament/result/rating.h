/* Ratings: OpenSkill with the Plackett-Luce model (Weng and Lin, JMLR 12 (2011), algorithm 4), for
 * tables of any size with ties.
 *
 * A rating is two integers, the mean and the uncertainty of a player's strength in millionths. They
 * are authoritative: every game's result is rounded to them, and the next game starts from them.
 * The arithmetic in between is fixed point on integers (wide.h), so every compiler, option and
 * machine computes the same integers. Constants: mean 25, uncertainty 25/3, beta 25/6, tau 25/300,
 * kappa 1/10000, gamma sigma/c; the results equal those of openskill 5.0.1, with its defaults and
 * tau, to the last millionth.
 *
 * Accuracy: before rounding, errors stay below 1e-8 for ratings that occur in play (sigma 1 .. 10,
 * means within 100 of each other), so a result differs from the exact one, by one unit, only if the
 * exact one lies within 1e-8 of a half unit.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_RESULT_RATING_H
#define TILLROLL_ENGINE_TOURNAMENT_RESULT_RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RATING_UNIT = 1000000,       /* the number 1, in the unit of every number here */
    RATING_PLAYERS_MAX = 8,      /* at one table */
    RATING_MU_MAX = 1000000000,  /* |mu| <= 1000 */
    RATING_SIGMA_MAX = 100000000 /* 1 <= sigma (in millionths), <= 100 */
};

struct rating {
    int32_t mu;    /* millionths, -RATING_MU_MAX .. RATING_MU_MAX */
    int32_t sigma; /* millionths, 1 .. RATING_SIGMA_MAX */
};

/* 25 and 25/3. */
struct rating rating_initial(void);

/* Rates one game: ratings[i] and ranks[i] belong to one player; smaller ranks are better, equal
 * ranks are ties, and only the order of ranks matters. count is 2 .. RATING_PLAYERS_MAX. Writes the
 * new ratings in place, clamped to their range. False, with nothing changed, if a count or rating
 * is out of range. Pure; any thread. */
bool rating_update(struct rating *ratings, const int32_t *ranks, size_t count);

/* mu - 3 sigma in millionths: the order of rating lists. */
int64_t rating_ordinal(struct rating rating);

/* A rating is provisional while its sigma is above this. */
enum { RATING_PROVISIONAL_SIGMA = 6500000 };

/* Rating performances by FIDE's tables (Handbook B.02, 8.1): whole numbers on FIDE's scale.
 *
 * Results are in half points: 2 a win, 1 a draw.
 */

enum {
    PERFORMANCE_GAMES_MAX = 256,
    PERFORMANCE_RATING_MAX = 1 << 24,
    PERFORMANCE_SPAN = 800 /* larger differences count as this */
};

/* The percentage that a player is expected to score against an opponent rated `difference` lower
 * (table 8.1.2): 0 .. 100, 50 for difference 0. */
unsigned performance_expected(int32_t difference);

/* The rating difference for a score of `percent` (0 .. 100) (table 8.1.1): -800 .. 800. */
int32_t performance_difference(unsigned percent);

/* The mean of `count` ratings (1 .. PERFORMANCE_GAMES_MAX, of 1 .. PERFORMANCE_RATING_MAX each) as
 * a whole number, halves upwards (C.07, ARO). */
int32_t performance_mean(const int32_t *ratings, size_t count);

/* ARO plus the difference for the score, which is rounded to a whole percentage, halves upwards
 * (C.07, TPR). `halves` is 0 .. 2 * count. */
int32_t performance_rating(const int32_t *ratings, size_t count, uint32_t halves);

/* The lowest rating whose expected score against these opponents is at least the actual one; for a
 * score of 0, the lowest opponent less 800 (C.07, PTP). */
int32_t performance_perfect(const int32_t *ratings, size_t count, uint32_t halves);

#endif
