#include "engine/tournament/result/scoring.h"

#include <assert.h>

#define POINTS(points) ((points)*POINTS_PER_POINT)

enum {
    MEAN_OF_FOUR = POINTS(5 + 3 + 2 + 1) / 4,
    HALF = POINTS_PER_POINT / 2,
    QUARTER = POINTS_PER_POINT / 4
};

/* The same points for first place at every table, and nothing for the others. */
#define FIRST_ONLY(points)                                                                         \
    {                                                                                              \
        [2] = {(points)}, [3] = {(points)}, [4] = {(points)}, [5] = {(points) }                    \
    }

#define BYES(full, half)                                                                           \
    {                                                                                              \
        [ROUND_PAIRING_BYE] = (full), [ROUND_FULL_BYE] = (full), [ROUND_HALF_BYE] = (half)         \
    }

#define SCORING_DEFAULT                                                                            \
    {                                                                                              \
        .place = {[2] = {POINTS(5), POINTS(1)},                                                    \
                  [3] = {POINTS(5), POINTS(2), POINTS(1)},                                         \
                  [4] = {POINTS(5), POINTS(3), POINTS(2), POINTS(1)},                              \
                  [5] = {POINTS(5), POINTS(4), POINTS(3), POINTS(2), POINTS(1)}},                  \
        .unplayed = BYES(MEAN_OF_FOUR, POINTS(1)), .neutral = MEAN_OF_FOUR                         \
    }

const struct scoring scoring_default = SCORING_DEFAULT;

const struct scoring_scheme scoring_schemes[] = {
    {"5-3-2-1", SCORING_DEFAULT},
    {"4-3-2-1",
     {.place = {[2] = {POINTS(4), POINTS(1)},
                [3] = {POINTS(4), POINTS(5) / 2, POINTS(1)},
                [4] = {POINTS(4), POINTS(3), POINTS(2), POINTS(1)},
                [5] = {POINTS(4), POINTS(3), POINTS(3), POINTS(2), POINTS(1)}},
      .unplayed = BYES(POINTS(5) / 2, POINTS(1)),
      .neutral = POINTS(5) / 2}},
    {"win-only",
     {.place = FIRST_ONLY(POINTS(1)), .unplayed = BYES(POINTS(1), HALF), .neutral = QUARTER}},
    {"3-1-0",
     {.place = FIRST_ONLY(POINTS(3)),
      .unplayed = BYES(POINTS(3), POINTS(1)),
      .neutral = POINTS(1),
      .draw = POINTS(1),
      .pairing_apart = true,
      .duel = {POINTS(3), POINTS(1), 0}}},
    {"1-half-0",
     {.place = FIRST_ONLY(POINTS(1)),
      .unplayed = BYES(POINTS(1), HALF),
      .neutral = HALF,
      .draw = HALF,
      .pairing_apart = true}},
    /* A fifth of a point more or less than 10 for each point of the game's score ahead of or
     * behind the mean opponent; a forfeit is 20 to nothing. */
    {"margin",
     {.place = FIRST_ONLY(POINTS(20)),
      .unplayed = BYES(POINTS(12), POINTS(5)),
      .neutral = POINTS(10),
      .margin_unit = SCORING_MARGIN_STEP,
      .margin_cap = 50,
      .margin_base = POINTS(10)}},
};
const size_t scoring_scheme_count = sizeof scoring_schemes / sizeof scoring_schemes[0];

const struct scoring_scheme *scoring_find(struct span code)
{
    for (size_t i = 0; i < scoring_scheme_count; i++)
        if (span_is(code, scoring_schemes[i].code))
            return &scoring_schemes[i];
    return NULL;
}

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

static bool duels_valid(const struct scoring *scoring)
{
    bool draw = !scoring->pairing_apart ||
                (scoring->draw <= scoring->place[2][0] && scoring->draw >= scoring->place[2][1]);
    return draw && in_range(scoring->duel[DUEL_AHEAD]) && in_range(scoring->duel[DUEL_BEHIND]) &&
           scoring->duel[DUEL_AHEAD] >= scoring->duel[DUEL_LEVEL] &&
           scoring->duel[DUEL_LEVEL] >= scoring->duel[DUEL_BEHIND];
}

