/* Plackett-Luce in fixed point. With s^2 = sigma^2 + tau^2 and c^2 = sum of s^2 + beta^2:
 *
 *      S_q     = sum of e^(mu_s / c) over those ranked no better than q
 *      p_iq    = e^(mu_i / c) / S_q                the chance of coming first there
 *      omega_i = s_i^2 / c   * sum over q with rank q <= rank i of ([i = q] - p_iq) / A_q
 *      delta_i = s_i^2 / c^2 * sum over the same q of p_iq (1 - p_iq) / A_q * s_i / c
 *      mu_i += omega_i, sigma_i = s_i sqrt(max(1 - delta_i, kappa))
 *
 * where A_q is the number of players who share the rank of q. Every exponential is taken relative
 * to the strongest in its sum S_q, so the sum lies between 1 and the number of players, however far
 * apart the means are. Fractions have WIDE_FRACTION bits.
 */
#include "engine/tournament/result/rating.h"

#include <assert.h>

#include "engine/base/wide.h"

enum {
    ROOT_FRACTION = 28, /* bits of c after its millionths */
    GAIN_FRACTION = 24  /* bits of s^2 / c after its millionths */
};

#define BETA_SQUARED UINT64_C(17361111111111)  /* (25/6)^2 in 1e-12 */
#define TAU_SQUARED  UINT64_C(6944444444)      /* (25/300)^2 in 1e-12 */
#define KAPPA        UINT64_C(115292150460685) /* 1e-4 * 2^60 */

/* The terms of one game that all its players share. */
struct game_terms {
    size_t count;
    const struct rating *ratings;
    const int32_t *ranks;
    uint64_t variance[RATING_PLAYERS_MAX]; /* sigma^2 + tau^2 in 1e-12 */
    uint64_t c_squared;                    /* in 1e-12 */
    uint64_t c;                            /* in 1e-6 * 2^-ROOT_FRACTION */
};

struct change {
    int64_t mu;
    uint32_t sigma;
};

static struct game_terms game_terms(const struct rating *ratings, const int32_t *ranks,
                                    size_t count)
{
    struct game_terms terms = {.count = count, .ratings = ratings, .ranks = ranks};
    for (size_t i = 0; i < count; i++) {
        uint64_t sigma = (uint64_t)ratings[i].sigma;
        terms.variance[i] = sigma * sigma + TAU_SQUARED;
        terms.c_squared += terms.variance[i] + BETA_SQUARED;
    }
    terms.c = wide_root(wide_product(terms.c_squared, UINT64_C(1) << (2 * ROOT_FRACTION)));
    return terms;
}

/* e^((mu_i - strongest) / c). */
static uint64_t strength(const struct game_terms *terms, size_t i, int32_t strongest)
{
    uint64_t gap = (uint64_t)((int64_t)strongest - terms->ratings[i].mu);
    return wide_exponential(
        wide_scale(gap << ROOT_FRACTION, UINT64_C(1) << WIDE_EXPONENT_FRACTION, terms->c));
}

static int32_t strongest_from(const struct game_terms *terms, size_t q)
{
    int32_t strongest = terms->ratings[q].mu;
    for (size_t s = 0; s < terms->count; s++)
        if (terms->ranks[s] >= terms->ranks[q] && terms->ratings[s].mu > strongest)
            strongest = terms->ratings[s].mu;
    return strongest;
}

/* p_iq: the chance that i comes first among those ranked no better than q. */
static uint64_t chance_of_first(const struct game_terms *terms, size_t i, size_t q)
{
    int32_t strongest = strongest_from(terms, q);
    uint64_t sum = 0;
    for (size_t s = 0; s < terms->count; s++)
        if (terms->ranks[s] >= terms->ranks[q])
            sum += strength(terms, s, strongest);
    return wide_scale(strength(terms, i, strongest), WIDE_ONE, sum);
}

static uint64_t tied_with(const struct game_terms *terms, size_t q)
{
    uint64_t tied = 0;
    for (size_t s = 0; s < terms->count; s++)
        tied += terms->ranks[s] == terms->ranks[q];
    return tied;
}

/* sigma_i after the game: s_i * sqrt(1 - delta_i), in millionths. */
static uint32_t sigma_after(const struct game_terms *terms, size_t i, uint64_t information)
{
    uint64_t share = wide_scale(terms->variance[i], WIDE_ONE, terms->c_squared);
    uint64_t gamma = wide_root(wide_product(share, WIDE_ONE));
    uint64_t delta = wide_multiply(wide_multiply(information, share), gamma);
    uint64_t left = delta < WIDE_ONE - KAPPA ? WIDE_ONE - delta : KAPPA;
    uint64_t root = wide_root(wide_product(terms->variance[i], left));
    return (uint32_t)wide_shift((struct wide){0, root}, WIDE_FRACTION / 2);
}

static struct change change_of(const struct game_terms *terms, size_t i)
{
    int64_t surprise = 0; /* of omega, WIDE_FRACTION bits, |surprise| <= count */
    uint64_t information = 0;
    for (size_t q = 0; q < terms->count; q++) {
        if (terms->ranks[q] > terms->ranks[i])
            continue;
        uint64_t p = chance_of_first(terms, i, q);
        int64_t tied = (int64_t)tied_with(terms, q);
        surprise += ((i == q ? (int64_t)WIDE_ONE : 0) - (int64_t)p) / tied;
        information += wide_multiply(p, WIDE_ONE - p) / (uint64_t)tied;
    }
    uint64_t gain =
        wide_scale(terms->variance[i], UINT64_C(1) << (ROOT_FRACTION + GAIN_FRACTION), terms->c);
    uint64_t size = surprise < 0 ? 0 - (uint64_t)surprise : (uint64_t)surprise;
    uint64_t step = wide_shift(wide_product(gain, size), WIDE_FRACTION + GAIN_FRACTION);
    return (struct change){surprise < 0 ? -(int64_t)step : (int64_t)step,
                           sigma_after(terms, i, information)};
}

