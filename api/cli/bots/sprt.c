#include "api/cli/bots/sprt.h"

#include <math.h>

enum { SHARES_LEAST = 16, NUMBERS_LEAST = 5 };

void shares_add(struct shares *shares, double share)
{
    shares->count++;
    double before = share - shares->mean;
    shares->mean += before / (double)shares->count;
    shares->squares += before * (share - shares->mean);
}

double shares_margin(const struct shares *shares)
{
    double count = (double)shares->count;
    return shares->count < 2 ? 0.5 : 1.96 * sqrt(shares->squares / (count - 1) / count);
}

void shares_interval(const struct shares *shares, double *low, double *high)
{
    struct shares more = *shares;
    for (unsigned i = 0; i < 4; i++)
        shares_add(&more, i % 2);
    double margin = shares_margin(&more);
    *low = fmax(more.mean - margin, 0);
    *high = fmin(more.mean + margin, 1);
}

void shares_interval_of_differences(const struct shares *shares, double *low, double *high)
{
    struct shares more = *shares;
    shares_add(&more, 1);
    shares_add(&more, -1);
    double margin = shares_margin(&more);
    *low = fmax(more.mean - margin, -1);
    *high = fmin(more.mean + margin, 1);
}

/* Uses the quantile of Student's distribution, by its expansion in 1 / freedom at z = 1.96 (R.
 * Fisher, E. Cornish, 1960). */
double shares_margin_of_numbers(const struct shares *shares)
{
    if (shares->count < NUMBERS_LEAST)
        return 0;
    const double freedom = (double)shares->count - 1;
    return shares_margin(shares) * (1 + (1.210 + 1.440 / freedom) / freedom);
}

double elo_of_share(double share)
{
    return 400 * log10(share / (1 - share));
}

double share_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double sprt_ratio(const struct sprt *sprt, const struct shares *shares)
{
    /* One share of 0 and one of 1 are added to the variance, so that it is never zero. */
    double count = (double)shares->count;
    double variance = (shares->squares + 0.5) / (count + 2);
    double gap = sprt->upper - sprt->lower;
    return count * gap * (2 * shares->mean - sprt->lower - sprt->upper) / (2 * variance);
}

double sprt_limit(const struct sprt *sprt)
{
    return log((1 - sprt->error) / sprt->error);
}

enum sprt_verdict sprt_judge(const struct sprt *sprt, const struct shares *shares)
{
    if (shares->count < SHARES_LEAST)
        return SPRT_OPEN;
    double ratio = sprt_ratio(sprt, shares);
    return ratio >= sprt_limit(sprt)    ? SPRT_UPPER
           : ratio <= -sprt_limit(sprt) ? SPRT_LOWER
                                        : SPRT_OPEN;
}
