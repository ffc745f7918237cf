/* The statistics of `tillroll match` (api/cli/bots/sprt.h). */
#include <math.h>

#include "api/cli/bots/sprt.h"
#include "tests/test.h"

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

TEST(test_elo)
{
    assert_true(near(elo_of_share(0.5), 0));
    assert_true(near(share_of_elo(400), 10.0 / 11));
    assert_true(near(elo_of_share(share_of_elo(-73)), -73));
    assert_true(isinf(elo_of_share(1)) && elo_of_share(1) > 0);
    assert_true(isinf(elo_of_share(0)) && elo_of_share(0) < 0);
}

/* The sample 0, 1/2, 1, 1 has mean 5/8, variance 11/48, standard error sqrt(11/192). */
TEST(test_mean_and_margin)
{
    struct shares shares = {.count = 0};
    shares_add(&shares, 0);
    assert_true(near(shares_margin(&shares), 0.5));
    shares_add(&shares, 0.5);
    shares_add(&shares, 1);
    shares_add(&shares, 1);
    assert_true(near(shares.mean, 0.625));
    assert_true(near(shares_margin(&shares), 1.96 * sqrt(11.0 / 192)));
}

/* Student's quantiles from tables, and nothing for fewer than five numbers. */
TEST(test_margin_of_numbers)
{
    static const struct {
        unsigned count;
        double quantile;
    } tables[] = {{5, 2.776}, {10, 2.262}, {30, 2.045}, {1000, 1.962}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct shares numbers = {.count = 0};
        for (unsigned k = 0; k < tables[i].count; k++)
            shares_add(&numbers, k % 2 == 0 ? 40 : 60);
        const double error = shares_margin(&numbers) / 1.96;
        assert_true(fabs(shares_margin_of_numbers(&numbers) / error / tables[i].quantile - 1) <
                    0.02);
    }
    struct shares few = {.count = 4, .mean = 1, .squares = 2};
    assert_true(near(shares_margin_of_numbers(&few), 0));
}

/* No difference in many deals is still uncertain; the ends stay within -1 .. 1. */
TEST(test_interval_of_differences)
{
    double low, high;
    struct shares same = {.count = 0}, none = same;
    for (int i = 0; i < 18; i++)
        shares_add(&same, 0);
    shares_interval_of_differences(&same, &low, &high);
    assert_true(near(high, 1.96 * sqrt(2.0 / 19 / 20)) && near(low, -high));
    shares_interval_of_differences(&none, &low, &high);
    assert_true(near(low, -1) && near(high, 1));
}

/* With few shares, or equal ones, the interval neither vanishes nor leaves 0 .. 1. */
TEST(test_interval)
{
    double low, high;
    struct shares none = {.count = 0}, wins = none, few = none;
    shares_interval(&none, &low, &high);
    assert_true(near(low, 0) && near(high, 1));
    for (int i = 0; i < 24; i++)
        shares_add(&wins, 1);
    shares_interval(&wins, &low, &high);
    assert_true(near(shares_margin(&wins), 0)); /* the simple one says that there is no doubt */
    assert_true(near(low, 26.0 / 28 - 1.96 * sqrt(26.0 / 28 * 2 / 28 / 27)) && near(high, 1));
    shares_add(&few, 0.5);
    shares_add(&few, 0);
    shares_interval(&few, &low, &high);
    assert_true(near(low, 2.5 / 6 - 1.96 * sqrt((2.25 - 2.5 * 2.5 / 6) / 5 / 6)));
    assert_true(high > 0.5 && high < 1);
}

static struct shares repeated(const double *pattern, size_t length, unsigned long count)
{
    struct shares shares = {.count = 0};
    for (unsigned long i = 0; i < count; i++)
        shares_add(&shares, pattern[i % length]);
    return shares;
}

TEST(test_verdicts)
{
    const struct sprt sprt = {share_of_elo(0), share_of_elo(100), 0.05};
    const double win[] = {1}, loss[] = {0}, even[] = {1, 0}, better[] = {1, 0.5, 1, 0.5, 0.5};
    struct shares shares = repeated(win, 1, 15);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_OPEN); /* too few */
    shares = repeated(win, 1, 16);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_UPPER);
    shares = repeated(loss, 1, 16);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_LOWER);
    shares = repeated(even, 2, 16);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_OPEN);
    shares = repeated(even, 2, 200);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_LOWER);
    shares = repeated(better, 5, 60);
    assert_int_equal(sprt_judge(&sprt, &shares), SPRT_UPPER);
}

/* A mean in the middle says nothing; the ratio grows with the number of deals. */
TEST(test_ratio)
{
    const struct sprt sprt = {0.5, 0.6, 0.05};
    const double middle[] = {1, 0.1}, good[] = {1, 1, 1, 0};
    struct shares shares = repeated(middle, 2, 100);
    assert_true(fabs(sprt_ratio(&sprt, &shares)) < 1e-9);
    struct shares few = repeated(good, 4, 40), many = repeated(good, 4, 400);
    assert_true(sprt_ratio(&sprt, &many) > 9 * sprt_ratio(&sprt, &few));
    assert_true(near(sprt_limit(&sprt), log(19)));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
