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

#include "engine/tournament/formats/pods/pod_completion.h"
#include "engine/tournament/formats/pods/pod_later.h"
#include "engine/tournament/formats/pods/pod_search.h"

/* The solution of one set of players, given how many tables of each size are left. */
struct pod_solution {
    struct pod_key key;
    uint16_t company; /* the first table: a set of players */
    bool known;
};

struct pod_exhaustive {
    const struct pod_problem *problem;
    struct pod_key *table_keys;     /* key of every possible table */
    uint16_t *table_index;          /* set -> index into table_keys */
    struct pod_solution *solutions; /* [code * 2^players + set] */
    uint64_t steps;                 /* companies tried */
};

typedef uint16_t pod_tables_left[TOURNAMENT_SEATS_MAX + 1];

/* The key of a table, a set of players. */
static const struct pod_key *table_key(const struct pod_exhaustive *search, uint32_t table)
{
    return &search->table_keys[search->table_index[table]];
}

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

/* Solves a set with the tables counted in `left`, which is unchanged afterwards. */
static const struct pod_solution *solve(struct pod_exhaustive *search,
                                        const struct table_sizes *sizes, uint32_t set,
                                        pod_tables_left left);

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
        struct pod_key key = *table_key(search, company);
        search->steps++;
        pod_key_add(&key, &solve(search, sizes, set & ~company, left)->key,
                    search->problem->levels);
        if (!best->known || pod_key_compare(&key, &best->key, search->problem->levels) < 0)
            *best = (struct pod_solution){key, (uint16_t)company, true};
    }
    left[size]++;
}

