/* Sums of fractions with different denominators, compared exactly.
 *
 * The share of a table is own score / score of all, and the scores of tables have no denominator in
 * common, so the sum over many rounds can need more than 64 bits. Numbers of many digits are built
 * for the comparison alone; a page gets 64-bit numbers where they suffice.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_SHARE_SUM_H
#define TILLROLL_ENGINE_TOURNAMENT_SHARE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARES_MAX = 256 };

/* own / total, 1 <= total. Where a mean is asked for: own <= total. */
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

/* The mean share as a reduced fraction. False if that needs more than 62 bits: then it is rounded
 * down to billionths. */
bool share_sum_mean(const struct share_sum *sum, int64_t *numerator, int64_t *denominator);

#endif
