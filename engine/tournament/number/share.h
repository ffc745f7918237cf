/* Sums of fractions with different denominators, compared exactly.
 *
 * The share of a table is own score / total score. Tables have no common denominator, so the sum
 * over many rounds can need more than 64 bits. Long numbers are built only for the comparison;
 * pages get 64-bit numbers if they suffice.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_NUMBER_SHARE_H
#define TILLROLL_ENGINE_TOURNAMENT_NUMBER_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARES_MAX = 256 };

/* own / total, 1 <= total. For a mean: own <= total. */
struct share {
    uint32_t own, total;
};

struct share_sum {
    size_t count; /* 0 .. SHARES_MAX */
    struct share share[SHARES_MAX];
};

/* Negative, 0 or positive as the mean share of `a` is smaller, equal or larger. The mean of no
 * shares is 0. */
int share_sum_compare(const struct share_sum *a, const struct share_sum *b);

/* The mean share as a reduced fraction. False if that needs more than 62 bits; it is then rounded
 * down to billionths. */
bool share_sum_mean(const struct share_sum *sum, int64_t *numerator, int64_t *denominator);

#endif
