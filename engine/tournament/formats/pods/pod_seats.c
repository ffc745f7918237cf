#include "engine/tournament/formats/pods/pod_seats.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { ORDERS_MAX = 120 }; /* 5! */

static int64_t step_cost(int64_t count)
{
    return 2 * count + 1;
}

static int64_t neighbours_cost(const struct pod_seating *seating, const uint8_t *order)
{
    int64_t cost = 0;
    for (unsigned seat = 0; seat < seating->players; seat++)
        cost += step_cost(seating->before[order[seat]][order[(seat + 1) % seating->players]]);
    return cost;
}

int64_t pod_seats_cost(const struct pod_seating *seating, const uint8_t *order)
{
    int64_t cost = 0;
    for (unsigned seat = 0; seat < seating->players; seat++)
        cost += step_cost(seating->seat_count[order[seat]][seat]);
    return POD_SEAT_WEIGHT * cost + neighbours_cost(seating, order);
}

/* Moves to the next permutation in lexicographic order; false after the last. */
static bool next_order(uint8_t *order, unsigned count)
{
    unsigned head = count - 1;
    while (head > 0 && order[head - 1] >= order[head])
        head--;
    if (head == 0)
        return false;
    unsigned swap = count - 1;
    while (order[swap] < order[head - 1])
        swap--;
    uint8_t moved = order[head - 1];
    order[head - 1] = order[swap];
    order[swap] = moved;
    for (unsigned low = head, high = count - 1; low < high; low++, high--) {
        moved = order[low];
        order[low] = order[high];
        order[high] = moved;
    }
    return true;
}

static void first_order(uint8_t *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = (uint8_t)i;
}

static bool have_neighbours(const struct pod_seating *seating)
{
    for (unsigned a = 0; a < seating->players; a++)
        for (unsigned b = 0; b < seating->players; b++)
            if (a != b && seating->before[a][b] > 0)
                return true;
    return false;
}

/* The least cost when no one has sat beside anyone: an assignment, solved over sets of players.
 * least[set] seats the players of `set` in the first seats. The pairing search needs this far more
 * often than anything else. */
static int64_t least_assignment(const struct pod_seating *seating)
{
    int64_t least[1 << TOURNAMENT_SEATS_MAX];
    unsigned full = (1U << seating->players) - 1;
    least[0] = 0;
    for (unsigned set = 1; set <= full; set++) {
        unsigned seat = (unsigned)__builtin_popcount(set) - 1;
        least[set] = INT64_MAX;
        for (unsigned player = 0; player < seating->players; player++) {
            if ((set >> player & 1) == 0)
                continue;
            int64_t cost =
                least[set & ~(1U << player)] + step_cost(seating->seat_count[player][seat]);
            if (cost < least[set])
                least[set] = cost;
        }
    }
    return POD_SEAT_WEIGHT * least[full] + (int64_t)seating->players;
}

int64_t pod_seats_least(const struct pod_seating *seating)
{
    assert(seating->players >= 2 && seating->players <= TOURNAMENT_SEATS_MAX);
    if (!have_neighbours(seating))
        return least_assignment(seating);
    uint8_t order[TOURNAMENT_SEATS_MAX];
    first_order(order, seating->players);
    int64_t least = pod_seats_cost(seating, order);
    while (next_order(order, seating->players)) {
        int64_t cost = pod_seats_cost(seating, order);
        if (cost < least)
            least = cost;
    }
    return least;
}

int64_t pod_seats_pairing(const struct pod_seating *seating, struct chance_stream *stream,
                          uint8_t *order)
{
    assert(seating->players >= 2 && seating->players <= TOURNAMENT_SEATS_MAX);
    uint8_t orders[ORDERS_MAX][TOURNAMENT_SEATS_MAX];
    uint8_t current[TOURNAMENT_SEATS_MAX] = {0};
    int64_t least = INT64_MAX;
    uint32_t count = 0;
    first_order(current, seating->players);
    do {
        int64_t cost = pod_seats_cost(seating, current);
        if (cost < least) {
            least = cost;
            count = 0;
        }
        if (cost == least)
            memcpy(orders[count++], current, sizeof current);
    } while (next_order(current, seating->players));
    memcpy(order, orders[chance_uniform(stream, count)], seating->players);
    return least;
}
