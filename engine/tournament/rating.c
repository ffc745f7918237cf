/* Plackett-Luce in fixed point. With s^2 = sigma^2 + tau^2 and c^2 = sum of s^2 + beta^2:
 *
 *      S_q     = sum of e^(mu_s / c) over those ranked no better than q
 *      p_iq    = e^(mu_i / c) / S_q                the chance of coming first there
 *      omega_i = s_i^2 / c   * sum over q with rank q <= rank i of ([i = q] - p_iq) / A_q
 *      delta_i = s_i^2 / c^2 * sum over the same q of p_iq (1 - p_iq) / A_q * s_i / c
 *      mu_i += omega_i, sigma_i = s_i sqrt(max(1 - delta_i, kappa))
 *
 * where A_q is how many share the rank of q. Every exponential is taken relative to the strongest
 * of its sum S_q, so that the sum lies between 1 and the number of players however far apart the
 * means are. Fractions carry WIDE_FRACTION bits.
 */
#include "engine/tournament/rating.h"

#include <assert.h>

#include "engine/tournament/wide.h"

enum {
    ROOT_FRACTION = 28, /* bits of c after its millionths */
    GAIN_FRACTION = 24  /* bits of s^2 / c after its millionths */
};

#define BETA_SQUARED UINT64_C(17361111111111)  /* (25/6)^2 in 1e-12 */
#define TAU_SQUARED  UINT64_C(6944444444)      /* (25/300)^2 in 1e-12 */
#define KAPPA        UINT64_C(115292150460685) /* 1e-4 * 2^60 */

/* The numbers of one game that all its players share. */
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

bool rating_is_provisional(struct rating rating)
{
    return rating.sigma > RATING_PROVISIONAL_SIGMA;
}
