/* Minimum-cost perfect matchings against all matchings of small graphs. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/number/limbs.h"
#include "engine/tournament/number/matching.h"
#include "tests/test.h"

enum { SMALL = 12, LIMBS = 3, WEIGHT_SHIFT = 40 };

#define ABSENT UINT32_MAX

/* A cost is `weight` times 2^(64 + WEIGHT_SHIFT), a number of two limbs, plus `low`. */
struct graph {
    uint16_t count;
    uint32_t weight[SMALL][SMALL]; /* or ABSENT */
    uint32_t low[SMALL][SMALL];
    uint64_t high[SMALL][SMALL][LIMBS - 1];
};

static uint32_t luck = 1;

static uint32_t roll(uint32_t sides)
{
    luck = luck * 1664525U + 1013904223U;
    return (luck >> 8) % sides;
}

static struct matching_cost price(const void *context, uint16_t a, uint16_t b)
{
    const struct graph *graph = context;
    assert_true(a < b);
    if (graph->weight[a][b] == ABSENT)
        return (struct matching_cost){NULL, 0};
    return (struct matching_cost){graph->high[a][b], 2 * (uint64_t)graph->low[a][b]};
}

static void set_cost(struct graph *graph, uint16_t a, uint16_t b, uint32_t weight, uint32_t low)
{
    graph->weight[a][b] = weight;
    graph->low[a][b] = low;
    graph->high[a][b][0] = (uint64_t)weight << WEIGHT_SHIFT;
    graph->high[a][b][1] = (uint64_t)weight >> (64 - WEIGHT_SHIFT);
}

static void pairing_edge(struct graph *graph, uint16_t a, uint16_t b, uint32_t range,
                         uint32_t holes)
{
    bool hole = roll(100) < holes;
    set_cost(graph, a, b, hole ? ABSENT : roll(range) << roll(26), roll(range));
}

static void pairing_graph(struct graph *graph, uint16_t count, uint32_t range, uint32_t holes)
{
    graph->count = count;
    for (uint16_t a = 0; a < count; a++)
        for (uint16_t b = (uint16_t)(a + 1); b < count; b++)
            pairing_edge(graph, a, b, range, holes);
}

/* The least cost of matching the vertices of each set, all sets in order; weight * 2^26 + low is
 * one number here. UINT64_MAX: impossible. */
static uint64_t least[1 << SMALL];

static void find_least(const struct graph *graph)
{
    unsigned full = (1U << graph->count) - 1;
    least[0] = 0;
    for (unsigned set = 1; set <= full; set++) {
        unsigned a = (unsigned)__builtin_ctz(set), others = set & (set - 1);
        least[set] = UINT64_MAX;
        if (__builtin_popcount(set) % 2 != 0)
            continue;
        for (unsigned left = others; left != 0; left &= left - 1) {
            unsigned b = (unsigned)__builtin_ctz(left);
            uint64_t rest = least[others ^ 1U << b];
            if (rest == UINT64_MAX || graph->weight[a][b] == ABSENT)
                continue;
            uint64_t cost = rest + ((uint64_t)graph->weight[a][b] << 26) + graph->low[a][b];
            if (cost < least[set])
                least[set] = cost;
        }
    }
}

/* After find_least(). */
static uint64_t least_without(const struct graph *graph, unsigned without)
{
    return least[((1U << graph->count) - 1) & ~without];
}

static uint64_t cost_of(const struct graph *graph, const struct matching *matching)
{
    uint64_t cost = 0;
    for (uint16_t a = 0; a < graph->count; a++) {
        uint16_t b = matching->mate[a];
        assert_int_not_equal(b, MATCHING_NONE);
        assert_int_equal(matching->mate[b], a);
        if (a < b && !matching->gone[a]) {
            assert_int_not_equal(graph->weight[a][b], ABSENT);
            cost += ((uint64_t)graph->weight[a][b] << 26) + graph->low[a][b];
        }
    }
    return cost;
}

/* After find_least(). */
static void assert_optimal(const struct graph *graph, struct matching *matching, unsigned without)
{
    uint64_t cost = least_without(graph, without);
    bool solved = matching_solve(matching);
    assert_int_equal(solved, cost != UINT64_MAX);
    if (solved)
        assert_true(cost_of(graph, matching) == cost);
}

TEST(test_small_graphs)
{
    static struct graph graph;
    struct matching matching;
    for (unsigned i = 0; i < 20000; i++) {
        uint16_t count = (uint16_t)(2 + 2 * roll(SMALL / 2));
        void *memory = malloc(matching_size(count, LIMBS));
        pairing_graph(&graph, count, 1 + roll(i % 3 == 0 ? 2 : 60), roll(70));
        matching_init(&matching, memory, count, LIMBS);
        matching_reset(&matching, LIMBS, price, &graph);
        find_least(&graph);
        assert_optimal(&graph, &matching, 0);
        free(memory);
    }
}