static struct rating apply(struct rating rating, struct change change)
{
    int64_t mu = rating.mu + change.mu;
    if (mu > RATING_MU_MAX)
        mu = RATING_MU_MAX;
    if (mu < -RATING_MU_MAX)
        mu = -RATING_MU_MAX;
    uint32_t sigma = change.sigma;
    if (sigma > RATING_SIGMA_MAX)
        sigma = RATING_SIGMA_MAX;
    if (sigma < 1)
        sigma = 1;
    return (struct rating){(int32_t)mu, (int32_t)sigma};
}

static bool in_range(struct rating rating)
{
    return rating.mu >= -RATING_MU_MAX && rating.mu <= RATING_MU_MAX && rating.sigma >= 1 &&
           rating.sigma <= RATING_SIGMA_MAX;
}

struct rating rating_initial(void)
{
    return (struct rating){25000000, 8333333};
}

bool rating_update(struct rating *ratings, const int32_t *ranks, size_t count)
{
    if (count < 2 || count > RATING_PLAYERS_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!in_range(ratings[i]))
            return false;
    struct game_terms terms = game_terms(ratings, ranks, count);
    struct change changes[RATING_PLAYERS_MAX];
    for (size_t i = 0; i < count; i++)
        changes[i] = change_of(&terms, i);
    for (size_t i = 0; i < count; i++)
        ratings[i] = apply(ratings[i], changes[i]);
    return true;
}

int64_t rating_ordinal(struct rating rating)
{
    return (int64_t)rating.mu - 3 * (int64_t)rating.sigma;
}

enum { EVEN = 50, ALL = 100, FIRST_STEP = 16 };

/* Table 8.1.2: the largest difference with an expected score of 50, 51, .. 99 per cent. */
static const int16_t last_difference[ALL - EVEN] = {
    3,   10,  17,  25,  32,  39,  46,  53,  61,  68,  76,  83,  91,  98,  106, 113, 121,
    129, 137, 145, 153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278,
    290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735};

/* Table 8.1.1 for 50, 51, .. 100 per cent; lower ones have the same value with a minus sign. */
static const int16_t difference_for[ALL - EVEN + 1] = {
    0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};

unsigned performance_expected(int32_t difference)
{
    if (difference < 0)
        return ALL - performance_expected(-difference);
    unsigned low = EVEN, high = ALL;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (difference > last_difference[middle - EVEN])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int32_t performance_difference(unsigned percent)
{
    assert(percent <= ALL);
    return percent >= EVEN ? difference_for[percent - EVEN] : -difference_for[EVEN - percent];
}

int32_t performance_mean(const int32_t *ratings, size_t count)
{
    int64_t sum = 0, games = (int64_t)count;
    assert(count >= 1 && count <= PERFORMANCE_GAMES_MAX);
    for (size_t i = 0; i < count; i++)
        sum += ratings[i];
    return (int32_t)((2 * sum + games) / (2 * games));
}

int32_t performance_rating(const int32_t *ratings, size_t count, uint32_t halves)
{
    uint32_t games = (uint32_t)count;
    assert(halves <= 2 * games);
    unsigned percent = (ALL * halves + games) / (2 * games);
    return performance_mean(ratings, count) + performance_difference(percent);
}

/* Whether the expected score of `rating` is at least the actual one, in half percentages. */
static int reaches(int32_t rating, const int32_t *ratings, size_t count, uint32_t halves)
{
    uint32_t expected = 0;
    for (size_t i = 0; i < count; i++)
        expected += performance_expected(rating - ratings[i]);
    return 2 * expected >= ALL * halves;
}

/* `below` does not reach the score, `reached` does; bisected until they are neighbours. */
static int32_t close_in(int32_t below, int32_t reached, const int32_t *ratings, size_t count,
                        uint32_t halves)
{
    while (reached - below > 1) {
        int32_t middle = below + (reached - below) / 2;
        if (reaches(middle, ratings, count, halves))
            reached = middle;
        else
            below = middle;
    }
    return reached;
}

int32_t performance_perfect(const int32_t *ratings, size_t count, uint32_t halves)
{
    int32_t lowest = ratings[0];
    assert(count >= 1 && count <= PERFORMANCE_GAMES_MAX && halves <= 2 * count);
    for (size_t i = 1; i < count; i++)
        lowest = ratings[i] < lowest ? ratings[i] : lowest;
    if (halves == 0)
        return lowest - PERFORMANCE_SPAN;
    int32_t guess = performance_rating(ratings, count, halves), step = FIRST_STEP;
    if (reaches(guess, ratings, count, halves)) {
        for (; reaches(guess - step, ratings, count, halves); step *= 2)
            guess -= step;
        return close_in(guess - step, guess, ratings, count, halves);
    }
    for (; !reaches(guess + step, ratings, count, halves); step *= 2)
        guess += step;
    return close_in(guess, guess + step, ratings, count, halves);
}
