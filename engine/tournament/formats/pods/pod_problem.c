/* Numbers the players of a round, and computes bounds for every seating of them. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/pods/pod_cost.h"

/* What players are sorted by; qsort() passes no context. */
struct standing_order {
    int32_t score;
    uint16_t place;
    uint16_t tpn;
    uint16_t index;
};

static int compare_standing(const void *left, const void *right)
{
    const struct standing_order *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->tpn > b->tpn) - (a->tpn < b->tpn);
}

static bool number_players(struct pod_problem *problem, const bool *seated)
{
    const struct pod_request *request = problem->request;
    struct standing_order *order = calloc(request->player_count + 1, sizeof *order);
    problem->input = calloc(request->player_count + 1, sizeof *problem->input);
    if (order == NULL || problem->input == NULL) {
        free(order);
        return false;
    }
    for (size_t i = 0; i < request->player_count; i++) {
        const struct pod_player *player = &request->players[i];
        if (seated[i])
            order[problem->count++] =
                (struct standing_order){player->score, player->place, player->tpn, (uint16_t)i};
    }
    qsort(order, problem->count, sizeof *order, compare_standing);
    for (size_t number = 0; number < problem->count; number++)
        problem->input[number] = order[number].index;
    free(order);
    return true;
}

static void copy_met(struct pod_problem *problem)
{
    const struct pod_request *request = problem->request;
    if (request->met == NULL)
        return;
    for (size_t a = 0; a < problem->count; a++) {
        const uint8_t *from = request->met + problem->input[a] * request->player_count;
        for (size_t b = 0; b < problem->count; b++)
            problem->met[a * problem->count + b] = a == b ? 0 : from[problem->input[b]];
    }
}

/* If a pair is given twice, the larger weight counts. */
static void keep_apart(struct pod_problem *problem, size_t a, size_t b, uint16_t weight)
{
    uint16_t *kept = &problem->kept_apart[a * problem->count + b];
    if (weight > *kept)
        *kept = weight;
}

static bool copy_pairs(struct pod_problem *problem)
{
    const struct pod_request *request = problem->request;
    if (request->pair_count == 0)
        return true;
    uint16_t *number = malloc(request->player_count * sizeof *number);
    problem->kept_apart = calloc(problem->count * problem->count, sizeof *problem->kept_apart);
    if (number == NULL || problem->kept_apart == NULL) {
        free(number);
        return false;
    }
    memset(number, 0xff, request->player_count * sizeof *number);
    for (size_t i = 0; i < problem->count; i++)
        number[problem->input[i]] = (uint16_t)i;
    for (size_t i = 0; i < request->pair_count; i++) {
        const struct pod_pair *pair = &request->pairs[i];
        uint16_t a = number[pair->a], b = number[pair->b];
        if (a == UINT16_MAX || b == UINT16_MAX)
            continue;
        keep_apart(problem, a, b, pair->weight);
        keep_apart(problem, b, a, pair->weight);
    }
    free(number);
    return true;
}

bool pod_problem_init(struct pod_problem *problem, const struct pod_request *request,
                      const bool *seated, uint64_t pairing_key)
{
    *problem = (struct pod_problem){.request = request, .pairing_key = pairing_key};
    while (problem->levels < POD_LEVELS_MAX &&
           pod_cost_level_criterion(request, problem->levels) != POD_P9_DRAW)
        problem->levels++;
    problem->levels_searched = problem->levels;
    problem->levels++;
    if (!number_players(problem, seated))
        return false;
    problem->met = calloc(problem->count * problem->count + 1, sizeof *problem->met);
    if (problem->met == NULL)
        return false;
    copy_met(problem);
    return copy_pairs(problem);
}

void pod_problem_free(struct pod_problem *problem)
{
    free(problem->input);
    free(problem->met);
    free(problem->kept_apart);
    *problem = (struct pod_problem){0};
}

/* The number of times two can have met, plus one. */
enum { MET_VALUES = 257 };

/* The sum of the `wanted` smallest numbers of a histogram. */
static int64_t sum_smallest(const uint32_t histogram[MET_VALUES], uint64_t wanted)
{
    int64_t sum = 0;
    for (unsigned value = 0; value < MET_VALUES && wanted > 0; value++) {
        uint64_t taken = histogram[value] < wanted ? histogram[value] : wanted;
        sum += (int64_t)(taken * value);
        wanted -= taken;
    }
    return sum;
}

static uint64_t count_pairs(uint64_t players)
{
    return players < 2 ? 0 : players * (players - 1) / 2;
}

/* Every seat pair of these rounds needs a pair of players: at best those who met least, each once
 * per round. */
static int64_t bound_by_pairs(const struct pod_problem *problem, const struct table_sizes *sizes,
                              unsigned rounds)
{
    uint32_t histogram[MET_VALUES] = {0};
    for (size_t a = 0; a < problem->count; a++)
        for (size_t b = a + 1; b < problem->count; b++)
            for (unsigned round = 0; round < rounds; round++)
                histogram[problem->met[a * problem->count + b] + round]++;
    uint64_t slots = 0;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        slots += sizes->tables[size] * count_pairs(size);
    return sum_smallest(histogram, rounds * slots);
}

/* Every player gets at least as many opponents as the smallest table gives: at best those met
 * least. Every pair is seen from both sides. */