/* Costs of one vertex after the other change, edges come and go, pairs are locked. */
TEST(test_changes)
{
    static struct graph graph;
    struct matching matching;
    for (unsigned i = 0; i < 2000; i++) {
        uint16_t count = (uint16_t)(6 + 2 * roll(4));
        void *memory = malloc(matching_size(count, LIMBS));
        uint32_t range = 1 + roll(12), holes = roll(30);
        unsigned without = 0;
        pairing_graph(&graph, count, range, 0);
        matching_init(&matching, memory, count, LIMBS);
        matching_reset(&matching, LIMBS, price, &graph);
        find_least(&graph);
        assert_optimal(&graph, &matching, 0);
        for (unsigned change = 0; change < 12; change++) {
            uint16_t v = (uint16_t)roll(count);
            if ((without >> v & 1) != 0)
                continue;
            matching_release(&matching, v);
            for (uint16_t a = 0; a < count; a++)
                if (a != v)
                    pairing_edge(&graph, a < v ? a : v, a < v ? v : a, range, holes);
            matching_reprice(&matching, v);
            find_least(&graph);
            if (least_without(&graph, without) == UINT64_MAX)
                break;
            assert_optimal(&graph, &matching, without);
            if (change % 4 == 3 && without != (1U << count) - 1) {
                uint16_t mate = matching.mate[v];
                matching_lock(&matching, v, mate);
                without |= 1U << v | 1U << mate;
                assert_optimal(&graph, &matching, without);
                assert_int_equal(matching.mate[v], mate);
            }
        }
        free(memory);
    }
}

/* An edge that some least matching has is tight; what is not tight is in none. */
TEST(test_tight)
{
    static struct graph graph;
    struct matching matching;
    void *memory = malloc(matching_size(10, LIMBS));
    for (unsigned i = 0; i < 500; i++) {
        pairing_graph(&graph, 10, 1 + roll(4), 0);
        matching_init(&matching, memory, 10, LIMBS);
        matching_reset(&matching, LIMBS, price, &graph);
        assert_true(matching_solve(&matching));
        find_least(&graph);
        for (uint16_t a = 0; a < 10; a++) {
            assert_true(matching_tight(&matching, a, matching.mate[a]));
            for (uint16_t b = (uint16_t)(a + 1); b < 10; b++) {
                uint64_t rest = least_without(&graph, 1U << a | 1U << b);
                uint64_t with = rest + ((uint64_t)graph.weight[a][b] << 26) + graph.low[a][b];
                if (with == least_without(&graph, 0))
                    assert_true(matching_tight(&matching, a, b));
            }
        }
    }
    free(memory);
}

/* What costs nothing stays matched when all costs change. */
TEST(test_reset_keeps)
{
    static struct graph graph;
    struct matching matching;
    void *memory = malloc(matching_size(6, LIMBS));
    pairing_graph(&graph, 6, 1, 0);
    matching_init(&matching, memory, 6, LIMBS);
    matching_reset(&matching, LIMBS, price, &graph);
    assert_true(matching_solve(&matching));
    uint16_t mate = matching.mate[0], other = mate == 1 ? 2 : 1;
    uint16_t others_mate = matching.mate[other];
    set_cost(&graph, 0, mate, 1, 0);
    matching_reset(&matching, LIMBS, price, &graph);
    assert_int_equal(matching.mate[0], MATCHING_NONE);
    assert_int_equal(matching.mate[other], others_mate);
    find_least(&graph);
    assert_optimal(&graph, &matching, 0);
    free(memory);
}

TEST(test_limbs)
{
    uint64_t a[3] = {UINT64_MAX, UINT64_MAX, 0}, b[3] = {1, 0, 0}, c[3];
    limbs_add(c, a, b, 3);
    assert_int_equal(c[0], 0);
    assert_int_equal(c[1], 0);
    assert_int_equal(c[2], 1);
    limbs_subtract(c, c, b, 3);
    assert_memory_equal(c, a, sizeof a);
    limbs_subtract(c, b, a, 3);
    assert_true(limbs_compare(c, b, 3) < 0);
    assert_true(limbs_compare(c, (uint64_t[3]){0}, 3) < 0);
    assert_true(limbs_compare(a, b, 3) > 0);
    assert_int_equal(limbs_compare(a, a, 3), 0);
    limbs_add(c, a, a, 3);
    assert_int_equal(c[2], 1);
    limbs_halve(c, c, 3);
    assert_memory_equal(c, a, sizeof a);
    limbs_zero(c, 3);
    limbs_add_bit(c, 70, 3);
    assert_int_equal(c[1], 64);
    assert_false(limbs_is_zero(c, 3));
    limbs_subtract(c, (uint64_t[3]){0}, b, 3);
    limbs_add_bit(c, 0, 3);
    assert_true(limbs_is_zero(c, 3));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
