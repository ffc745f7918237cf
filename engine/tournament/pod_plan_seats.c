/* Seats by matching.
 *
 * The seats are given out from the last one down. For seat s, the tables that still have s + 1
 * players without a seat are one side of a graph, and the other side are the players' sittings at
 * them, cut into bundles of s + 1 in order of rounds. No vertex has more than s + 1 edges, so a
 * matching exists that covers every table and every full bundle (Koenig 1916; Mendelsohn and
 * Dulmage 1958): everybody who is matched with a table takes seat s there. So who sits n times at
 * such tables has seat s n / (s + 1) times, rounded up or down.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pod_plan.h"

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

/* Tables of more than `seat` players, of whom seat + 1 stand in the first slots without a seat. */
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

/* Matches a vertex, moving others over where needed; nobody who is matched becomes unmatched. */
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

/* Matches every vertex of a side that has all of its edges. */
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

/* Moves whoever is matched with the table to slot `seat` of it. */
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
    graph.side[0] = calloc((size_t)plan->rounds * plan->tables, sizeof *graph.side[0]);
    graph.side[1] = calloc(sittings, sizeof *graph.side[1]);
    graph.player = calloc(sittings, sizeof *graph.player);
    bool memory = graph.side[0] != NULL && graph.side[1] != NULL && graph.player != NULL;
    for (unsigned seat = TOURNAMENT_SEATS_MAX; memory && seat-- > 0;) {
        build(&graph, seat);
        cover(&graph, 1, seat + 1);
        cover(&graph, 0, seat + 1);
        take_seats(&graph, seat);
    }
    free(graph.side[0]);
    free(graph.side[1]);
    free(graph.player);
    return memory;
}
