/* Annealing one round that makes all others.
 *
 * Pairs fall into orbits: two pairs are in one if moving everybody on takes one to the other. A
 * round in which no orbit has two pairs at a table makes, moved on, a plan in which no pair meets
 * twice. Players who stand still must not meet at all, nor two of one circle who stand opposite:
 * they would again half a circle later. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pod_plan.h"

enum {
    PROPOSALS = 1500000,
    STEPS = 100,
    COURAGE_MIN = 23, /* sixteenths of a bit per pair too many */
    COURAGE_MAX = 115,
    OPPOSITE = 2, /* what a pair of such an orbit weighs */
    STANDING = 99
};

struct cycle {
    struct pod_plan *plan;
    unsigned length, circles, standing;
    uint16_t *orbit; /* owned: [a * players + b] */
    uint16_t *count; /* owned: pairs of each orbit in the round */
    uint8_t *weight; /* owned: of each orbit */
    uint16_t row[POD_PLAN_PLAYERS_MAX];
    int64_t cost;
};

/* Which circle a player is on; those who stand still are circles of their own. */
static unsigned circle_of(const struct cycle *cycle, unsigned player)
{
    unsigned moving = cycle->circles * cycle->length;
    return player < moving ? player / cycle->length : cycle->circles + player - moving;
}

static unsigned orbit_of(const struct cycle *cycle, unsigned a, unsigned b, uint8_t *weight)
{
    unsigned one = circle_of(cycle, a), other = circle_of(cycle, b), distance = 0;
    if (one > other)
        return orbit_of(cycle, b, a, weight);
    if (other < cycle->circles)
        distance = (b % cycle->length + cycle->length - a % cycle->length) % cycle->length;
    if (one == other && 2 * distance > cycle->length)
        distance = cycle->length - distance;
    *weight = one >= cycle->circles ? STANDING : 1;
    if (one == other && 2 * distance == cycle->length)
        *weight = OPPOSITE;
    return (one * (cycle->circles + cycle->standing) + other) * cycle->length + distance;
}

static void find_orbits(struct cycle *cycle)
{
    for (unsigned a = 0; a < cycle->plan->players; a++)
        for (unsigned b = 0; b < cycle->plan->players; b++) {
            uint8_t weight = 0;
            unsigned orbit = a == b ? 0 : orbit_of(cycle, a, b, &weight);
            cycle->orbit[(size_t)a * cycle->plan->players + b] = (uint16_t)orbit;
            if (a != b)
                cycle->weight[orbit] = weight;
        }
}

/* Adds (change 1) or removes (-1) the pairs of a player with the others at the table of a slot. An
 * orbit of weight w that has n pairs costs w n (n - 1) / 2 + (w - 1) n. */
static void count_pairs(struct cycle *cycle, unsigned i, unsigned player, int change)
{
    const struct pod_plan *plan = cycle->plan;
    const uint16_t *orbits = cycle->orbit + (size_t)player * plan->players;
    for (unsigned slot = plan->first[plan->table[i]]; slot < plan->first[plan->table[i] + 1U];
         slot++) {
        if (slot == i)
            continue;
        unsigned orbit = orbits[cycle->row[slot]];
        unsigned weight = cycle->weight[orbit];
        if (change < 0)
            cycle->count[orbit]--;
        cycle->cost += change * (int64_t)(weight * cycle->count[orbit] + weight - 1);
        if (change > 0)
            cycle->count[orbit]++;
    }
}

static void propose(struct cycle *cycle, struct chance_stream *stream, uint32_t courage)
{
    const struct pod_plan *plan = cycle->plan;
    unsigned i = chance_uniform(stream, plan->players), j = chance_uniform(stream, plan->players);
    if (plan->table[i] == plan->table[j])
        return;
    uint16_t a = cycle->row[i], b = cycle->row[j];
    int64_t before = cycle->cost;
    count_pairs(cycle, i, a, -1);
    count_pairs(cycle, j, b, -1);
    count_pairs(cycle, i, b, 1);
    count_pairs(cycle, j, a, 1);
    int64_t raise = cycle->cost - before;
    if (raise <= 0 || (raise < STANDING && pod_plan_dares(stream, (uint32_t)raise * courage))) {
        cycle->row[i] = b;
        cycle->row[j] = a;
        return;
    }
    count_pairs(cycle, i, b, -1);
    count_pairs(cycle, j, a, -1);
    count_pairs(cycle, i, a, 1);
    count_pairs(cycle, j, b, 1);
}

/* The players in a drawn order, seated one after the other. */
static void start(struct cycle *cycle, struct chance_stream *stream)
{
    const struct pod_plan *plan = cycle->plan;
    for (unsigned i = 0; i < plan->players; i++)
        cycle->row[i] = (uint16_t)i;
    for (uint32_t i = plan->players; i-- > 1;) {
        uint32_t j = chance_uniform(stream, i + 1);
        uint16_t player = cycle->row[i];
        cycle->row[i] = cycle->row[j];
        cycle->row[j] = player;
    }
    for (unsigned i = 0; i < plan->players; i++)
        for (unsigned j = plan->first[plan->table[i]]; j < i; j++) {
            unsigned orbit = cycle->orbit[(size_t)cycle->row[i] * plan->players + cycle->row[j]];
            unsigned weight = cycle->weight[orbit];
            cycle->cost += weight * cycle->count[orbit]++ + weight - 1;
        }
}

static void anneal(struct cycle *cycle, struct chance_stream *stream)
{
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t courage = COURAGE_MIN + (COURAGE_MAX - COURAGE_MIN) * step / (STEPS - 1);
        for (unsigned n = 0; n < PROPOSALS / STEPS && cycle->cost > 0; n++)
            propose(cycle, stream, courage);
    }
}

static void move_on(const struct cycle *cycle)
{
    const struct pod_plan *plan = cycle->plan;
    unsigned moving = cycle->circles * cycle->length;
    for (unsigned round = 0; round < plan->rounds; round++)
        for (unsigned slot = 0; slot < plan->players; slot++) {
            unsigned player = cycle->row[slot];
            if (player < moving)
                player = player / cycle->length * cycle->length + (player + round) % cycle->length;
            pod_plan_round(plan, round)[slot] = (uint16_t)player;
        }
}

static bool take_memory(struct cycle *cycle)
{
    size_t players = cycle->plan->players, all = cycle->circles + cycle->standing;
    cycle->orbit = calloc(players * players, sizeof *cycle->orbit);
    cycle->count = calloc(all * all * cycle->length, sizeof *cycle->count);
    cycle->weight = calloc(all * all * cycle->length, sizeof *cycle->weight);
    return cycle->orbit != NULL && cycle->count != NULL && cycle->weight != NULL;
}

bool pod_plan_cycle(struct pod_plan *plan, unsigned length, struct chance_stream *stream,
                    bool *tried, int64_t *left)
{
    struct cycle cycle = {.plan = plan,
                          .length = length,
                          .circles = plan->players / length,
                          .standing = plan->players % length};
    assert(length >= 1 && plan->first[plan->tables] == plan->players);
    *tried = cycle.circles > 0 && cycle.standing <= plan->tables;
    *left = -1;
    if (!*tried)
        return true;
    bool memory = take_memory(&cycle);
    if (memory) {
        find_orbits(&cycle);
        start(&cycle, stream);
        anneal(&cycle, stream);
        move_on(&cycle);
        *left = cycle.cost;
    }
    free(cycle.orbit);
    free(cycle.count);
    free(cycle.weight);
    return memory;
}
