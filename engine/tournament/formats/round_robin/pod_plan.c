#include "engine/tournament/formats/round_robin/pod_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

static void lay_slots(struct pod_plan *plan, const struct table_sizes *sizes)
{
    uint16_t slot = 0, table = 0;
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--)
        for (unsigned n = 0; n < sizes->tables[size]; n++, table++) {
            plan->first[table] = slot;
            for (unsigned seat = 0; seat < size; seat++)
                plan->table[slot++] = table;
        }
    plan->tables = table;
    plan->first[table] = slot;
    while (slot < plan->players)
        plan->table[slot++] = table;
    plan->first[table + 1] = slot;
    assert(plan->first[table] + sizes->byes == plan->players);
}

bool pod_plan_init(struct pod_plan *plan, unsigned players, unsigned rounds, unsigned preferred,
                   const struct table_sizes *sizes)
{
    assert(players >= 2 && players <= POD_PLAN_PLAYERS_MAX);
    *plan = (struct pod_plan){.players = players, .rounds = rounds, .preferred = preferred};
    lay_slots(plan, sizes);
    plan->player = calloc((size_t)players * rounds, sizeof *plan->player);
    if (plan->player == NULL)
        return false;
    for (size_t i = 0; i < (size_t)players * rounds; i++)
        plan->player[i] = (uint16_t)(i % players);
    return true;
}

void pod_plan_free(struct pod_plan *plan)
{
    free(plan->player);
    *plan = (struct pod_plan){0};
}

uint16_t *pod_plan_round(const struct pod_plan *plan, unsigned round)
{
    return plan->player + (size_t)round * plan->players;
}

void pod_plan_count(const struct pod_plan *plan, uint8_t *met)
{
    memset(met, 0, (size_t)plan->players * plan->players);
    for (unsigned round = 0; round < plan->rounds; round++) {
        const uint16_t *row = pod_plan_round(plan, round);
        for (unsigned i = 0; i < plan->first[plan->tables]; i++)
            for (unsigned j = plan->first[plan->table[i]]; j < i; j++) {
                met[(size_t)row[i] * plan->players + row[j]]++;
                met[(size_t)row[j] * plan->players + row[i]]++;
            }
    }
}

int64_t pod_plan_repeats(const struct pod_plan *plan, uint8_t *met)
{
    int64_t twice = 0;
    pod_plan_count(plan, met);
    for (size_t i = 0; i < (size_t)plan->players * plan->players; i++)
        twice += met[i] * (met[i] - 1) / 2;
    return twice / 2;
}

int64_t pod_plan_unfairness(const struct pod_plan *plan)
{
    unsigned byes[POD_PLAN_PLAYERS_MAX] = {0}, others[POD_PLAN_PLAYERS_MAX] = {0};
    int64_t cost = 0;
    for (unsigned round = 0; round < plan->rounds; round++)
        for (unsigned slot = 0; slot < plan->players; slot++) {
            unsigned table = plan->table[slot], player = pod_plan_round(plan, round)[slot];
            unsigned size = (unsigned)(plan->first[table + 1] - plan->first[table]);
            byes[player] += table == plan->tables;
            others[player] += table < plan->tables && size != plan->preferred;
        }
    for (unsigned player = 0; player < plan->players; player++)
        cost += (int64_t)POD_PLAN_BYE * byes[player] * byes[player] +
                (int64_t)others[player] * others[player];
    return cost;
}

/* Annealing one round that makes all others.
 *
 * Pairs fall into orbits: two pairs are in one orbit if moving all players on takes one to the
 * other. If no orbit has two pairs at tables of a round, its moved copies make a plan without
 * repeats. Players who stand still must not meet at all, nor opposite players of one circle: they
 * would meet again half a circle later.
 */

