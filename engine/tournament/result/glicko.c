/* Glicko-2 in fixed point. With phi, mu and sigma on the inner scale (divided by SCALE = 173.7178),
 * over the games of the period:
 *
 *      g_j = 1 / sqrt(1 + 3 phi_j^2 / pi^2)
 *      E_j = 1 / (1 + e^(-g_j (mu - mu_j)))
 *      w   = sum of g_j^2 E_j (1 - E_j)            Glickman's 1 / v
 *      S   = sum of g_j (s_j - E_j)                Glickman's delta is S / w
 *
 * The new volatility is the root of Glickman's equation, multiplied out so that nothing is divided
 * by w, which is nearly 0 for lopsided games. With e = sigma^2 e^d and p = (phi^2 + e) w:
 *
 *      f(d) = e (S^2 - w (1 + p)) / (2 (1 + p)^2) - d / tau^2
 *
 * For results that the ratings made almost impossible, f can have three roots; the one nearest to
 * the old volatility is taken. If f(0) <= 0 it is the only one below 0, otherwise the first above
 * it: fixed strides step past it, and bisection finds it down to the resolution of d. Then
 *
 *      phi'^2 = (phi^2 + sigma'^2) / (1 + (phi^2 + sigma'^2) w)
 *      mu'    = mu + phi'^2 S
 *
 * Fractions have WIDE_FRACTION bits if they are below 8, otherwise FRACTION.
 */
#include "engine/tournament/result/glicko.h"

#include "engine/base/wide.h"

enum {
    FRACTION = 44,
    SUM_FRACTION = 52,   /* of S and w: below 2^8 */
    DOWNWARD_MAX = 1,    /* d > -tau^2 / 2 > -1, because the first term of f is above -1/2 */
    UPWARD_MAX = 14,     /* e^14 is more than the ratio of the greatest to the least volatility */
    VARIANCE_SHIFT = 70, /* of SCALED_VARIANCE */
    DISTANCE_SHIFT = 30, /* of SCALED_DISTANCE */
    SPREAD_SHIFT = 56    /* of SCALED_SPREAD */
};

#define ONE             (UINT64_C(1) << FRACTION)
#define STRIDE          (INT64_C(1) << (FRACTION - 4)) /* of d: 1/16 */
#define SCALE           UINT64_C(173717800)            /* in millionths */
#define BILLION_SQUARED UINT64_C(1000000000000000000)

/* From millionths: 2^44 / (SCALE 10^6)^2 * 2^70, 2^48 / (SCALE 10^6) * 2^30, and 3 / (pi SCALE)^2 *
 * 10^-12 * 2^60 * 2^56. */
#define SCALED_VARIANCE UINT64_C(688225665226949950)
#define SCALED_DISTANCE UINT64_C(1739784034242071)
#define SCALED_SPREAD   UINT64_C(836782068165958470)

/* The evidence from the games of a period. */
struct evidence {
    uint64_t information; /* w, FRACTION bits, up to 2^6 */
    uint64_t surprise;    /* |S|, FRACTION bits, up to 2^8 */
    bool worse;           /* S < 0 */
};

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return wide_shift(wide_product(a, b), FRACTION);
}

static uint64_t divide(uint64_t a, uint64_t b)
{
    return wide_scale(a, ONE, b);
}

/* g, WIDE_FRACTION bits. */
static uint64_t weight_of(struct glicko opponent)
{
    uint64_t deviation = (uint64_t)opponent.deviation;
    uint64_t spread =
        WIDE_ONE + wide_shift(wide_product(deviation * deviation, SCALED_SPREAD), SPREAD_SHIFT);
    return wide_scale(WIDE_ONE, WIDE_ONE, wide_root(wide_product(spread, WIDE_ONE)));
}

/* E, WIDE_FRACTION bits. */
static uint64_t expected_score(struct glicko player, struct glicko opponent, uint64_t weight)
{
    bool stronger = player.rating >= opponent.rating;
    uint64_t gap =
        (uint64_t)(stronger ? player.rating - opponent.rating : opponent.rating - player.rating);
    uint64_t distance = wide_shift(wide_product(gap, SCALED_DISTANCE), DISTANCE_SHIFT);
    uint64_t odds = wide_exponential(wide_multiply(distance, weight));
    return wide_scale(stronger ? WIDE_ONE : odds, WIDE_ONE, WIDE_ONE + odds);
}

static struct evidence weigh(struct glicko player, const struct glicko_game *games, size_t count)
{
    int64_t surprise = 0;
    uint64_t information = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t weight = weight_of(games[i].opponent);
        uint64_t expected = expected_score(player, games[i].opponent, weight);
        uint64_t score = games[i].halves * (WIDE_ONE / 2);
        uint64_t miss = score > expected ? score - expected : expected - score;
        int64_t step = (int64_t)(wide_multiply(weight, miss) >> (WIDE_FRACTION - SUM_FRACTION));
        surprise += score > expected ? step : -step;
        information += wide_multiply(wide_multiply(weight, weight),
                                     wide_multiply(expected, WIDE_ONE - expected)) >>
                       (WIDE_FRACTION - SUM_FRACTION);
    }
    uint64_t size = surprise < 0 ? 0 - (uint64_t)surprise : (uint64_t)surprise;
    return (struct evidence){.information = information >> (SUM_FRACTION - FRACTION),
                             .surprise = size >> (SUM_FRACTION - FRACTION),
                             .worse = surprise < 0};
}

/* phi^2, FRACTION bits. */
static uint64_t variance_of(struct glicko player)
{
    uint64_t deviation = (uint64_t)player.deviation;
    return wide_shift(wide_product(deviation * deviation, SCALED_VARIANCE), VARIANCE_SHIFT);
}

