/* Seat advantage: counts by hand, intervals against the same formulas in floating point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/standings/seat_advantage.h"
#include "tests/test.h"

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static struct table_result table_of(unsigned seats, const int32_t *scores)
{
    struct table_result table = {.round = 1, .table = 1, .seats = (uint8_t)seats};
    for (unsigned seat = 0; seat < seats; seat++) {
        table.seat[seat].score = scores[seat];
        table.seat[seat].rank = 1;
        for (unsigned other = 0; other < seats; other++)
            table.seat[seat].rank =
                (uint8_t)(table.seat[seat].rank + (scores[other] > scores[seat]));
    }
    return table;
}

TEST(counts_by_hand)
{
    static struct seat_tallies tallies;
    memset(&tallies, 0, sizeof tallies);
    struct table_result first = table_of(3, (const int32_t[]){10, 10, 5});
    struct table_result second = table_of(3, (const int32_t[]){-4, 6, 2});
    struct table_result two = table_of(2, (const int32_t[]){1, 3});
    assert_true(seat_count(&tallies, &first));
    assert_true(seat_count(&tallies, &second));
    assert_true(seat_count(&tallies, &two));
    assert_int_equal(tallies.tables[3], 2);
    assert_int_equal(tallies.tables[2], 1);
    assert_int_equal(tallies.seat[3][0].won, 30);
    assert_int_equal(tallies.seat[3][1].won, 90);
    assert_int_equal(tallies.seat[3][2].won, 0);
    struct seat_advantage advantage = seat_advantage(&tallies, 3, 1);
    assert_int_equal(advantage.tables, 2);
    assert_int_equal(advantage.wins.value, 750000);
    assert_int_equal(advantage.share.value, 575000); /* 10/25 and 6/8 */
    assert_int_equal(advantage.score.value, 8000000);
    advantage = seat_advantage(&tallies, 3, 0);
    assert_int_equal(advantage.share.value, 200000);
    assert_int_equal(advantage.score.value, 3000000); /* 10 and -4 */
    assert_int_equal(seat_advantage(&tallies, 2, 1).wins.value, 1000000);
    assert_int_equal(seat_advantage(&tallies, 4, 3).tables, 0);
    assert_int_equal(seat_advantage(&tallies, 4, 3).wins.high, 0);
}

TEST(leaves_out_what_cannot_be_compared)
{
    static struct seat_tallies tallies, empty;
    memset(&tallies, 0, sizeof tallies);
    struct table_result table = table_of(3, (const int32_t[]){3, 2, 1});
    table.seat[2].kind = ROUND_FORFEIT_LOSS;
    assert_false(seat_count(&tallies, &table));
    table.seat[2].kind = ROUND_ADJUDICATED;
    table.seat[1].score = SEAT_SCORE_MAX + 1;
    assert_false(seat_count(&tallies, &table));
    table.seat[1].score = 2;
    table.seats = 1;
    assert_false(seat_count(&tallies, &table));
    table.seats = 3;
    tallies.tables[3] = SEAT_TABLES_MAX;
    assert_false(seat_count(&tallies, &table));
    tallies.tables[3] = 0;
    assert_memory_equal(&tallies, &empty, sizeof empty);
    assert_true(seat_count(&tallies, &table));
}

/* What the millionths say lies outside of the exact bound, by no more than two of them. */
static void assert_outward(struct seat_interval interval, double low, double high, double slack)
{
    if ((double)interval.low > low * 1e6 + 1e-3 || (double)interval.low < low * 1e6 - slack ||
        (double)interval.high < high * 1e6 - 1e-3 || (double)interval.high > high * 1e6 + slack)
        fail_msg("%lld .. %lld, not %.9f .. %.9f", (long long)interval.low,
                 (long long)interval.high, low, high);
}

static void wilson(double won, double tables, double *low, double *high)
{
    double z = 1.96, p = won / tables, whole = 1 + z * z / tables;
    double centre = (p + z * z / (2 * tables)) / whole;
    double half = z / whole * sqrt(p * (1 - p) / tables + z * z / (4 * tables * tables));
    *low = fmax(centre - half, 0);
    *high = fmin(centre + half, 1);
}

