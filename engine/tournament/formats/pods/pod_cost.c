#include "engine/tournament/formats/pods/pod_cost.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARED_POINT = 60 * POINTS_PER_POINT * POINTS_PER_POINT };

struct profile {
    unsigned levels;
    int criterion[POD_LEVELS_MAX];
};

/* P2 belongs to a whole round and is not a level of its tables (pod_later.h). */
static const struct profile profiles[POD_PROFILES] = {
    [POD_STRICT] = {8,
                    {POD_P1_FORBIDDEN, POD_P3_REPEATS, POD_P4_SHORT, POD_P5_SPREAD, POD_P6_FLOATS,
                     POD_P7_SEATS, POD_P8_AVOID, POD_P9_DRAW}},
    [POD_BALANCED] = {7,
                      {POD_P1_FORBIDDEN, POD_COMBINED, POD_P4_SHORT, POD_P6_FLOATS, POD_P7_SEATS,
                       POD_P8_AVOID, POD_P9_DRAW}},
    [POD_POWER] = {8,
                   {POD_P1_FORBIDDEN, POD_P5_SPREAD, POD_P3_REPEATS, POD_P4_SHORT, POD_P6_FLOATS,
                    POD_P7_SEATS, POD_P8_AVOID, POD_P9_DRAW}},
};

int64_t pod_cost_repeat_price(const struct pod_request *request)
{
    int64_t price = request->repeat_price > 0 ? request->repeat_price : POD_REPEAT_PRICE;
    return price * SQUARED_POINT;
}

const struct pod_player *pod_problem_player(const struct pod_problem *problem, uint16_t number)
{
    return &problem->request->players[problem->input[number]];
}

static int64_t sum_kept_apart(const struct pod_problem *problem, const uint16_t *table,
                              unsigned size, bool forbidden)
{
    if (problem->kept_apart == NULL)
        return 0;
    int64_t sum = 0;
    for (unsigned a = 0; a < size; a++) {
        const uint16_t *weights = problem->kept_apart + table[a] * problem->count;
        for (unsigned b = a + 1; b < size; b++) {
            uint16_t weight = weights[table[b]];
            if (forbidden)
                sum += weight == POD_FORBIDDEN;
            else
                sum += weight == POD_FORBIDDEN ? 0 : weight;
        }
    }
    return sum;
}

static int64_t repeats(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    int64_t sum = 0;
    for (unsigned a = 0; a + 1 < size; a++) {
        const uint8_t *met = problem->met + table[a] * problem->count;
        for (unsigned b = a + 1; b < size; b++)
            sum += met[table[b]];
    }
    return sum;
}

static int64_t short_table(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    if (size == problem->request->rule.preferred)
        return 0;
    int64_t sum = 0;
    for (unsigned i = 0; i < size; i++)
        sum += 2 * pod_problem_player(problem, table[i])->short_sittings + 1;
    return sum;
}

static int64_t score_sum(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < size; i++)
        sum += pod_problem_player(problem, table[i])->score;
    return sum;
}

/* 60 / size * (size * sum of squares - square of the sum): below 60 * 5 * 2^40 for one table and
 * 2^61 for a round of TOURNAMENT_ENTRIES_MAX. */
static int64_t spread(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    assert(size >= TABLE_SIZE_MIN && size <= TOURNAMENT_SEATS_MAX);
    int64_t sum = 0, squares = 0;
    for (unsigned i = 0; i < size; i++) {
        int64_t score = pod_problem_player(problem, table[i])->score;
        sum += score;
        squares += score * score;
    }
    return POINTS_PER_POINT / size * (size * squares - sum * sum);
}

int8_t pod_cost_float(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                      unsigned player)
{
    int64_t sum = score_sum(problem, table, size);
    int64_t score = size * (int64_t)pod_problem_player(problem, table[player])->score;
    return (int8_t)((score > sum) - (score < sum));
}

static int64_t repeated_floats(const struct pod_problem *problem, const uint16_t *table,
                               unsigned size)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < size; i++) {
        int8_t now = pod_cost_float(problem, table, size, i);
        const int8_t *past = pod_problem_player(problem, table[i])->floats;
        if (now != 0)
            sum += 2 * (past[0] == now) + (past[1] == now);
    }
    return sum;
}