static bool margin_valid(const struct scoring *scoring)
{
    int32_t unit = scoring->margin_unit, cap = scoring->margin_cap, base = scoring->margin_base;
    if (unit == 0)
        return true;
    return unit > 0 && unit % SCORING_MARGIN_STEP == 0 && in_range(unit) && cap >= 1 &&
           cap <= SCORING_POINTS_MAX / unit && in_range(base) && in_range(base - unit * cap) &&
           in_range(base + unit * cap);
}

bool scoring_valid(const struct scoring *scoring)
{
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        if (!places_valid(scoring->place[seats], seats))
            return false;
    for (unsigned kind = 0; kind < ROUND_KINDS; kind++)
        if (!in_range(scoring->unplayed[kind]))
            return false;
    return in_range(scoring->neutral) && duels_valid(scoring) && margin_valid(scoring);
}

static int32_t place_points(const struct scoring *scoring, const struct table_result *table,
                            unsigned seat)
{
    const struct seat_result *result = &table->seat[seat];
    unsigned tied = 1;
    for (unsigned other = 0; other < table->seats; other++)
        tied += other != seat && table->seat[other].rank == result->rank;
    assert(result->rank >= 1 && result->rank + tied - 1U <= table->seats);
    if (tied == table->seats)
        return scoring_all_level(scoring, table->seats);
    return sum_places(scoring->place[table->seats], result->rank - 1U, tied) / (int32_t)tied;
}

static int32_t margin_over(const struct scoring *scoring, const struct seat_result *own,
                           const struct seat_result *other)
{
    int32_t margin =
        round_kind_is_played(other->kind) ? own->score - other->score : scoring->margin_cap;
    if (margin > scoring->margin_cap)
        return scoring->margin_cap;
    return margin < -scoring->margin_cap ? -scoring->margin_cap : margin;
}

static int32_t margin_points(const struct scoring *scoring, const struct table_result *table,
                             unsigned seat)
{
    int32_t sum = 0, opponents = table->seats - 1;
    for (unsigned other = 0; other < table->seats; other++)
        if (other != seat)
            sum += margin_over(scoring, &table->seat[seat], &table->seat[other]);
    return scoring->margin_base + scoring->margin_unit / opponents * sum;
}

int32_t scoring_points(const struct scoring *scoring, const struct table_result *table,
                       unsigned seat)
{
    uint8_t kind = table->seat[seat].kind;
    if (table->seats == 1 || kind >= ROUND_FORFEIT_LOSS)
        return scoring->unplayed[kind];
    if (scoring->margin_unit > 0 && round_kind_is_played(kind))
        return margin_points(scoring, table, seat);
    return place_points(scoring, table, seat);
}

int32_t scoring_duel(const struct scoring *scoring, enum duel duel)
{
    static const int32_t halves[DUELS] = {POINTS(1), HALF, 0};
    assert(duel < DUELS);
    return scoring->duel[DUEL_AHEAD] == 0 ? halves[duel] : scoring->duel[duel];
}

int32_t scoring_all_level(const struct scoring *scoring, unsigned seats)
{
    assert(seats >= 2 && seats <= TOURNAMENT_SEATS_MAX);
    if (scoring->margin_unit > 0)
        return scoring->margin_base;
    if (seats == 2 && scoring->pairing_apart)
        return scoring->draw;
    return sum_places(scoring->place[seats], 0, seats) / (int32_t)seats;
}

int32_t scoring_first(const struct scoring *scoring)
{
    int32_t first = scoring->margin_base + scoring->margin_unit * scoring->margin_cap;
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        if (scoring->place[seats][0] > first)
            first = scoring->place[seats][0];
    return first;
}
