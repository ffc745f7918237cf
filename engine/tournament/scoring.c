#include "engine/tournament/scoring.h"

#include <assert.h>

#define POINTS(points) ((points)*POINTS_PER_POINT)

enum { MEAN_OF_FOUR = POINTS(5 + 3 + 2 + 1) / 4 };

const struct scoring scoring_default = {
    .place = {[2] = {POINTS(5), POINTS(1)},
              [3] = {POINTS(5), POINTS(2), POINTS(1)},
              [4] = {POINTS(5), POINTS(3), POINTS(2), POINTS(1)},
              [5] = {POINTS(5), POINTS(4), POINTS(3), POINTS(2), POINTS(1)}},
    .unplayed = {[ROUND_PAIRING_BYE] = MEAN_OF_FOUR,
                 [ROUND_FULL_BYE] = MEAN_OF_FOUR,
                 [ROUND_HALF_BYE] = POINTS(1)},
    .neutral = MEAN_OF_FOUR,
};

static bool in_range(int32_t points)
{
    return points >= 0 && points <= SCORING_POINTS_MAX;
}

/* The points of `tied` places from `place` on, together. */
static int32_t sum_places(const int32_t *places, unsigned place, unsigned tied)
{
    int32_t sum = 0;
    for (unsigned i = place; i < place + tied; i++)
        sum += places[i];
    return sum;
}

static bool places_valid(const int32_t *places, unsigned seats)
{
    for (unsigned place = 0; place < seats; place++) {
        if (!in_range(places[place]) || (place > 0 && places[place] > places[place - 1]))
            return false;
        for (unsigned tied = 2; place + tied <= seats; tied++)
            if (sum_places(places, place, tied) % (int32_t)tied != 0)
                return false;
    }
    return true;
}

bool scoring_valid(const struct scoring *scoring)
{
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        if (!places_valid(scoring->place[seats], seats))
            return false;
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++)
        if (!in_range(scoring->unplayed[kind]))
            return false;
    return in_range(scoring->neutral);
}

int32_t scoring_points(const struct scoring *scoring, const struct table_result *table,
                       unsigned seat)
{
    const struct seat_result *result = &table->seat[seat];
    if (table->seats == 1 || result->kind >= ROUND_FORFEIT_LOSS)
        return scoring->unplayed[result->kind];
    unsigned tied = 1;
    for (unsigned other = 0; other < table->seats; other++)
        tied += other != seat && table->seat[other].rank == result->rank;
    assert(result->rank >= 1 && result->rank + tied - 1U <= table->seats);
    return sum_places(scoring->place[table->seats], result->rank - 1U, tied) / (int32_t)tied;
}