/* The constants while the volatility is solved for. */
struct equation {
    const struct evidence *evidence;
    uint64_t variance;         /* phi^2 */
    uint64_t volatility;       /* sigma^2 in 1e-18 */
    uint64_t surprise_squared; /* S^2, up to 2^16 */
    uint64_t tau_squared;      /* in millionths */
};

/* sigma^2 e^d with FRACTION bits, at most 1. `d` has FRACTION bits. */
static uint64_t volatility_at(const struct equation *equation, int64_t d)
{
    unsigned finer = WIDE_EXPONENT_FRACTION - FRACTION;
    uint64_t size = d < 0 ? 0 - (uint64_t)d : (uint64_t)d;
    uint64_t factor = wide_exponential(size << finer);
    uint64_t start = wide_scale(equation->volatility, WIDE_ONE, BILLION_SQUARED);
    if (d <= 0)
        return wide_multiply(start, factor) >> (WIDE_FRACTION - FRACTION);
    return start >= factor ? ONE : wide_scale(start, ONE, factor);
}

/* Whether f(d) > 0. */
static bool is_above(const struct equation *equation, int64_t d)
{
    uint64_t information = equation->evidence->information;
    uint64_t volatility = volatility_at(equation, d);
    uint64_t whole = ONE + multiply(equation->variance + volatility, information);
    uint64_t less = multiply(information, whole);
    bool negative = equation->surprise_squared < less;
    uint64_t gap = negative ? less - equation->surprise_squared : equation->surprise_squared - less;
    uint64_t term = divide(divide(multiply(volatility, gap), whole), 2 * whole);
    int64_t pull = (int64_t)wide_scale(term, equation->tau_squared, 1000000);
    return (negative ? -pull : pull) > d;
}

/* The new sigma^2, FRACTION bits. f stays above 0 at `low`, and not above 0 at `high`. */
static uint64_t solve(const struct equation *equation)
{
    int64_t low = -DOWNWARD_MAX * (int64_t)ONE, high = 0;
    while (high < UPWARD_MAX * (int64_t)ONE && is_above(equation, high)) {
        low = high;
        high += STRIDE;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (is_above(equation, middle))
            low = middle;
        else
            high = middle;
    }
    return volatility_at(equation, high);
}

static uint64_t root_of(uint64_t square)
{
    return wide_root(wide_product(square, ONE));
}

static int32_t in_bounds(uint64_t value, int32_t least, int32_t most)
{
    if (value > (uint64_t)most)
        return most;
    return value < (uint64_t)least ? least : (int32_t)value;
}

static int32_t deviation_of(uint64_t variance)
{
    return in_bounds(wide_shift(wide_product(root_of(variance), SCALE), FRACTION),
                     GLICKO_DEVIATION_MIN, GLICKO_DEVIATION_MAX);
}

static int32_t volatility_of(uint64_t square)
{
    return in_bounds(wide_shift(wide_product(root_of(square), GLICKO_VOLATILITY_UNIT), FRACTION),
                     GLICKO_VOLATILITY_MIN, GLICKO_VOLATILITY_MAX);
}

static int64_t rating_after(int64_t rating, const struct evidence *evidence, uint64_t variance)
{
    uint64_t step =
        wide_shift(wide_product(multiply(variance, evidence->surprise), SCALE), FRACTION);
    int64_t after = evidence->worse ? rating - (int64_t)step : rating + (int64_t)step;
    if (after > GLICKO_RATING_MAX)
        return GLICKO_RATING_MAX;
    return after < -GLICKO_RATING_MAX ? -GLICKO_RATING_MAX : after;
}

static bool in_range(struct glicko player)
{
    return player.rating >= -GLICKO_RATING_MAX && player.rating <= GLICKO_RATING_MAX &&
           player.deviation >= GLICKO_DEVIATION_MIN && player.deviation <= GLICKO_DEVIATION_MAX &&
           player.volatility >= GLICKO_VOLATILITY_MIN && player.volatility <= GLICKO_VOLATILITY_MAX;
}

static bool check(struct glicko player, const struct glicko_game *games, size_t count, int32_t tau)
{
    if (!in_range(player) || count < 1 || count > GLICKO_GAMES_MAX || tau < 1 ||
        tau > GLICKO_TAU_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!in_range(games[i].opponent) || games[i].halves > 2)
            return false;
    return true;
}

struct glicko glicko_initial(void)
{
    return (struct glicko){1500 * GLICKO_RATING_UNIT, GLICKO_DEVIATION_MAX, 60000000};
}

bool glicko_update(struct glicko *player, const struct glicko_game *games, size_t count,
                   int32_t tau)
{
    if (!check(*player, games, count, tau))
        return false;
    struct evidence evidence = weigh(*player, games, count);
    uint64_t volatility = (uint64_t)player->volatility;
    struct equation equation = {.evidence = &evidence,
                                .variance = variance_of(*player),
                                .volatility = volatility * volatility,
                                .surprise_squared = multiply(evidence.surprise, evidence.surprise),
                                .tau_squared = (uint64_t)tau * (uint64_t)tau};
    uint64_t square = solve(&equation);
    uint64_t before = equation.variance + square;
    uint64_t variance = divide(before, ONE + multiply(before, evidence.information));
    *player = (struct glicko){rating_after(player->rating, &evidence, variance),
                              deviation_of(variance), volatility_of(square)};
    return true;
}

struct glicko glicko_rest(struct glicko player, uint32_t periods)
{
    uint64_t volatility = (uint64_t)player.volatility;
    uint64_t square = wide_scale(volatility * volatility, ONE, BILLION_SQUARED);
    if (periods > 0)
        player.deviation = deviation_of(variance_of(player) + square * periods);
    return player;
}
