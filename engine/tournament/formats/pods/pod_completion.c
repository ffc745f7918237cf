#include "engine/tournament/formats/pods/pod_completion.h"

#include <assert.h>
#include <string.h>

struct search {
    struct pod_acquaintance met;
    const struct table_sizes *sizes;
    uint16_t everybody;
    unsigned rounds;
    unsigned pairs;    /* pairs at the tables of one round */
    unsigned smallest; /* smallest table */
    uint64_t steps;    /* tables tried */
    pod_completion_round round[POD_COMPLETION_ROUNDS];
};

void pod_acquaintance_read(const struct pod_problem *problem, struct pod_acquaintance *acquaintance)
{
    *acquaintance = (struct pod_acquaintance){.count = problem->count};
    for (size_t a = 0; a < problem->count; a++)
        for (size_t b = 0; b < problem->count; b++)
            if (problem->met[a * problem->count + b] > 0)
                acquaintance->met[a] |= (uint16_t)(1U << b);
}

void pod_acquaintance_add(struct pod_acquaintance *acquaintance, uint16_t table)
{
    for (unsigned player = 0; player < acquaintance->count; player++)
        if ((table >> player & 1) != 0)
            acquaintance->met[player] |= (uint16_t)(table & ~(1U << player));
}

/* The state of a round under construction. */
struct stand {
    uint16_t standing; /* without a seat yet */
    uint16_t
        above; /* round 0: all players. Otherwise the candidates for the first player's table */
    uint16_t left[TOURNAMENT_SEATS_MAX + 1]; /* tables by size */
    unsigned round, table;
};

static unsigned first_of(uint16_t set)
{
    return (unsigned)__builtin_ctz(set);
}

static unsigned count_of(uint16_t set)
{
    return (unsigned)__builtin_popcount(set);
}

static uint16_t others_of(const struct search *search, uint16_t set, unsigned player)
{
    return (uint16_t)(set & ~search->met.met[player] & ~(1U << player));
}

static void toggle(struct pod_acquaintance *met, uint16_t table)
{
    for (uint16_t rest = table; rest != 0; rest &= (uint16_t)(rest - 1))
        met->met[first_of(rest)] ^= (uint16_t)(table & ~(1U << first_of(rest)));
}

/* Whether enough unmet pairs are left for this many rounds. */
static bool is_enough(const struct search *search, unsigned rounds)
{
    unsigned pairs = 0;
    for (unsigned player = 0; player < search->met.count; player++) {
        unsigned others = count_of(others_of(search, search->everybody, player));
        if (others < rounds * (search->smallest - 1))
            return false;
        pairs += others;
    }
    return pairs / 2 >= rounds * search->pairs;
}

static enum pod_completion seat_rest(struct search *search, const struct stand *stand);

static enum pod_completion begin_round(struct search *search, unsigned round, uint16_t above)
{
    if (round == search->rounds)
        return POD_COMPLETION_FOUND;
    if (!is_enough(search, search->rounds - round))
        return POD_COMPLETION_NONE;
    struct stand stand = {.standing = search->everybody, .above = above, .round = round};
    memcpy(stand.left, search->sizes->tables, sizeof stand.left);
    return seat_rest(search, &stand);
}

static enum pod_completion place_table(struct search *search, const struct stand *stand,
                                       uint16_t table)
{
    if (search->steps == POD_COMPLETION_STEPS)
        return POD_COMPLETION_OPEN;
    search->steps++;
    struct stand next = *stand;
    next.standing &= (uint16_t)~table;
    next.left[count_of(table)]--;
    search->round[next.round][next.table++] = table;
    if (stand->table == 0) /* the first player's company: the next round's must come after it */
        next.above =
            (uint16_t)(search->everybody & ~((2U << first_of(table & (uint16_t)(table - 1))) - 1));
    toggle(&search->met, table);
    enum pod_completion completion = seat_rest(search, &next);
    toggle(&search->met, table);
    return completion;
}

/* Fills a table that needs `wanted` more players from `candidates`, and continues. */
static enum pod_completion fill_table(struct search *search, const struct stand *stand,
                                      uint16_t table, uint16_t candidates, unsigned wanted)
{
    if (wanted == 0)
        return place_table(search, stand, table);
    while (count_of(candidates) >= wanted) {
        unsigned player = first_of(candidates);
        candidates &= (uint16_t)(candidates - 1);
        enum pod_completion completion =
            fill_table(search, stand, (uint16_t)(table | 1U << player),
                       others_of(search, candidates, player), wanted - 1);
        if (completion != POD_COMPLETION_NONE)
            return completion;
    }
    return POD_COMPLETION_NONE;
}

static unsigned smallest_left(const struct stand *stand)
{
    unsigned size = TABLE_SIZE_MIN;
    while (stand->left[size] == 0)
        size++;
    return size;
}

/* Chooses the player with the fewest players left to meet. False if too few for any table. */
static bool choose_player(const struct search *search, const struct stand *stand, unsigned *chosen)
{
    unsigned fewest = POD_EXHAUSTIVE_MAX;
    for (uint16_t rest = stand->standing; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned player = first_of(rest);
        unsigned others = count_of(others_of(search, stand->standing, player));
        if (others < fewest) {
            fewest = others;
            *chosen = player;
        }
    }
    return fewest + 1 >= smallest_left(stand);
}

/* Recursion depth: the tables of all rounds, and the players at each. */
static enum pod_completion seat_rest(struct search *search, const struct stand *stand)
{
    unsigned player = 0;
    if (stand->standing == 0)
        return begin_round(search, stand->round + 1, stand->above);
    if (!choose_player(search, stand, &player))
        return POD_COMPLETION_NONE;
    uint16_t candidates = stand->standing;
    if (stand->table == 0) {
        player = 0;
        candidates = stand->above;
    }
    candidates = others_of(search, candidates, player);
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--) {
        if (stand->left[size] == 0)
            continue;
        enum pod_completion completion =
            fill_table(search, stand, (uint16_t)(1U << player), candidates, size - 1);
        if (completion != POD_COMPLETION_NONE)
            return completion;
    }
    return POD_COMPLETION_NONE;
}

enum pod_completion pod_completion_find(const struct pod_acquaintance *acquaintance,
                                        const struct table_sizes *sizes, unsigned rounds,
                                        uint64_t *steps, pod_completion_round *found)
{
    assert(rounds <= POD_COMPLETION_ROUNDS && acquaintance->count >= TABLE_SIZE_MIN);
    struct search search = {.met = *acquaintance,
                            .sizes = sizes,
                            .everybody = (uint16_t)((1U << acquaintance->count) - 1),
                            .rounds = rounds,
                            .smallest = TOURNAMENT_SEATS_MAX};
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--) {
        search.pairs += sizes->tables[size] * size * (size - 1) / 2;
        if (sizes->tables[size] > 0)
            search.smallest = size;
    }
    enum pod_completion completion = begin_round(&search, 0, search.everybody);
    if (completion == POD_COMPLETION_FOUND && found != NULL)
        memcpy(found, search.round, rounds * sizeof *found);
    *steps += search.steps;
    return completion;
}