static int64_t bound_by_players(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    unsigned smallest = TABLE_SIZE_MIN;
    while (smallest < TOURNAMENT_SEATS_MAX && sizes->tables[smallest] == 0)
        smallest++;
    int64_t sum = 0;
    for (size_t a = 0; a < problem->count; a++) {
        uint32_t histogram[MET_VALUES] = {0};
        for (size_t b = 0; b < problem->count; b++)
            if (a != b)
                histogram[problem->met[a * problem->count + b]]++;
        sum += sum_smallest(histogram, smallest - 1U);
    }
    return (sum + 1) / 2;
}

/* `size` players from `groups` tables of an earlier round: by the pigeonhole principle this many
 * pairs at least sat together there. */
static uint64_t pairs_from_groups(uint64_t size, uint64_t groups)
{
    uint64_t larger = size % groups;
    return larger * count_pairs(size / groups + 1) + (groups - larger) * count_pairs(size / groups);
}

static int64_t bound_by_earlier_rounds(const struct pod_problem *problem,
                                       const struct table_sizes *sizes)
{
    const struct pod_request *request = problem->request;
    uint64_t sum = 0;
    for (size_t round = 0; round < request->earlier_rounds; round++)
        for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
            if (request->earlier_groups[round] > 0)
                sum +=
                    sizes->tables[size] * pairs_from_groups(size, request->earlier_groups[round]);
    return (int64_t)sum;
}

int64_t pod_cost_repeats_bound(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    int64_t bound = bound_by_pairs(problem, sizes, 1);
    int64_t other = bound_by_players(problem, sizes);
    if (other > bound)
        bound = other;
    other = bound_by_earlier_rounds(problem, sizes);
    return other > bound ? other : bound;
}

int64_t pod_cost_repeats_bound_of_two(const struct pod_problem *problem,
                                      const struct table_sizes *sizes)
{
    return bound_by_pairs(problem, sizes, 2);
}

int64_t pod_cost_odd_bound(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    uint32_t histogram[POD_COUNT_MAX + 1] = {0};
    int64_t odd = (int64_t)problem->count, bound = 0;
    unsigned preferred = problem->request->rule.preferred;
    odd -= (int64_t)sizes->tables[preferred] * preferred;
    for (size_t number = 0; number < problem->count; number++)
        histogram[pod_problem_player(problem, (uint16_t)number)->short_sittings]++;
    for (int64_t sittings = 0; sittings <= POD_COUNT_MAX && odd > 0; sittings++) {
        int64_t taken = histogram[sittings] < odd ? histogram[sittings] : odd;
        bound += taken * (2 * sittings + 1);
        odd -= taken;
    }
    return bound;
}

/* Tables of each size. */
typedef unsigned sizes_of_tables[TOURNAMENT_SEATS_MAX + 1];

/* Advances to the next combination of tables, like counting digits. False after the last. */
static bool next_tables(sizes_of_tables tables, const struct table_sizes *sizes)
{
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (tables[size] < sizes->tables[size]) {
            tables[size]++;
            return true;
        }
        tables[size] = 0;
    }
    return false;
}

/* The spread of `size` players from number `first` on. */
static int64_t spread_from(const struct pod_problem *problem, size_t first, unsigned size)
{
    int64_t sum = 0, squares = 0;
    for (size_t number = first; number < first + size; number++) {
        int64_t score = pod_problem_player(problem, (uint16_t)number)->score;
        sum += score;
        squares += score * score;
    }
    return POINTS_PER_POINT / size * (size * squares - sum * sum);
}

/* P5 is a constant minus a convex function of the sums of scores at the tables. That function is
 * largest in a corner of the possible sums, where each table has consecutive players in the order
 * of score. So only the order of the table sizes remains to be found:
 *
 *      least[tables] = min over sizes of least[tables but one of that size] + its spread
 */
bool pod_cost_spread_least(const struct pod_problem *problem, const struct table_sizes *sizes,
                           int64_t *spread)
{
    size_t codes = 1, worth[TOURNAMENT_SEATS_MAX + 1], code = 0;
    sizes_of_tables tables = {0};
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        worth[size] = codes;
        codes *= sizes->tables[size] + 1U;
    }
    int64_t *least = calloc(codes, sizeof *least);
    while (least != NULL && next_tables(tables, sizes)) {
        size_t players = 0;
        for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
            players += tables[size] * size;
        least[++code] = INT64_MAX;
        for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
            if (tables[size] == 0)
                continue;
            int64_t sum = least[code - worth[size]] + spread_from(problem, players - size, size);
            if (sum < least[code])
                least[code] = sum;
        }
    }
    if (least != NULL)
        *spread = least[codes - 1];
    free(least);
    return least != NULL;
}

int64_t pod_cost_seats_bound(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    unsigned largest = TOURNAMENT_SEATS_MAX;
    while (sizes->tables[largest] == 0)
        largest--;
    int64_t bound = 0;
    for (size_t number = 0; number < problem->count; number++) {
        const uint16_t *seats = pod_problem_player(problem, (uint16_t)number)->seat_count;
        uint16_t least = seats[0];
        for (unsigned seat = 1; seat < largest; seat++)
            least = seats[seat] < least ? seats[seat] : least;
        bound += POD_SEAT_WEIGHT * (2 * (int64_t)least + 1) + 1;
    }
    return bound;
}
