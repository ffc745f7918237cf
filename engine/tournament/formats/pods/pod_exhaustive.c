/* The optimum for few players, as a shortest path over sets.
 *
 * The key of a round is a sum over tables, and adding the same key to two others keeps their order.
 * So the best way to seat a set of players does not depend on the others, and each set is solved
 * only once: the first player without a seat gets every possible company in turn, and the rest is
 * the solution of a smaller set. All partitions are covered; 16 players at tables of four
 * have 2 627 625 of them, but only a few thousand different rests.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/pods/pod_exhaustive.h"
#include "engine/tournament/formats/pods/pod_later.h"
#include "engine/tournament/formats/pods/pod_search.h"

static unsigned members(uint32_t set, uint16_t *players)
{
    unsigned count = 0;
    for (uint16_t player = 0; set >> player != 0; player++)
        if ((set >> player & 1) != 0)
            players[count++] = player;
    return count;
}

static unsigned first_of(uint32_t set)
{
    return (unsigned)__builtin_ctz(set);
}

/* The next larger set with as many members. */
static uint32_t next_set(uint32_t set)
{
    uint32_t lowest = set & (0 - set);
    uint32_t ripple = set + lowest;
    return ripple | ((set ^ ripple) / lowest >> 2);
}

static void cost_tables(struct pod_exhaustive *search, const struct table_sizes *sizes)
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

/* A code for the tables left, different for different numbers of tables. */
static uint32_t code_of(const struct table_sizes *sizes, const pod_tables_left left)
{
    uint32_t code = 0;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        code = code * (sizes->tables[size] + 1U) + left[size];
    return code;
}

/* Tries every company of `size` for the first player of the set. The others are chosen among the
 * rest of the set: `choice` runs over sets of positions. */
static void try_companies(struct pod_exhaustive *search, const struct table_sizes *sizes,
                          uint32_t set, unsigned size, pod_tables_left left,
                          struct pod_solution *best)
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
        struct pod_key key = *pod_exhaustive_key(search, company);
        search->steps++;
        pod_key_add(&key, &pod_exhaustive_solve(search, sizes, set & ~company, left)->key,
                    search->problem->levels);
        if (!best->known || pod_key_compare(&key, &best->key, search->problem->levels) < 0)
            *best = (struct pod_solution){key, (uint16_t)company, true};
    }
    left[size]++;
}

/* Recursion depth: the number of tables, at most POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN. */
const struct pod_solution *pod_exhaustive_solve(struct pod_exhaustive *search,
                                                const struct table_sizes *sizes, uint32_t set,
                                                pod_tables_left left)
{
    size_t sets = (size_t)1 << search->problem->count;
    struct pod_solution *solution = &search->solutions[code_of(sizes, left) * sets + set];
    if (solution->known)
        return solution;
    struct pod_solution best = {.known = set == 0};
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        if (left[size] > 0)
            try_companies(search, sizes, set, size, left, &best);
    assert(best.known);
    *solution = best;
    return solution;
}

/* The best round: its tables as sets of players. */
static void read_solution(struct pod_exhaustive *search, const struct table_sizes *sizes,
                          uint16_t *round)
{
    pod_tables_left left;
    memcpy(left, sizes->tables, sizeof left);
    uint32_t set = (1U << search->problem->count) - 1;
    for (size_t table = 0; table < sizes->table_count; table++) {
        round[table] = pod_exhaustive_solve(search, sizes, set, left)->company;
        left[__builtin_popcount(round[table])]--;
        set &= ~(uint32_t)round[table];
    }
}

static void write_round(const uint16_t *round, size_t tables, uint16_t *players,
                        uint8_t *table_size)
{
    for (size_t table = 0; table < tables; table++) {
        unsigned size = members(round[table], players);
        players += size;
        table_size[table] = (uint8_t)size;
    }
}

static size_t choose(size_t n, size_t k)
{
    size_t result = 1;
    for (size_t i = 1; i <= k; i++)
        result = result * (n - k + i) / i;
    return result;
}

static bool allocate(struct pod_exhaustive *search, const struct table_sizes *sizes)
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

/* ---- Rounds after which others without repeats can follow ---- */

/* Tries rounds without repeats one after the other, but only those better than the best so far. */
struct opening {
    struct pod_exhaustive *search;
    const struct table_sizes *sizes;
    struct pod_acquaintance met;
    unsigned rounds; /* rounds that must be able to follow */
    unsigned steps;  /* tables that may still be tried */
    uint16_t table[POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN];
    uint16_t best[POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN];
    struct pod_key best_key;
    bool found;
};

