/* Sums of shares, compared and averaged exactly. */
#include "engine/tournament/number/share.h"
#include "tests/test.h"

TEST(share_sums_are_exact)
{
    struct share_sum thirds = {2, {{1, 3}, {2, 3}}}, halves = {2, {{1, 2}, {1, 2}}};
    struct share_sum none = {0}, zero = {1, {{0, 9}}};
    int64_t numerator = 0, denominator = 0;
    assert_int_equal(share_sum_compare(&thirds, &halves), 0);
    assert_int_equal(share_sum_compare(&none, &zero), 0);
    assert_true(share_sum_compare(&zero, &thirds) < 0);
    assert_true(share_sum_mean(&thirds, &numerator, &denominator));
    assert_int_equal(numerator, 1);
    assert_int_equal(denominator, 2);
    /* Many large denominators: far beyond 64 bits, and apart by one part in 10^9 of one share. */
    struct share_sum many = {.count = SHARES_MAX}, more;
    for (uint32_t i = 0; i < SHARES_MAX; i++)
        many.share[i] = (struct share){500000000 + i, 1000000007 + 2 * i};
    more = many;
    more.share[40].own++;
    assert_true(share_sum_compare(&many, &more) < 0);
    assert_true(share_sum_compare(&more, &many) > 0);
    assert_int_equal(share_sum_compare(&more, &more), 0);
    struct share swapped = more.share[3];
    more.share[3] = more.share[40];
    more.share[40] = swapped;
    more.share[3].own--;
    assert_int_equal(share_sum_compare(&more, &many), 0);
    assert_false(share_sum_mean(&many, &numerator, &denominator));
    assert_int_equal(denominator, 1000000000);
    assert_in_range(numerator, 499999990, 500000010);
    /* The largest totals that results can have. */
    for (uint32_t i = 0; i < SHARES_MAX; i++)
        many.share[i] = (struct share){5U << 28, 5U << 28};
    assert_true(share_sum_mean(&many, &numerator, &denominator));
    assert_true(numerator == 1 && denominator == 1);
    assert_int_equal(share_sum_compare(&many, &(struct share_sum){1, {{7, 7}}}), 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
