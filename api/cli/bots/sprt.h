/* Which of two players is stronger, and by how much, from shares of points in independent deals.
 *
 * A share is what one player got in one deal, over all its seatings: of each rival it beat 1, of
 * each with the same rank 1/2, divided by the number of rivals and seatings. Equal players have
 * 1/2. A difference of E points of Elo is a share of 1 / (1 + 10^(-E / 400)).
 *
 * The sequential test is the generalized likelihood ratio test for the mean of a sequence whose
 * variance is estimated as it comes (Bartroff, Lai, Shih, "Sequential Experimentation in Clinical
 * Trials", 2013, chapter 3), with the limits of A. Wald, "Sequential Tests of Statistical
 * Hypotheses", 1945. tests/bench/bench_sprt.c measures how often it errs, and says what was found.
 */
#ifndef TILLROLL_API_CLI_BOTS_SPRT_H
#define TILLROLL_API_CLI_BOTS_SPRT_H

#include <stdbool.h>

/* Mean and variance of a sequence (B. P. Welford, 1962). */
struct shares {
    unsigned long count;
    double mean, squares; /* sum of squared differences from the mean */
};

void shares_add(struct shares *shares, double share);

/* 1.96 standard errors of the mean; 0.5 for fewer than two shares. With few of them, or if most are
 * 0 or 1, the true mean is farther away more often than in 5 % of all cases. */
double shares_margin(const struct shares *shares);

/* The ends of an interval that holds the true mean with about 95 %, within 0 .. 1, however few
 * shares there are, and if all are alike: that of shares_margin() with two shares of 0 and two of 1
 * more (A. Agresti, B. Coull, "Approximate is better than `exact`", 1998). */
void shares_interval(const struct shares *shares, double *low, double *high);

/* The same for differences of two shares, which are from -1 to 1: with one difference of 1 and one
 * of -1 more (A. Agresti, Y. Min, "Simple improved confidence intervals for comparing matched
 * proportions", 2005). The ends are within -1 .. 1. */
void shares_interval_of_differences(const struct shares *shares, double *low, double *high);

/* Half the width of an interval that holds the true mean of any numbers with 95 %, by Student's
 * distribution, to 2 %. 0 for fewer than five numbers, which say too little. */
double shares_margin_of_numbers(const struct shares *shares);

/* Share <-> difference in points of Elo. Shares of 0 and 1 are -infinity and infinity. */
double elo_of_share(double share);
double share_of_elo(double elo);

enum sprt_verdict { SPRT_OPEN, SPRT_LOWER, SPRT_UPPER };

struct sprt {
    double lower, upper; /* the two means between which it decides */
    double error;        /* how often it may err, either way */
};

/* The logarithm of the likelihood ratio of `upper` to `lower`. */
double sprt_ratio(const struct sprt *sprt, const struct shares *shares);

/* The ratio at which the test ends: SPRT_UPPER above it, SPRT_LOWER below its negative. */
double sprt_limit(const struct sprt *sprt);

/* The verdict so far. Open until 16 shares have come. SPRT_UPPER says that the true mean is above
 * `lower`, and SPRT_LOWER that it is below `upper`: only that is wrong as seldom as `error`. A mean
 * between the two can lead to either. */
enum sprt_verdict sprt_judge(const struct sprt *sprt, const struct shares *shares);

#endif