TEST(win_rates_have_wilsons_interval)
{
    /* 10 of 100: 5.52 % to 17.44 % (any textbook). 204 of 648: 28.03 % to 35.15 %. */
    struct seat_interval textbook = seat_win_rate(600, 100);
    assert_int_equal(textbook.value, 100000);
    assert_int_equal(textbook.low / 100, 552);
    assert_int_equal(textbook.high / 100, 1743);
    struct seat_interval pods = seat_win_rate(204 * 60, 648);
    assert_int_equal(pods.value, 314815);
    uint32_t luck = 1;
    static const uint32_t sizes[] = {1, 2, 3, 10, 99, 1000, 54321, SEAT_TABLES_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int n = 0; n < 200; n++) {
            uint32_t most = sizes[i] * 60, won = n == 0 ? 0 : n == 1 ? most : roll(&luck, 1 << 24);
            double low, high;
            won = won % (most + 1);
            wilson(won / 60.0, sizes[i], &low, &high);
            assert_outward(seat_win_rate(won, sizes[i]), low, high, 2.1);
        }
}

/* Ten thousand drawn tables in which the first seat has a hand more to play with. */
TEST(means_have_the_normal_interval)
{
    enum { TABLES = 10000 };
    static struct seat_tallies tallies;
    static double share[TABLES], score[TABLES];
    uint32_t luck = 77;
    memset(&tallies, 0, sizeof tallies);
    for (int n = 0; n < TABLES; n++) {
        int32_t scores[4];
        double total = 0;
        for (int seat = 0; seat < 4; seat++) {
            scores[seat] = (int32_t)roll(&luck, 50) - 5 + (seat == 0 ? 4 : 0);
            total += scores[seat] > 0 ? scores[seat] : 0;
        }
        struct table_result table = table_of(4, scores);
        assert_true(seat_count(&tallies, &table));
        share[n] = scores[0] > 0 ? scores[0] / total : 0;
        score[n] = scores[0];
    }
    double mean[2] = {0}, squares[2] = {0};
    for (int n = 0; n < TABLES; n++) {
        mean[0] += share[n] / TABLES;
        mean[1] += score[n] / TABLES;
    }
    for (int n = 0; n < TABLES; n++) {
        squares[0] += (share[n] - mean[0]) * (share[n] - mean[0]);
        squares[1] += (score[n] - mean[1]) * (score[n] - mean[1]);
    }
    struct seat_advantage advantage = seat_advantage(&tallies, 4, 0);
    double half[2] = {1.96 * sqrt(squares[0] / (TABLES - 1) / TABLES),
                      1.96 * sqrt(squares[1] / (TABLES - 1) / TABLES)};
    assert_true(fabs((double)advantage.share.value - 1e6 * mean[0]) < 1.6);
    assert_true(fabs((double)advantage.share.high - 1e6 * (mean[0] + half[0])) < 4);
    assert_true(fabs((double)advantage.share.low - 1e6 * (mean[0] - half[0])) < 4);
    assert_true(fabs((double)advantage.score.value - 1e6 * mean[1]) < 1);
    assert_outward(advantage.score, mean[1] - half[1], mean[1] + half[1], 2001);
    assert_true(advantage.significant);
    assert_true(advantage.wins.low > SEAT_UNIT / 4);
}

/* One of two tables gave a seat everything, the other nothing: 1.96 standard errors are 0.98. */
TEST(shares_stay_within_nothing_and_all)
{
    static struct seat_tallies tallies;
    memset(&tallies, 0, sizeof tallies);
    struct table_result first = table_of(2, (const int32_t[]){10, 0});
    struct table_result second = table_of(2, (const int32_t[]){0, 10});
    assert_true(seat_count(&tallies, &first) && seat_count(&tallies, &second));
    for (unsigned seat = 0; seat < 2; seat++) {
        struct seat_interval share = seat_advantage(&tallies, 2, seat).share;
        assert_int_equal(share.value, 500000);
        assert_int_equal(share.low, 0);
        assert_int_equal(share.high, SEAT_UNIT);
    }
}

/* `tables` tables of `seats`, with the wins of each seat in 60ths. */
static const struct seat_tallies *tallies_of(unsigned seats, uint32_t tables, const uint64_t *won)
{
    static struct seat_tallies tallies;
    memset(&tallies, 0, sizeof tallies);
    tallies.tables[seats] = tables;
    for (unsigned seat = 0; seat < seats; seat++)
        tallies.seat[seats][seat].won = won[seat];
    return &tallies;
}

#define OF(n) (UINT64_C(60) * (n))

/* X^2 by hand: (42^2 + 5^2 + 6^2 + 31^2) / 162 = 17.2, above 7.815. */
TEST(an_even_seat_is_not_significant)
{
    const struct seat_tallies *tallies =
        tallies_of(4, 648, (const uint64_t[]){OF(204), OF(157), OF(156), OF(131)});
    assert_true(seat_advantage(tallies, 4, 0).significant);
    assert_false(seat_advantage(tallies, 4, 1).significant);
    assert_true(seat_advantage(tallies, 4, 3).significant);
}