/* Recursion depth: the number of tables, at most POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN. */
static const struct pod_solution *solve(struct pod_exhaustive *search,
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
        round[table] = solve(search, sizes, set, left)->company;
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

/* ---- Versions 1 and 2: rounds after which others without repeats can follow ---- */

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
        pod_key_add(&sum, table_key(search, company), search->problem->levels);
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

/* ---- Version 3: rounds in the order of their keys ---- */

/* Rounds of few players in the order of their keys, up to the first one after which others without
 * repeats can follow.
 *
 * The solutions of all sets are known, and with them the least key of every round that begins with
 * some tables. So the first item of a heap of beginnings leads to the best round not yet
 * examined (Lawler, A procedure for computing the K best solutions to discrete optimization
 * problems, 1972). Three things shorten the search:
 *
 *      nobody has met      all rounds are alike, and have the P2 of the best one
 *      from before         if no later + 1 rounds can follow the rounds played so far, no round
 *                          will do; if they can, each of them will, and the best one is a bound
 *      work                ends after LOOK_STEPS tables tried, or when the heap is full
 */

enum {
    LOOK_STEPS = 1000000,     /* tables tried to find a round that others can follow */
    LOOK_BEGINNINGS = 1 << 16 /* beginnings of rounds kept for it */
};

enum { LEVEL_FORBIDDEN, LEVEL_REPEATS /* of the profile `strict` */ };

/* The first tables of some rounds. */
struct beginning {
    struct pod_key least; /* least key of the rounds that begin with them */
    pod_completion_round table;
    uint32_t standing; /* players without a seat */
    uint8_t tables;
};

struct looking {
    struct pod_exhaustive *search;
    const struct table_sizes *sizes;
    struct pod_acquaintance met;
    unsigned later;
    struct beginning *heap; /* least key first */
    size_t count;
    bool found, full;
    pod_completion_round best;
    struct pod_key best_key;
};

static int compare(const struct looking *looking, const struct pod_key *a, const struct pod_key *b)
{
    return pod_key_compare(a, b, looking->search->problem->levels);
}

static void push(struct looking *looking, const struct beginning *beginning)
{
    size_t at = looking->count;
    if (at == LOOK_BEGINNINGS) {
        looking->full = true;
        return;
    }
    looking->count++;
    while (at > 0 && compare(looking, &beginning->least, &looking->heap[(at - 1) / 2].least) < 0) {
        looking->heap[at] = looking->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    looking->heap[at] = *beginning;
}

static struct beginning pop(struct looking *looking)
{
    struct beginning first = looking->heap[0];
    const struct beginning *last = &looking->heap[--looking->count];
    size_t at = 0;
    for (size_t child = 1; child < looking->count; child = 2 * at + 1) {
        if (child + 1 < looking->count &&
            compare(looking, &looking->heap[child + 1].least, &looking->heap[child].least) < 0)
            child++;
        if (compare(looking, &last->least, &looking->heap[child].least) <= 0)
            break;
        looking->heap[at] = looking->heap[child];
        at = child;
    }
    looking->heap[at] = *last;
    return first;
}

static struct pod_key key_of(const struct looking *looking, const uint16_t *table, size_t tables)
{
    struct pod_key key = {{0}};
    for (size_t t = 0; t < tables; t++)
        pod_key_add(&key, table_key(looking->search, table[t]), looking->search->problem->levels);
    return key;
}

/* Adds one more table, if a round without repeats that beats the best can result. */
static void push_next(struct looking *looking, const struct beginning *from, uint32_t company,
                      pod_tables_left left)
{
    struct beginning next = *from;
    next.table[next.tables++] = (uint16_t)company;
    next.standing &= ~company;
    next.least = key_of(looking, next.table, next.tables);
    pod_key_add(&next.least, &solve(looking->search, looking->sizes, next.standing, left)->key,
                looking->search->problem->levels);
    looking->search->steps++;
    if (next.least.level[LEVEL_FORBIDDEN] == 0 && next.least.level[LEVEL_REPEATS] == 0 &&
        !(looking->found && compare(looking, &next.least, &looking->best_key) >= 0))
        push(looking, &next);
}

/* Completes a table with `wanted` more players who have not met. */
static void push_companies(struct looking *looking, const struct beginning *from, uint32_t company,
                           uint32_t candidates, unsigned wanted, pod_tables_left left)
{
    if (wanted == 0) {
        push_next(looking, from, company, left);
        return;
    }
    while (candidates != 0) {
        uint32_t lowest = candidates & (0 - candidates);
        candidates &= ~lowest;
        push_companies(looking, from, company | lowest,
                       candidates & ~(uint32_t)looking->met.met[__builtin_ctz(lowest)], wanted - 1,
                       left);
    }
}

static void go_on(struct looking *looking, const struct beginning *from)
{
    pod_tables_left left;
    memcpy(left, looking->sizes->tables, sizeof left);
    for (unsigned t = 0; t < from->tables; t++)
        left[__builtin_popcount(from->table[t])]--;
    uint32_t first = from->standing & (0 - from->standing);
    uint32_t candidates =
        from->standing & ~first & ~(uint32_t)looking->met.met[__builtin_ctz(first)];
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (left[size] == 0)
            continue;
        left[size]--;
        push_companies(looking, from, first, candidates, size - 1, left);
        left[size]++;
    }
}

static bool can_be_followed(struct looking *looking, const uint16_t *round)
{
    struct pod_acquaintance met = looking->met;
    for (size_t t = 0; t < looking->sizes->table_count; t++)
        pod_acquaintance_add(&met, round[t]);
    return pod_completion_find(&met, looking->sizes, looking->later, &looking->search->steps,
                               NULL) != POD_COMPLETION_NONE;
}

static void keep(struct looking *looking, const uint16_t *round, const struct pod_key *key)
{
    looking->found = true;
    looking->best_key = *key;
    memcpy(looking->best, round, sizeof looking->best);
}

/* Searches from the state before the round. False if no round will do. */
static bool look_from_before(struct looking *looking)
{
    pod_completion_round rounds[POD_COMPLETION_ROUNDS];
    enum pod_completion completion = pod_completion_find(
        &looking->met, looking->sizes, looking->later + 1, &looking->search->steps, rounds);
    for (unsigned i = 0; completion == POD_COMPLETION_FOUND && i <= looking->later; i++) {
        struct pod_key key = key_of(looking, rounds[i], looking->sizes->table_count);
        if (key.level[LEVEL_FORBIDDEN] == 0 &&
            (!looking->found || compare(looking, &key, &looking->best_key) < 0))
            keep(looking, rounds[i], &key);
    }
    return completion != POD_COMPLETION_NONE;
}

/* False if the work limit was reached before the answer was known. */
static bool look_in_order(struct looking *looking)
{
    uint64_t end = looking->search->steps + LOOK_STEPS;
    struct beginning nothing = {.standing = (1U << looking->search->problem->count) - 1};
    push(looking, &nothing);
    while (looking->count > 0 && !looking->full) {
        struct beginning first = pop(looking);
        if (looking->found && compare(looking, &first.least, &looking->best_key) >= 0)
            return true;
        if (looking->search->steps + POD_COMPLETION_STEPS > end)
            return false;
        if (first.standing != 0) {
            go_on(looking, &first);
        } else if (can_be_followed(looking, first.table)) {
            keep(looking, first.table, &first.least);
            return true;
        }
    }
    return !looking->full;
}

static bool has_anybody_met(const struct pod_acquaintance *met)
{
    uint16_t any = 0;
    for (size_t player = 0; player < met->count; player++)
        any |= met->met[player];
    return any != 0;
}

/* Whether a round other than the best one can be needed and found. */
static bool is_another_wanted(struct looking *looking, const uint16_t *round)
{
    struct pod_key key = key_of(looking, round, looking->sizes->table_count);
    return key.level[LEVEL_FORBIDDEN] == 0 && key.level[LEVEL_REPEATS] == 0 &&
           has_anybody_met(&looking->met) && !can_be_followed(looking, round) &&
           look_from_before(looking);
}

/* Version 3: if P2 of the best round is 1, replaces it by the best round that `later` others
 * without repeats can follow. `round`: its tables as sets of players. *proved becomes false if the
 * work limit was reached before it was certain that none is better; `round` is then the best one
 * found. False when out of memory. */
static bool look_ahead_in_order(struct pod_exhaustive *search, const struct table_sizes *sizes,
                                unsigned later, uint16_t *round, bool *proved)
{
    struct looking looking = {.search = search, .sizes = sizes, .later = later};
    pod_acquaintance_read(search->problem, &looking.met);
    *proved = true;
    if (!is_another_wanted(&looking, round))
        return true;
    looking.heap = calloc(LOOK_BEGINNINGS, sizeof *looking.heap);
    if (looking.heap == NULL)
        return false;
    *proved = look_in_order(&looking);
    if (looking.found)
        memcpy(round, looking.best, sizes->table_count * sizeof *round);
    free(looking.heap);
    return true;
}

/* ---- The search ---- */

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
        return look_ahead_in_order(search, sizes, later, round, proved);
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