enum {
    PROPOSALS = 1500000,
    STEPS = 100,
    COURAGE_MIN = 23, /* sixteenths of a bit per excess pair */
    COURAGE_MAX = 115,
    OPPOSITE = 2, /* weight of a pair in such an orbit */
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

/* A player's circle; each player who stands still is a circle of its own. */
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

bool pod_plan_dares(struct chance_stream *stream, uint32_t raise)
{
    /* 2^32 * 2^(-i / 16) */
    static const uint64_t root[16] = {4294967296, 4112874773, 3938502375, 3771522796,
                                      3611622602, 3458501653, 3311872529, 3171459999,
                                      3037000499, 2908241642, 2784941737, 2666869344,
                                      2553802833, 2445529971, 2341847523, 2242560871};
    if (raise >= 16 * 32)
        return false;
    return chance_word(stream) < root[raise % 16] >> (raise / 16);
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

/* Seats the players in a drawn order. */
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

static bool take_memory(struct cycle *cycle, struct arena_batch *batch)
{
    size_t players = cycle->plan->players, all = cycle->circles + cycle->standing;
    cycle->orbit = arena_batch_take(batch, players * players, sizeof *cycle->orbit);
    cycle->count = arena_batch_take(batch, all * all * cycle->length, sizeof *cycle->count);
    cycle->weight = arena_batch_take(batch, all * all * cycle->length, sizeof *cycle->weight);
    return !batch->failed;
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
    struct arena_batch batch = {.count = 0};
    bool memory = take_memory(&cycle, &batch);
    if (memory) {
        find_orbits(&cycle);
        start(&cycle, stream);
        anneal(&cycle, stream);
        move_on(&cycle);
        *left = cycle.cost;
    }
    arena_batch_free(&batch);
    return memory;
}

/* Seats by matching.
 *
 * Seats are assigned from the last one down. For seat s, one side of a graph is the tables that
 * still have s + 1 players without a seat; the other side is the players' sittings at them, cut
 * into bundles of s + 1 in order of rounds. No vertex has more than s + 1 edges, so there is a
 * matching that covers every table and every full bundle (Koenig 1916; Mendelsohn and Dulmage
 * 1958). Each matched player takes seat s at the table. So a player with n sittings at such tables
 * has seat s n / (s + 1) times, rounded up or down.
 */

enum { UNMATCHED = UINT16_MAX };

/* A vertex: a table of a round, or a bundle of sittings. */
struct vertex {
    uint16_t neighbour[TOURNAMENT_SEATS_MAX]; /* vertices of the other side */
    uint16_t match;
    uint8_t degree;
    bool seen;
};

struct graph {
    struct pod_plan *plan;
    struct vertex *side[2]; /* owned; [0] tables: round * tables + table, [1] bundles */
    size_t bundles;
    uint16_t *player; /* owned: of a bundle */
};

static unsigned size_of(const struct pod_plan *plan, unsigned table)
{
    return (unsigned)(plan->first[table + 1] - plan->first[table]);
}

static void join(struct graph *graph, uint16_t table, uint16_t bundle)
{
    struct vertex *one = &graph->side[0][table], *other = &graph->side[1][bundle];
    one->neighbour[one->degree++] = bundle;
    other->neighbour[other->degree++] = table;
}

/* Tables of more than `seat` players; the seat + 1 players without a seat are in the first
 * slots. */
static void build(struct graph *graph, unsigned seat)
{
    struct pod_plan *plan = graph->plan;
    uint16_t bundle[POD_PLAN_PLAYERS_MAX];
    memset(bundle, 0xff, sizeof bundle);
    memset(graph->side[0], 0, (size_t)plan->rounds * plan->tables * sizeof *graph->side[0]);
    graph->bundles = 0;
    for (unsigned round = 0; round < plan->rounds; round++)
        for (unsigned table = 0; table < plan->tables; table++) {
            size_t index = (size_t)round * plan->tables + table;
            const uint16_t *row = pod_plan_round(plan, round) + plan->first[table];
            graph->side[0][index].match = UNMATCHED;
            for (unsigned i = 0; size_of(plan, table) > seat && i <= seat; i++) {
                uint16_t *current = &bundle[row[i]];
                if (*current == UNMATCHED || graph->side[1][*current].degree > seat) {
                    *current = (uint16_t)graph->bundles++;
                    graph->side[1][*current] = (struct vertex){.match = UNMATCHED};
                    graph->player[*current] = row[i];
                }
                join(graph, (uint16_t)index, *current);
            }
        }
}

/* Matches a vertex, rematching others as needed; no matched vertex becomes unmatched. */
static bool augment(struct graph *graph, unsigned side, uint16_t index)
{
    struct vertex *vertex = &graph->side[side][index];
    for (unsigned i = 0; i < vertex->degree; i++) {
        struct vertex *other = &graph->side[1 - side][vertex->neighbour[i]];
        if (other->seen)
            continue;
        other->seen = true;
        if (other->match != UNMATCHED && !augment(graph, side, other->match))
            continue;
        other->match = index;
        vertex->match = vertex->neighbour[i];
        return true;
    }
    return false;
}

/* Matches every vertex of a side that has all its edges. */
static void cover(struct graph *graph, unsigned side, unsigned degree)
{
    size_t count[2] = {(size_t)graph->plan->rounds * graph->plan->tables, graph->bundles};
    for (size_t index = 0; index < count[side]; index++) {
        const struct vertex *vertex = &graph->side[side][index];
        if (vertex->match != UNMATCHED || vertex->degree != degree)
            continue;
        for (size_t other = 0; other < count[1 - side]; other++)
            graph->side[1 - side][other].seen = false;
        bool matched = augment(graph, side, (uint16_t)index);
        assert(matched);
        (void)matched;
    }
}

/* Moves the player matched with each table to slot `seat`. */
static void take_seats(struct graph *graph, unsigned seat)
{
    struct pod_plan *plan = graph->plan;
    for (size_t index = 0; index < (size_t)plan->rounds * plan->tables; index++) {
        if (graph->side[0][index].match == UNMATCHED)
            continue;
        uint16_t *row = pod_plan_round(plan, (unsigned)(index / plan->tables)) +
                        plan->first[index % plan->tables];
        unsigned slot = 0;
        while (row[slot] != graph->player[graph->side[0][index].match])
            slot++;
        memmove(row + slot, row + slot + 1, (seat - slot) * sizeof *row);
        row[seat] = graph->player[graph->side[0][index].match];
    }
}

bool pod_plan_seat(struct pod_plan *plan)
{
    size_t sittings = (size_t)plan->rounds * plan->players;
    struct graph graph = {.plan = plan};
    assert(sittings < UNMATCHED);
    struct arena_batch batch = {.count = 0};
    graph.side[0] =
        arena_batch_take(&batch, (size_t)plan->rounds * plan->tables, sizeof *graph.side[0]);
    graph.side[1] = arena_batch_take(&batch, sittings, sizeof *graph.side[1]);
    graph.player = arena_batch_take(&batch, sittings, sizeof *graph.player);
    bool memory = !batch.failed;
    for (unsigned seat = TOURNAMENT_SEATS_MAX; memory && seat-- > 0;) {
        build(&graph, seat);
        cover(&graph, 1, seat + 1);
        cover(&graph, 0, seat + 1);
        take_seats(&graph, seat);
    }
    arena_batch_free(&batch);
    return memory;
}