/* One win of one table has an interval above a fifth: 1 / (1 + 1.96^2) = 0.2065. */
TEST(few_tables_show_nothing)
{
    const struct seat_tallies *tallies = tallies_of(5, 1, (const uint64_t[]){OF(1), 0, 0, 0, 0});
    assert_true(seat_advantage(tallies, 5, 0).wins.low > SEAT_UNIT / 5);
    for (unsigned seat = 0; seat < 5; seat++)
        assert_false(seat_advantage(tallies, 5, seat).significant);
    assert_false(seat_advantage_differs(tallies, 5));
    assert_false(seat_advantage_differs(tallies, 2)); /* there are none */
    /* One table less than five for each seat. */
    assert_false(seat_advantage_differs(tallies_of(2, 9, (const uint64_t[]){OF(9), 0}), 2));
    assert_false(
        seat_advantage_differs(tallies_of(5, 24, (const uint64_t[]){OF(24), 0, 0, 0, 0}), 5));
}

struct uneven {
    unsigned seats;
    uint32_t tables;
    uint64_t won[TOURNAMENT_SEATS_MAX];
    bool differs;
};

/* With five wins expected of each seat, X^2 is the sum of the squared distances from 5, by 5. */
TEST(seats_differ_by_pearsons_test)
{
    static const struct uneven cases[] = {
        {2, 10, {OF(9), OF(1)}, true},                       /* 32/5 = 6.4 > 3.841 */
        {2, 10, {OF(8), OF(2)}, false},                      /* 18/5 = 3.6 */
        {2, 10, {OF(8) + 10, OF(2) - 10}, true},             /* 2 (19/6)^2 / 5 = 4.01 */
        {3, 15, {OF(9), OF(5), OF(1)}, true},                /* 32/5 = 6.4 > 5.991 */
        {3, 15, {OF(9), OF(4), OF(2)}, false},               /* 26/5 = 5.2 */
        {4, 20, {OF(10), OF(4), OF(4), OF(2)}, false},       /* 36/5 = 7.2 < 7.815 */
        {4, 20, {OF(10), OF(5), OF(4), OF(1)}, true},        /* 42/5 = 8.4 */
        {5, 25, {OF(10), OF(5), OF(5), OF(5), 0}, true},     /* 50/5 = 10 > 9.488 */
        {5, 25, {OF(9), OF(6), OF(5), OF(4), OF(1)}, false}, /* 34/5 = 6.8 */
        {5, 4000000, {OF(4000000), 0, 0, 0, 0}, true},       /* within 64 bits */
        {5, 4000000, {OF(800000), OF(800000), OF(800000), OF(800000), OF(800000)}, false},
        {4, 4000000, {OF(1002000), OF(1002000), OF(998000), OF(998000)}, true},  /* 16 */
        {4, 4000000, {OF(1001000), OF(1001000), OF(999000), OF(999000)}, false}, /* 4 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            seat_advantage_differs(tallies_of(cases[i].seats, cases[i].tables, cases[i].won),
                                   cases[i].seats),
            cases[i].differs);
}

/* The last seat's interval, up to 0.196, excludes a fifth, but seats together may differ by luck.
 */
TEST(one_interval_is_not_enough)
{
    const struct seat_tallies *tallies =
        tallies_of(5, 25, (const uint64_t[]){OF(9), OF(6), OF(5), OF(4), OF(1)});
    assert_true(seat_advantage(tallies, 5, 4).wins.high < SEAT_UNIT / 5);
    assert_false(seat_advantage(tallies, 5, 4).significant);
    tallies = tallies_of(5, 25, (const uint64_t[]){OF(10), OF(5), OF(5), OF(5), 0});
    assert_true(seat_advantage(tallies, 5, 0).significant);
    assert_false(seat_advantage(tallies, 5, 1).significant);
    assert_true(seat_advantage(tallies, 5, 4).significant);
}

TEST(handicaps_for_the_tie_break)
{
    static struct seat_tallies tallies;
    int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX];
    memset(&tallies, 0, sizeof tallies);
    tallies.tables[4] = 200;
    tallies.seat[4][0].won = UINT64_C(60) * 63;
    tallies.seat[4][3].won = UINT64_C(60) * 40 + 30;
    tallies.tables[3] = SEAT_HANDICAP_TABLES - 1;
    tallies.seat[3][0].won = 60;
    seat_handicaps(&tallies, handicap);
    assert_int_equal(handicap[4][0], -65);
    assert_int_equal(handicap[4][3], 48); /* 47.5 */
    assert_int_equal(handicap[4][1], 250);
    assert_int_equal(handicap[3][0], 0);
    assert_int_equal(handicap[4][4], 0);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
