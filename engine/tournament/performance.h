/* Rating performances by FIDE's tables (Handbook B.02, 8.1): whole numbers on FIDE's scale.
 *
 * Results are in half points: 2 a win, 1 a draw.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_PERFORMANCE_H
#define TILLROLL_ENGINE_TOURNAMENT_PERFORMANCE_H

#include <stddef.h>
#include <stdint.h>

enum {
    PERFORMANCE_GAMES_MAX = 256,
    PERFORMANCE_RATING_MAX = 1 << 24,
    PERFORMANCE_SPAN = 800 /* no opponent counts as further away than this */
};

/* The percentage that a player is expected to score against an opponent rated `difference` lower
 * (table 8.1.2): 50 for 0, 0 .. 100. */
unsigned performance_expected(int32_t difference);

/* The difference that a score of `percent` (0 .. 100) shows (table 8.1.1): -800 .. 800. */
int32_t performance_difference(unsigned percent);

/* The mean of `count` ratings (1 .. PERFORMANCE_GAMES_MAX, of 1 .. PERFORMANCE_RATING_MAX each) as
 * a whole number, halves upwards (C.07, ARO). */
int32_t performance_mean(const int32_t *ratings, size_t count);

/* ARO plus the difference for the score, which is rounded to a whole percentage, halves upwards
 * (C.07, TPR). `halves` is 0 .. 2 * count. */
int32_t performance_rating(const int32_t *ratings, size_t count, uint32_t halves);

/* The lowest rating whose expected score against these opponents is not below the actual one; for a
 * score of 0, the lowest opponent less 800 (C.07, PTP). */
int32_t performance_perfect(const int32_t *ratings, size_t count, uint32_t halves);

#endif
