/* Glicko-2 against Glickman's example and against Glickman's formulas in floating point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/result/glicko.h"
#include "tests/test.h"

static struct glicko player(double rating, double deviation, double volatility)
{
    return (struct glicko){llround(rating * 1e6), (int32_t)lround(deviation * 1e6),
                           (int32_t)lround(volatility * 1e9)};
}

/* 1500 / 200 / 0.06 beats 1400 / 30 and loses to 1550 / 100 and 1700 / 300; tau 0.5. The paper
 * gives 1464.06, 151.52 and 0.05999; the digits after that are those of other programs. */
TEST(glickmans_example)
{
    struct glicko rated = player(1500, 200, 0.06);
    const struct glicko_game games[3] = {{.opponent = player(1400, 30, 0.06), .halves = 2},
                                         {.opponent = player(1550, 100, 0.06), .halves = 0},
                                         {.opponent = player(1700, 300, 0.06), .halves = 0}};
    assert_true(glicko_update(&rated, games, 3, GLICKO_TAU_DEFAULT));
    assert_int_equal(rated.rating, 1464050671);
    assert_int_equal(rated.deviation, 151516524);
    assert_int_equal(rated.volatility, 59995984);
}

/* ---- the formulas of the paper in floating point, step by step ---- */

static const double scale = 173.7178, pi = 3.14159265358979323846;

struct real {
    double rating, deviation, volatility;
};

static struct real real_of(struct glicko rated)
{
    return (struct real){(double)rated.rating / 1e6, rated.deviation / 1e6, rated.volatility / 1e9};
}

struct volatility_terms {
    double delta_squared, phi_squared, v, a, tau;
};

static double f(const struct volatility_terms *t, double x)
{
    double e = exp(x), whole = t->phi_squared + t->v + e;
    return e * (t->delta_squared - whole) / (2 * whole * whole) - (x - t->a) / (t->tau * t->tau);
}

/* Step 5: the Illinois variant of regula falsi. */
static double new_volatility(const struct volatility_terms *t)
{
    double low = t->a, high;
    if (t->delta_squared > t->phi_squared + t->v) {
        high = log(t->delta_squared - t->phi_squared - t->v);
    } else {
        double k = 1;
        while (f(t, t->a - k * t->tau) < 0)
            k++;
        high = t->a - k * t->tau;
    }
    double at_low = f(t, low), at_high = f(t, high);
    for (int i = 0; i < 200 && fabs(high - low) > 1e-14; i++) {
        double next = low + (low - high) * at_low / (at_high - at_low), at_next = f(t, next);
        if (at_next * at_high <= 0) {
            low = high;
            at_low = at_high;
        } else {
            at_low /= 2;
        }
        high = next;
        at_high = at_next;
    }
    return exp(low / 2);
}

static struct real real_update(struct real own, const struct glicko_game *games, size_t count,
                               double tau)
{
    double mu = (own.rating - 1500) / scale, phi = own.deviation / scale, inverse = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct real other = real_of(games[i].opponent);
        double phi_j = other.deviation / scale, mu_j = (other.rating - 1500) / scale;
        double g = 1 / sqrt(1 + 3 * phi_j * phi_j / (pi * pi));
        double expected = 1 / (1 + exp(-g * (mu - mu_j)));
        inverse += g * g * expected * (1 - expected);
        sum += g * (games[i].halves / 2.0 - expected);
    }
    struct volatility_terms terms = {.delta_squared = sum / inverse * (sum / inverse),
                                     .phi_squared = phi * phi,
                                     .v = 1 / inverse,
                                     .a = log(own.volatility * own.volatility),
                                     .tau = tau};
    double volatility = new_volatility(&terms);
    double before = phi * phi + volatility * volatility;
    double after = 1 / (1 / before + inverse);
    return (struct real){scale * (mu + after * sum) + 1500, scale * sqrt(after), volatility};
}

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static struct glicko pairing_player(uint32_t *luck, uint32_t spread)
{
    return (struct glicko){
        1500000000 - 500 * (int64_t)spread + 1000 * (int64_t)roll(luck, spread) + roll(luck, 1000),
        30000000 + (int32_t)roll(luck, 16000000) * 20, 40000000 + (int32_t)roll(luck, 50000000)};
}

/* Every digit that is stored, up to one unit of rounding. */
TEST(rates_as_the_formulas)
{
    static const int32_t taus[] = {300, 500, 750, 1200};
    uint32_t luck = 3;
    for (int n = 0; n < 4000; n++) {
        struct glicko_game games[40];
        size_t count = 1 + roll(&luck, 40);
        uint32_t spread = n % 2 == 0 ? 600000 : 1600000;
        int32_t tau = taus[roll(&luck, 4)];
        struct glicko rated = pairing_player(&luck, spread);
        for (size_t i = 0; i < count; i++)
            games[i] = (struct glicko_game){pairing_player(&luck, spread), roll(&luck, 3), 0};
        struct real expected = real_update(real_of(rated), games, count, tau / 1000.0);
        assert_true(glicko_update(&rated, games, count, tau));
        if (llabs(rated.rating - llround(expected.rating * 1e6)) > 1 ||
            labs(rated.deviation - lround(fmin(expected.deviation, 350) * 1e6)) > 1 ||
            labs(rated.volatility - lround(expected.volatility * 1e9)) > 1)
            fail_msg("%d: %.9f %.9f %.12f, not %.9f %.9f %.12f", n, (double)rated.rating / 1e6,
                     rated.deviation / 1e6, rated.volatility / 1e9, expected.rating,
                     expected.deviation, expected.volatility);
    }
}

