#include "engine/tournament/formats/pods/pod_later.h"

struct search {
    struct pod_acquaintance met;
    const struct table_sizes *sizes;
    uint16_t everybody;
    unsigned steps; /* left */
};

/* The state of a round under construction. */
struct stand {
    uint16_t standing;                       /* without a seat yet */
    uint16_t left[TOURNAMENT_SEATS_MAX + 1]; /* tables by size */
    unsigned rounds;                         /* after this one */
};

static unsigned first_of(uint16_t set)
{
    return (unsigned)__builtin_ctz(set);
}

static void forget(struct pod_acquaintance *acquaintance, uint16_t table)
{
    for (unsigned player = 0; player < acquaintance->count; player++)
        if ((table >> player & 1) != 0)
            acquaintance->met[player] &= (uint16_t)~table;
}

unsigned pod_later_rounds(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    const struct pod_request *request = problem->request;
    struct pod_acquaintance acquaintance;
    unsigned rounds = request->later_rounds + 1U;
    unsigned company = TOURNAMENT_SEATS_MAX;
    unsigned pairs = 0, needed = 0; /* for a round; each pair is seen from both sides */
    if (request->later_rounds == 0 || problem->count > POD_EXHAUSTIVE_MAX || sizes->byes > 0 ||
        request->profile != POD_STRICT)
        return 0;
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--)
        if (sizes->tables[size] > 0)
            company = size - 1;
    pod_acquaintance_read(problem, &acquaintance);
    for (size_t i = 0; i < problem->count; i++) {
        unsigned met = (unsigned)__builtin_popcount(acquaintance.met[i]);
        unsigned possible = ((unsigned)problem->count - 1 - met) / company;
        rounds = possible < rounds ? possible : rounds;
        pairs += (unsigned)problem->count - 1 - met;
    }
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        needed += sizes->tables[size] * size * (size - 1);
    if (pod_version(request) >= 3 && pairs / needed < rounds)
        rounds = pairs / needed;
    return rounds > 0 ? rounds - 1 : 0;
}

static bool seat_rest(struct search *search, struct stand stand);

static bool begin_round(struct search *search, unsigned rounds)
{
    if (rounds == 0)
        return true;
    struct stand stand = {.standing = search->everybody, .rounds = rounds - 1};
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++)
        stand.left[size] = search->sizes->tables[size];
    return seat_rest(search, stand);
}

/* Fills a table that needs `wanted` more players from `candidates`, and continues. */
static bool fill_table(struct search *search, struct stand stand, uint16_t table,
                       uint16_t candidates, unsigned wanted)
{
    if (wanted == 0) {
        if (search->steps == 0)
            return true;
        search->steps--;
        pod_acquaintance_add(&search->met, table);
        stand.standing &= (uint16_t)~table;
        bool open = seat_rest(search, stand);
        forget(&search->met, table);
        return open;
    }
    while (candidates != 0) {
        unsigned player = first_of(candidates);
        candidates &= (uint16_t)(candidates - 1);
        uint16_t others = (uint16_t)(candidates & ~search->met.met[player]);
        if (fill_table(search, stand, (uint16_t)(table | 1U << player), others, wanted - 1))
            return true;
    }
    return false;
}

/* Recursion depth: the tables of all rounds, and the players at each. */
static bool seat_rest(struct search *search, struct stand stand)
{
    if (stand.standing == 0)
        return begin_round(search, stand.rounds);
    unsigned first = first_of(stand.standing);
    uint16_t candidates = (uint16_t)(stand.standing & ~(1U << first) & ~search->met.met[first]);
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (stand.left[size] == 0)
            continue;
        struct stand next = stand;
        next.left[size]--;
        if (fill_table(search, next, (uint16_t)(1U << first), candidates, size - 1))
            return true;
    }
    return false;
}

bool pod_later_is_open(const struct pod_acquaintance *acquaintance, const struct table_sizes *sizes,
                       unsigned rounds)
{
    struct search search = {.met = *acquaintance,
                            .sizes = sizes,
                            .everybody = (uint16_t)((1U << acquaintance->count) - 1),
                            .steps = POD_LATER_STEPS};
    return begin_round(&search, rounds);
}

bool pod_later_fits(const struct pod_problem *problem, const struct table_sizes *sizes,
                    unsigned rounds, const uint16_t *players, const uint8_t *table_size)
{
    struct pod_acquaintance met;
    struct pod_acquaintance before;
    uint64_t steps = 0;
    pod_acquaintance_read(problem, &met);
    before = met;
    for (size_t table = 0; table < sizes->table_count; table++) {
        uint16_t set = 0;
        for (unsigned seat = 0; seat < table_size[table]; seat++)
            set |= (uint16_t)(1U << players[seat]);
        for (unsigned seat = 0; seat < table_size[table]; seat++)
            if ((before.met[players[seat]] & set) != 0)
                return false;
        pod_acquaintance_add(&met, set);
        players += table_size[table];
    }
    if (pod_version(problem->request) >= 3)
        return pod_completion_find(&met, sizes, rounds, &steps, NULL) != POD_COMPLETION_NONE;
    return pod_later_is_open(&met, sizes, rounds);
}