static void look_at_round(struct opening *opening, const struct pod_key *key)
{
    struct pod_acquaintance met = opening->met;
    for (size_t table = 0; table < opening->sizes->table_count; table++)
        pod_acquaintance_add(&met, opening->table[table]);
    if (!pod_later_is_open(&met, opening->sizes, opening->rounds))
        return;
    opening->found = true;
    opening->best_key = *key;
    memcpy(opening->best, opening->table, sizeof opening->best);
}

static void try_tables(struct opening *opening, uint32_t set, pod_tables_left left, size_t table,
                       struct pod_key key);

/* Completes a table with `wanted` more players who have not met. */
static void try_company(struct opening *opening, uint32_t set, pod_tables_left left, size_t table,
                        const struct pod_key *key, uint32_t candidates, unsigned wanted)
{
    struct pod_exhaustive *search = opening->search;
    uint32_t company = opening->table[table];
    if (wanted == 0) {
        struct pod_key sum = *key;
        pod_key_add(&sum, pod_exhaustive_key(search, company), search->problem->levels);
        if (opening->steps == 0 || sum.level[0] > 0)
            return;
        opening->steps--;
        try_tables(opening, set & ~company, left, table + 1, sum);
        return;
    }
    while (candidates != 0) {
        uint32_t lowest = candidates & (0 - candidates);
        unsigned player = first_of(lowest);
        candidates &= ~lowest;
        opening->table[table] = (uint16_t)(company | lowest);
        try_company(opening, set, left, table, key, candidates & ~opening->met.met[player],
                    wanted - 1);
    }
    opening->table[table] = (uint16_t)company;
}

static void try_tables(struct opening *opening, uint32_t set, pod_tables_left left, size_t table,
                       struct pod_key key)
{
    unsigned levels = opening->search->problem->levels;
    if (opening->found && pod_key_compare(&key, &opening->best_key, levels) >= 0)
        return;
    if (set == 0) {
        look_at_round(opening, &key);
        return;
    }
    unsigned player = first_of(set);
    uint32_t first = 1U << player;
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (left[size] == 0)
            continue;
        left[size]--;
        opening->table[table] = (uint16_t)first;
        try_company(opening, set, left, table, &key,
                    set & ~first & ~(uint32_t)opening->met.met[player], size - 1);
        left[size]++;
    }
}

static void find_open_round(struct pod_exhaustive *search, const struct table_sizes *sizes,
                            unsigned rounds, uint16_t *round)
{
    struct opening opening = {
        .search = search, .sizes = sizes, .rounds = rounds, .steps = POD_LATER_STEPS};
    pod_tables_left left;
    pod_acquaintance_read(search->problem, &opening.met);
    memcpy(left, sizes->tables, sizeof left);
    try_tables(&opening, (1U << search->problem->count) - 1, left, 0, (struct pod_key){{0}});
    if (opening.found)
        memcpy(round, opening.best, sizes->table_count * sizeof *round);
}

/* P2: replaces the best round by one that others without repeats can follow, if there is one. */
static bool look_ahead(struct pod_exhaustive *search, const struct table_sizes *sizes,
                       unsigned later, uint16_t *round, bool *proved)
{
    uint16_t players[POD_EXHAUSTIVE_MAX];
    uint8_t table_size[POD_EXHAUSTIVE_MAX];
    *proved = true;
    if (later == 0)
        return true;
    if (pod_version(search->problem->request) >= 3)
        return pod_exhaustive_look_ahead(search, sizes, later, round, proved);
    write_round(round, sizes->table_count, players, table_size);
    if (!pod_later_fits(search->problem, sizes, later, players, table_size))
        find_open_round(search, sizes, later, round);
    return true;
}

bool pod_search_exhaustive(const struct pod_problem *problem, const struct table_sizes *sizes,
                           unsigned later, uint16_t *players, uint8_t *table_size,
                           struct pod_work *work)
{
    assert(problem->count >= TABLE_SIZE_MIN && problem->count <= POD_EXHAUSTIVE_MAX);
    struct pod_exhaustive search = {.problem = problem};
    uint16_t round[POD_EXHAUSTIVE_MAX];
    bool done = allocate(&search, sizes);
    if (done) {
        cost_tables(&search, sizes);
        read_solution(&search, sizes, round);
        done = look_ahead(&search, sizes, later, round, &work->proved);
        write_round(round, sizes->table_count, players, table_size);
        work->steps = search.steps;
    }
    free(search.table_keys);
    free(search.table_index);
    free(search.solutions);
    return done;
}