void pod_cost_seating(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                      struct pod_seating *seating)
{
    const struct pod_request *request = problem->request;
    *seating = (struct pod_seating){.players = size};
    for (unsigned a = 0; a < size; a++) {
        memcpy(seating->seat_count[a], pod_problem_player(problem, table[a])->seat_count,
               sizeof seating->seat_count[a]);
        if (request->before == NULL)
            continue;
        for (unsigned b = 0; b < size; b++)
            if (a != b && problem->met[table[a] * problem->count + table[b]] > 0)
                seating->before[a][b] =
                    request->before[problem->input[table[a]] * request->player_count +
                                    problem->input[table[b]]];
    }
}

static int64_t seats(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    struct pod_seating seating;
    pod_cost_seating(problem, table, size, &seating);
    return pod_seats_least(&seating);
}

/* The finalizer of SplitMix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* h = first word + 2^32 * second word; h = mix(h xor TPN) for each TPN, ascending; the upper
 * half. */
static int64_t draw(const struct pod_problem *problem, const uint16_t *table, unsigned size)
{
    uint16_t tpns[TOURNAMENT_SEATS_MAX];
    for (unsigned i = 0; i < size; i++) {
        uint16_t tpn = pod_problem_player(problem, table[i])->tpn;
        unsigned at = i;
        for (; at > 0 && tpns[at - 1] > tpn; at--)
            tpns[at] = tpns[at - 1];
        tpns[at] = tpn;
    }
    uint64_t hash = problem->pairing_key;
    for (unsigned i = 0; i < size; i++)
        hash = mix(hash ^ tpns[i]);
    return (int64_t)(hash >> 32);
}

static int64_t criterion_cost(const struct pod_problem *problem, int criterion,
                              const uint16_t *table, unsigned size)
{
    switch (criterion) {
    case POD_COMBINED:
        return spread(problem, table, size) +
               pod_cost_repeat_price(problem->request) * repeats(problem, table, size);
    case POD_P1_FORBIDDEN:
        return sum_kept_apart(problem, table, size, true);
    case POD_P3_REPEATS:
        return repeats(problem, table, size);
    case POD_P4_SHORT:
        return short_table(problem, table, size);
    case POD_P5_SPREAD:
        return spread(problem, table, size);
    case POD_P6_FLOATS:
        return repeated_floats(problem, table, size);
    case POD_P7_SEATS:
        return seats(problem, table, size);
    case POD_P8_AVOID:
        return sum_kept_apart(problem, table, size, false);
    case POD_P9_DRAW:
        return draw(problem, table, size);
    default:
        return 0;
    }
}

int pod_cost_level_criterion(const struct pod_request *request, unsigned level)
{
    return profiles[request->profile].criterion[level];
}

int64_t pod_cost_level(const struct pod_problem *problem, unsigned level, const uint16_t *table,
                       unsigned size)
{
    return criterion_cost(problem, pod_cost_level_criterion(problem->request, level), table, size);
}

void pod_cost_criteria(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                       struct pod_criteria *criteria)
{
    for (int criterion = 0; criterion < POD_CRITERIA; criterion++)
        criteria->value[criterion] = criterion_cost(problem, criterion, table, size);
}

void pod_key_add(struct pod_key *sum, const struct pod_key *key, unsigned levels)
{
    for (unsigned level = 0; level < levels; level++)
        sum->level[level] += key->level[level];
}

int pod_key_compare(const struct pod_key *a, const struct pod_key *b, unsigned levels)
{
    for (unsigned level = 0; level < levels; level++)
        if (a->level[level] != b->level[level])
            return a->level[level] < b->level[level] ? -1 : 1;
    return 0;
}

int pod_criteria_compare(const struct pod_request *request, const struct pod_criteria *a,
                         const struct pod_criteria *b)
{
    const struct profile *profile = &profiles[request->profile];
    for (unsigned level = 0; level < profile->levels; level++) {
        int criterion = profile->criterion[level];
        int64_t difference = 0;
        if (criterion == POD_COMBINED)
            difference = a->value[POD_P5_SPREAD] - b->value[POD_P5_SPREAD] +
                         pod_cost_repeat_price(request) *
                             (a->value[POD_P3_REPEATS] - b->value[POD_P3_REPEATS]);
        else
            difference = a->value[criterion] - b->value[criterion];
        if (criterion == POD_P1_FORBIDDEN && difference == 0)
            difference = a->value[POD_P2_COMPLETION] - b->value[POD_P2_COMPLETION];
        if (difference != 0)
            return difference < 0 ? -1 : 1;
    }
    return 0;
}