TEST(order_of_games_does_not_matter)
{
    uint32_t luck = 11;
    struct glicko_game games[30], turned[30];
    for (int n = 0; n < 100; n++) {
        struct glicko rated = pairing_player(&luck, 900000), other = rated;
        for (size_t i = 0; i < 30; i++)
            turned[29 - i] = games[i] =
                (struct glicko_game){pairing_player(&luck, 900000), roll(&luck, 3), 0};
        assert_true(glicko_update(&rated, games, 30, GLICKO_TAU_DEFAULT));
        assert_true(glicko_update(&other, turned, 30, GLICKO_TAU_DEFAULT));
        assert_memory_equal(&rated, &other, sizeof rated);
    }
}

/* deviation^2 + periods * (volatility * SCALE)^2, until that of a new player. */
TEST(who_does_not_play_becomes_uncertain)
{
    struct glicko rested = glicko_rest(player(1800, 50, 0.06), 1);
    assert_int_equal(rested.rating, 1800000000);
    assert_int_equal(rested.volatility, 60000000);
    assert_int_equal(rested.deviation, 51074850);
    for (uint32_t periods = 0; periods < 200; periods += 7) {
        double expected = sqrt(50 * 50 + periods * (0.06 * scale) * (0.06 * scale));
        rested = glicko_rest(player(1800, 50, 0.06), periods);
        assert_true(labs(rested.deviation - lround(expected * 1e6)) <= 1);
    }
    assert_int_equal(glicko_rest(player(1800, 50, 0.06), GLICKO_PERIODS_MAX).deviation,
                     GLICKO_DEVIATION_MAX);
}

TEST(refuses_what_is_out_of_range)
{
    struct glicko rated = glicko_initial(), before = rated;
    struct glicko_game games[1] = {{.opponent = glicko_initial(), .halves = 2}};
    assert_false(glicko_update(&rated, games, 0, 500));
    assert_false(glicko_update(&rated, games, GLICKO_GAMES_MAX + 1, 500));
    assert_false(glicko_update(&rated, games, 1, 0));
    assert_false(glicko_update(&rated, games, 1, GLICKO_TAU_MAX + 1));
    games[0].halves = 3;
    assert_false(glicko_update(&rated, games, 1, 500));
    games[0].halves = 2;
    games[0].opponent.deviation = GLICKO_DEVIATION_MIN - 1;
    assert_false(glicko_update(&rated, games, 1, 500));
    games[0].opponent = glicko_initial();
    games[0].opponent.deviation++; /* to begin with, it is the greatest */
    assert_false(glicko_update(&rated, games, 1, 500));
    games[0].opponent = glicko_initial();
    rated.volatility = before.volatility = GLICKO_VOLATILITY_MAX + 1;
    assert_false(glicko_update(&rated, games, 1, 500));
    assert_memory_equal(&rated, &before, sizeof rated);
}

/* The ends of the range do not overflow and stay inside it. */
TEST(survives_the_ends_of_the_range)
{
    static const int64_t ratings[] = {-GLICKO_RATING_MAX, 0, GLICKO_RATING_MAX};
    static const int32_t deviations[] = {GLICKO_DEVIATION_MIN, GLICKO_DEVIATION_MAX};
    static const int32_t volatilities[] = {GLICKO_VOLATILITY_MIN, 60000000, GLICKO_VOLATILITY_MAX};
    static struct glicko_game games[GLICKO_GAMES_MAX];
    for (size_t n = 0; n < 3 * 2 * 3 * 3 * 2 * 3 * 2; n++) {
        struct glicko rated = {ratings[n % 3], deviations[n / 3 % 2], volatilities[n / 6 % 3]};
        size_t count = n / 324 % 2 == 0 ? 1 : GLICKO_GAMES_MAX;
        for (size_t i = 0; i < count; i++)
            games[i] = (struct glicko_game){
                .opponent = {ratings[n / 18 % 3], deviations[n / 54 % 2], 60000000},
                .halves = (uint32_t)(n / 108 % 3)};
        assert_true(glicko_update(&rated, games, count, n % 2 == 0 ? 1 : GLICKO_TAU_MAX));
        assert_true(llabs(rated.rating) <= GLICKO_RATING_MAX);
        assert_in_range(rated.deviation, GLICKO_DEVIATION_MIN, GLICKO_DEVIATION_MAX);
        assert_in_range(rated.volatility, GLICKO_VOLATILITY_MIN, GLICKO_VOLATILITY_MAX);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
