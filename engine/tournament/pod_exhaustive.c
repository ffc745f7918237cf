/* The optimum for few players, as a shortest path over sets.
 *
 * The key of a round is a sum over tables, and adding the same key to two others keeps their order.
 * So the best way to seat a set of players does not depend on how the others sit, and each set has
 * to be solved once: the first player still standing takes every possible company in turn, and the
 * rest is the solution of a smaller set. All partitions are covered; 16 players at tables of four
 * have 2 627 625 of them, but only some thousand different rests.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pod_search.h"

/* Solution of one set of players, given how many tables of each size are left. */
struct solution {
    struct pod_key key;
    uint16_t company; /* the first table: a set of players */
    bool known;
};

struct exhaustive {
    const struct pod_problem *problem;
    struct pod_key *table_keys; /* of every possible table */
    uint16_t *table_index;      /* set -> index into table_keys */
    struct solution *solutions; /* [code * 2^players + set] */
};

typedef uint16_t tables_left[TOURNAMENT_SEATS_MAX + 1];

static unsigned members(uint32_t set, uint16_t *players)
{
    unsigned count = 0;
    for (uint16_t player = 0; set >> player != 0; player++)
        if ((set >> player & 1) != 0)
            players[count++] = player;
    return count;
}

/* The next larger set with as many members. */
static uint32_t next_set(uint32_t set)
{
    uint32_t lowest = set & (0 - set);
    uint32_t ripple = set + lowest;
    return ripple | ((set ^ ripple) / lowest >> 2);
}

static void cost_tables(struct exhaustive *search, const struct table_sizes *sizes)
{
    uint16_t next = 0;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (sizes->tables[size] == 0)
            continue;
        for (uint32_t set = (1U << size) - 1; set < 1U << search->problem->count;
             set = next_set(set)) {
            uint16_t players[TOURNAMENT_SEATS_MAX];
            members(set, players);
            for (unsigned level = 0; level < search->problem->levels; level++)
                search->table_keys[next].level[level] =
                    pod_cost_level(search->problem, level, players, size);
            search->table_index[set] = next++;
        }
    }
}

/* A number for the tables left, different for different numbers of tables. */
static uint32_t code_of(const struct table_sizes *sizes, const tables_left left)
{
    uint32_t code = 0;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        code = code * (sizes->tables[size] + 1U) + left[size];
    return code;
}

static const struct solution *solve(struct exhaustive *search, const struct table_sizes *sizes,
                                    uint32_t set, tables_left left);

/* Tries every company of `size` for the first player of the set. The others are chosen among the
 * rest of the set: `choice` runs over sets of positions. */
static void try_companies(struct exhaustive *search, const struct table_sizes *sizes, uint32_t set,
                          unsigned size, tables_left left, struct solution *best)
{
    uint16_t standing[POD_EXHAUSTIVE_MAX];
    unsigned count = members(set, standing);
    assert(count >= size);
    left[size]--;
    for (uint32_t choice = (1U << (size - 1)) - 1; choice < 1U << (count - 1);
         choice = next_set(choice)) {
        uint32_t company = 1U << standing[0];
        for (unsigned i = 0; i + 1 < count; i++)
            company |= (choice >> i & 1) << standing[i + 1];
        struct pod_key key = search->table_keys[search->table_index[company]];
        pod_key_add(&key, &solve(search, sizes, set & ~company, left)->key,
                    search->problem->levels);
        if (!best->known || pod_key_compare(&key, &best->key, search->problem->levels) < 0)
            *best = (struct solution){key, (uint16_t)company, true};
    }
    left[size]++;
}

/* As deep as there are tables: at most POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN. */
static const struct solution *solve(struct exhaustive *search, const struct table_sizes *sizes,
                                    uint32_t set, tables_left left)
{
    size_t sets = (size_t)1 << search->problem->count;
    struct solution *solution = &search->solutions[code_of(sizes, left) * sets + set];
    if (solution->known)
        return solution;
    struct solution best = {.known = set == 0};
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        if (left[size] > 0)
            try_companies(search, sizes, set, size, left, &best);
    assert(best.known);
    *solution = best;
    return solution;
}

static void read_solution(struct exhaustive *search, const struct table_sizes *sizes,
                          uint16_t *players, uint8_t *table_size)
{
    tables_left left;
    memcpy(left, sizes->tables, sizeof left);
    uint32_t set = (1U << search->problem->count) - 1;
    for (size_t table = 0; table < sizes->table_count; table++) {
        uint32_t company = solve(search, sizes, set, left)->company;
        unsigned size = members(company, players);
        players += size;
        table_size[table] = (uint8_t)size;
        left[size]--;
        set &= ~company;
    }
}

static size_t choose(size_t n, size_t k)
{
    size_t result = 1;
    for (size_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

static bool allocate(struct exhaustive *search, const struct table_sizes *sizes)
{
    size_t count = search->problem->count, tables = 0, codes = 1;
    for (size_t size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (sizes->tables[size] > 0)
            tables += choose(count, size);
        codes *= sizes->tables[size] + 1U;
    }
    search->table_keys = calloc(tables, sizeof *search->table_keys);
    search->table_index = calloc((size_t)1 << count, sizeof *search->table_index);
    search->solutions = calloc(codes << count, sizeof *search->solutions);
    return search->table_keys != NULL && search->table_index != NULL && search->solutions != NULL;
}

bool pod_search_exhaustive(const struct pod_problem *problem, const struct table_sizes *sizes,
                           uint16_t *players, uint8_t *table_size)
{
    assert(problem->count >= TABLE_SIZE_MIN && problem->count <= POD_EXHAUSTIVE_MAX);
    struct exhaustive search = {.problem = problem};
    bool done = allocate(&search, sizes);
    if (done) {
        cost_tables(&search, sizes);
        read_solution(&search, sizes, players, table_size);
    }
    free(search.table_keys);
    free(search.table_index);
    free(search.solutions);
    return done;
}
