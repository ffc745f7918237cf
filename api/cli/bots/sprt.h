/* Finds out which of two players is stronger, and by how much, from shares of points in independent
 * deals.
 *
 * A share is one player's result in one deal, over all its seatings: 1 for each rival beaten and
 * 1/2 for each with the same rank, divided by the number of rivals and seatings. Equal players have
 * 1/2. A difference of E points of Elo is a share of 1 / (1 + 10^(-E / 400)).
 *
 * The sequential test is the generalized likelihood ratio test for the mean of a sequence whose
 * variance is estimated along the way (Bartroff, Lai, Shih, "Sequential Experimentation in Clinical
 * Trials", 2013, chapter 3), with the limits of A. Wald, "Sequential Tests of Statistical
 * Hypotheses", 1945. tests/bench/bench_sprt.c measures how often it errs, and reports the results.
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

/* 1.96 standard errors of the mean; 0.5 for fewer than two shares. With few shares, or if most are
 * 0 or 1, the true mean is farther away than that in more than 5 % of all cases. */
double shares_margin(const struct shares *shares);

/* Computes the ends of an interval that contains the true mean with about 95 %, within 0 .. 1,
 * however few shares there are, and even if all are alike: the interval of shares_margin() after
 * adding two shares of 0 and two of 1 (A. Agresti, B. Coull, "Approximate is better than `exact`",
 * 1998). */
void shares_interval(const struct shares *shares, double *low, double *high);

/* Computes such an interval, within -1 .. 1, for differences of two shares: after adding one
 * difference of 1 and one of -1 (A. Agresti, Y. Min, "Simple improved confidence intervals for
 * comparing matched proportions", 2005). */
void shares_interval_of_differences(const struct shares *shares, double *low, double *high);

/* Half the width of an interval that contains the true mean of any numbers with 95 %, by Student's
 * distribution, accurate to 2 %. 0 for fewer than five numbers, which are too few. */
double shares_margin_of_numbers(const struct shares *shares);

/* Conversion between a share and a difference in points of Elo. Shares of 0 and 1 are -infinity and
 * infinity. */
double elo_of_share(double share);
double share_of_elo(double elo);

enum sprt_verdict { SPRT_OPEN, SPRT_LOWER, SPRT_UPPER };

struct sprt {
    double lower, upper; /* the test decides between these two means */
    double error;        /* the probability of a wrong verdict, either way */
};

/* The logarithm of the likelihood ratio of `upper` to `lower`. */
double sprt_ratio(const struct sprt *sprt, const struct shares *shares);

/* The ratio at which the test ends: SPRT_UPPER above it, SPRT_LOWER below its negative. */
double sprt_limit(const struct sprt *sprt);

/* The verdict so far; open until there are 16 shares. SPRT_UPPER states that the true mean is above
 * `lower`, and SPRT_LOWER that it is below `upper`; only these statements are wrong as seldom as
 * `error`. A mean between the two can lead to either. */
enum sprt_verdict sprt_judge(const struct sprt *sprt, const struct shares *shares);

#endif
