/* How strong players are: what their weights at a table come from. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/odds/odds_parts.h"

enum { WEIGHT_ONE = 1 << 16, FRACTION_BITS = 12, FRACTION_ONE = 1 << FRACTION_BITS };

/* WEIGHT_ONE times two to the power of power / FRACTION_ONE, rounded down; below 2^32. */
static uint32_t weight_of(uint32_t power)
{
    /* Two to the power of 2^-(i + 1), in units of 2^-30. */
    static const uint32_t root[FRACTION_BITS] = {1518500250, 1276901417, 1170923762, 1121280436,
                                                 1097253708, 1085434106, 1079572136, 1076653033,
                                                 1075196443, 1074468888, 1074105294, 1073923544};
    uint64_t weight = (uint64_t)WEIGHT_ONE << (power >> FRACTION_BITS);
    for (unsigned i = 0; i < FRACTION_BITS; i++)
        if ((power >> (FRACTION_BITS - 1 - i) & 1) != 0)
            weight = weight * root[i] >> 30;
    return (uint32_t)weight;
}

/* ---- Version 1: by what players were ranked by ---- */

static int64_t mean_rating(const struct tournament *base)
{
    int64_t sum = 0, count = 0;
    for (size_t i = 0; i < base->entrant_count; i++)
        if (base->entrants[i].number > 0 && base->entrants[i].rating > 0) {
            sum += base->entrants[i].rating;
            count++;
        }
    return count == 0 ? 0 : sum / count;
}

/* Ratings count from half a range below the mean. */
static bool make_weights(struct odds_model *model)
{
    const struct tournament *base = model->base;
    int64_t mean = mean_rating(base);
    model->weight = calloc(base->entrant_count + 1, sizeof *model->weight);
    for (size_t i = 0; model->weight != NULL && i < base->entrant_count; i++) {
        int64_t rating = base->entrants[i].rating > 0 ? base->entrants[i].rating : mean;
        int64_t above = rating - mean + ODDS_RATING_RANGE / 2;
        above = above < 0 ? 0 : above > ODDS_RATING_RANGE ? ODDS_RATING_RANGE : above;
        model->weight[i] = weight_of(((uint32_t)above << FRACTION_BITS) / ODDS_RATING_DOUBLES);
    }
    return model->weight != NULL;
}

/* ---- Version 2: by ratings, and by what they are uncertain by ---- */

/* Starts from the ratings at entry and updates them with the event's results so far. */
static bool make_ratings(struct odds_model *model)
{
    const struct tournament *base = model->base;
    model->rating = calloc(base->entrant_count, sizeof *model->rating);
    if (model->rating == NULL)
        return false;
    for (size_t i = 0; i < base->entrant_count; i++)
        model->rating[i] = base->entrants[i].strength;
    for (size_t i = 0; i < base->table_count; i++)
        if (base->tables[i].has_result)
            tournament_rate(&base->tables[i], tournament_seats_played(&base->tables[i].result),
                            model->rating);
    return true;
}

bool odds_rate(struct odds_model *model)
{
    return odds_version(model->base) == ODDS_VERSION_RANKED ? make_weights(model)
                                                            : make_ratings(model);
}

/* A nearly normal variate of mean 0 and deviation 1, times 2^32: the sum of twelve random words,
 * less its mean. */
static int64_t nearly_normal(struct chance_stream *stream)
{
    enum { WORDS = 12 };
    uint32_t words[WORDS];
    int64_t sum = -((int64_t)WORDS << 31);
    chance_words(stream, words, WORDS);
    for (unsigned i = 0; i < WORDS; i++)
        sum += words[i];
    return sum;
}

bool odds_draw_strengths(struct odds_sample *sample)
{
    const struct odds_model *model = sample->model;
    struct chance_stream stream;
    if (model->rating == NULL)
        return true;
    sample->strength = calloc(model->base->entrant_count, sizeof *sample->strength);
    if (sample->strength == NULL)
        return false;
    chance_open(&stream, &sample->chance, "strengths", 0);
    for (size_t i = 0; i < model->base->entrant_count; i++) {
        const struct rating *rating = &model->rating[i];
        sample->strength[i] =
            rating->mu + rating->sigma * nearly_normal(&stream) / ((int64_t)1 << 32);
    }
    return true;
}

/* The weight of who is `gap` millionths weaker than the best at a table of `seats`. */
static uint32_t weight_below(int64_t gap, unsigned seats)
{
    /* beta times the root of the seats times ln 2 (rating.h): by how much a weight doubles. */
    static const int64_t doubles[TOURNAMENT_SEATS_MAX + 1] = {1,       2888113, 4084408,
                                                              5002358, 5776227, 6458018};
    enum { BEST_POWER = 12, HALVINGS_MOST = 28 };
    int64_t power = gap * FRACTION_ONE / doubles[seats];
    int64_t halvings = power >> FRACTION_BITS;
    if (halvings >= HALVINGS_MOST)
        return 1;
    uint32_t fraction = (uint32_t)(power & (FRACTION_ONE - 1));
    uint32_t weight = weight_of(BEST_POWER * FRACTION_ONE - fraction) >> halvings;
    return weight > 0 ? weight : 1;
}

void odds_weigh(const struct odds_sample *sample, const struct tournament_table *table,
                unsigned plays, uint32_t weight[static TOURNAMENT_SEATS_MAX])
{
    int64_t best = INT64_MIN;
    unsigned there = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if ((plays >> seat & 1) != 0) {
            there++;
            if (sample->strength != NULL && sample->strength[table->entry[seat]] > best)
                best = sample->strength[table->entry[seat]];
        }
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t entry = table->entry[seat];
        if ((plays >> seat & 1) == 0)
            weight[seat] = 0;
        else if (sample->strength == NULL)
            weight[seat] = sample->model->weight[entry];
        else
            weight[seat] = weight_below(best - sample->strength[entry], there);
    }
}
