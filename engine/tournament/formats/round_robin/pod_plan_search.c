/* Anneals a whole plan. The numbers of proposals are fixed and everything is integer arithmetic, so
 * every machine finds the same plan. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/round_robin/pod_plan.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"

enum {
    PROPOSALS = 4000000,
    STEPS = 200,      /* in which the acceptance of worse plans shrinks */
    COURAGE_MIN = 32, /* sixteenths of a bit per repeat: one is accepted with 1/4 at first .. */
    COURAGE_MAX = 232 /* .. and 1/23000 in the end */
};

struct search {
    struct pod_plan *plan;
    uint8_t *met;                            /* owned: players^2 */
    uint16_t *best;                          /* owned: the players of the best plan */
    size_t slots;                            /* rounds * players */
    unsigned kept;                           /* rounds that stay unchanged */
    uint16_t count[2][POD_PLAN_PLAYERS_MAX]; /* per player: sittings at tables not of the preferred
                                                size; byes */
    int64_t cost, best_cost, floor;
};

/* What the slots of a table count as. */
enum { OTHER_SIZE, BYE, USUAL };

static unsigned kind_of(const struct pod_plan *plan, unsigned table)
{
    if (table == plan->tables)
        return BYE;
    unsigned size = (unsigned)(plan->first[table + 1] - plan->first[table]);
    return size == plan->preferred ? USUAL : OTHER_SIZE;
}

/* The cost of sitting at a table of this kind once more. */
static int64_t price(const struct search *search, unsigned kind, unsigned player)
{
    int64_t once_more = kind == USUAL ? 0 : 2 * search->count[kind][player] + 1;
    return kind == BYE ? POD_PLAN_BYE * once_more : once_more;
}

/* The saving from sitting there once less. */
static int64_t refund(const struct search *search, unsigned kind, unsigned player)
{
    int64_t once_less = kind == USUAL ? 0 : 2 * search->count[kind][player] - 1;
    return kind == BYE ? POD_PLAN_BYE * once_less : once_less;
}

static int64_t fairness_difference(const struct search *search, const uint16_t *row, unsigned i,
                                   unsigned j)
{
    unsigned from = kind_of(search->plan, search->plan->table[i]);
    unsigned to = kind_of(search->plan, search->plan->table[j]);
    if (from == to)
        return 0;
    return price(search, to, row[i]) - refund(search, from, row[i]) + price(search, from, row[j]) -
           refund(search, to, row[j]);
}

/* The change in repeats when another player replaces the one in slot i of its table. */
static int64_t repeats_difference(const struct search *search, const uint16_t *row, unsigned i,
                                  unsigned comes)
{
    const struct pod_plan *plan = search->plan;
    const uint8_t *leaves = search->met + (size_t)row[i] * plan->players;
    const uint8_t *enters = search->met + (size_t)comes * plan->players;
    unsigned table = plan->table[i];
    int64_t difference = 0;
    for (unsigned slot = plan->first[table]; slot < plan->first[table + 1]; slot++)
        if (slot != i)
            difference += enters[row[slot]] - (leaves[row[slot]] - 1);
    return table == plan->tables ? 0 : difference;
}

static int64_t swap_difference(const struct search *search, const uint16_t *row, unsigned i,
                               unsigned j)
{
    return POD_PLAN_REPEAT * (repeats_difference(search, row, i, row[j]) +
                              repeats_difference(search, row, j, row[i])) +
           fairness_difference(search, row, i, j);
}

static void meet(struct search *search, unsigned a, unsigned b, int change)
{
    uint8_t *one = &search->met[(size_t)a * search->plan->players + b];
    uint8_t *other = &search->met[(size_t)b * search->plan->players + a];
    *one = *other = (uint8_t)(*one + change);
}

/* The player in slot i joins or leaves its table. */
static void count_slot(struct search *search, const uint16_t *row, unsigned i, int change)
{
    const struct pod_plan *plan = search->plan;
    unsigned table = plan->table[i], kind = kind_of(plan, table);
    if (kind != USUAL)
        search->count[kind][row[i]] = (uint16_t)(search->count[kind][row[i]] + change);
    for (unsigned slot = plan->first[table]; kind != BYE && slot < plan->first[table + 1]; slot++)
        if (slot != i)
            meet(search, row[i], row[slot], change);
}

static void swap(struct search *search, uint16_t *row, unsigned i, unsigned j)
{
    uint16_t player = row[i];
    count_slot(search, row, i, -1);
    count_slot(search, row, j, -1);
    row[i] = row[j];
    row[j] = player;
    count_slot(search, row, i, 1);
    count_slot(search, row, j, 1);
}

static void keep_best(struct search *search)
{
    if (search->cost >= search->best_cost)
        return;
    search->best_cost = search->cost;
    memcpy(search->best, search->plan->player, search->slots * sizeof *search->best);
}

static void propose(struct search *search, struct chance_stream *stream, uint32_t courage)
{
    const struct pod_plan *plan = search->plan;
    uint32_t round = search->kept + chance_uniform(stream, plan->rounds - search->kept);
    uint16_t *row = pod_plan_round(plan, round);
    unsigned i = chance_uniform(stream, plan->players), j = chance_uniform(stream, plan->players);
    if (plan->table[i] == plan->table[j])
        return;
    int64_t difference = swap_difference(search, row, i, j);
    if (difference > 0 &&
        (difference > 64 * POD_PLAN_REPEAT ||
         !pod_plan_dares(stream, (uint32_t)difference * courage / POD_PLAN_REPEAT)))
        return;
    swap(search, row, i, j);
    search->cost += difference;
    keep_best(search);
}

static void anneal(struct search *search, struct chance_stream *stream)
{
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t courage = COURAGE_MIN + (COURAGE_MAX - COURAGE_MIN) * step / (STEPS - 1);
        for (unsigned n = 0; n < PROPOSALS / STEPS; n++) {
            if (search->best_cost == search->floor)
                return;
            propose(search, stream, courage);
        }
    }
}

static bool improve_round(struct search *search, uint16_t *row)
{
    bool improved = false;
    for (unsigned i = 0; i < search->plan->players; i++)
        for (unsigned j = 0; j < i; j++) {
            if (search->plan->table[i] == search->plan->table[j])
                continue;
            int64_t difference = swap_difference(search, row, i, j);
            if (difference >= 0)
                continue;
            swap(search, row, i, j);
            search->cost += difference;
            improved = true;
        }
    return improved;
}

static void descend(struct search *search)
{
    for (bool again = true; again;) {
        again = false;
        for (unsigned round = 0; round < search->plan->rounds; round++)
            again = improve_round(search, pod_plan_round(search->plan, round)) || again;
    }
}

static void shuffle_rounds(struct search *search, struct chance_stream *stream)
{
    for (unsigned round = search->kept; round < search->plan->rounds; round++) {
        uint16_t *row = pod_plan_round(search->plan, round);
        for (uint32_t i = search->plan->players; i-- > 1;) {
            uint32_t j = chance_uniform(stream, i + 1);
            uint16_t player = row[i];
            row[i] = row[j];
            row[j] = player;
        }
    }
}

static void count_all(struct search *search)
{
    const struct pod_plan *plan = search->plan;
    memset(search->count, 0, sizeof search->count);
    for (size_t i = 0; i < search->slots; i++) {
        unsigned kind = kind_of(plan, plan->table[i % plan->players]);
        if (kind != USUAL)
            search->count[kind][plan->player[i]]++;
    }
    search->cost =
        POD_PLAN_REPEAT * pod_plan_repeats(plan, search->met) + pod_plan_unfairness(plan);
}

/* The least sum of squares of `parts` numbers that add up to `total`. */
static int64_t even_squares(int64_t total, int64_t parts)
{
    int64_t each = total / parts, more = total % parts;
    return (parts - more) * each * each + more * (each + 1) * (each + 1);
}

/* With meetings, byes and short tables as even as possible. */
int64_t pod_plan_floor(const struct pod_plan *plan)
{
    int64_t meetings = 0, others = 0, players = plan->players, pairs = players * (players - 1) / 2;
    assert(players >= 2);
    for (unsigned table = 0; table < plan->tables; table++) {
        int64_t size = plan->first[table + 1] - plan->first[table];
        meetings += size * (size - 1) / 2;
        others += kind_of(plan, table) == OTHER_SIZE ? size : 0;
    }
    meetings *= plan->rounds;
    int64_t byes = players - plan->first[plan->tables];
    return POD_PLAN_REPEAT * (even_squares(meetings, pairs) - meetings) / 2 +
           POD_PLAN_BYE * even_squares(byes * plan->rounds, players) +
           even_squares(others * plan->rounds, players);
}

static void run(struct search *search, struct chance_stream *stream)
{
    search->floor = pod_plan_floor(search->plan);
    shuffle_rounds(search, stream);
    count_all(search);
    search->best_cost = search->cost + 1;
    keep_best(search);
    anneal(search, stream);
    memcpy(search->plan->player, search->best, search->slots * sizeof *search->best);
    count_all(search);
    descend(search);
}

bool pod_plan_anneal(struct pod_plan *plan, unsigned kept, struct chance_stream *stream)
{
    struct search search = {
        .plan = plan, .slots = (size_t)plan->rounds * plan->players, .kept = kept};
    assert(kept < plan->rounds);
    search.met = malloc((size_t)plan->players * plan->players);
    search.best = malloc(search.slots * sizeof *search.best);
    bool memory = search.met != NULL && search.best != NULL;
    if (memory)
        run(&search, stream);
    free(search.met);
    free(search.best);
    return memory;
}

/* Measures a schedule. */

struct tally {
    uint16_t byes, others;
    uint16_t seat[TOURNAMENT_SEATS_MAX];
};

struct count {
    unsigned players, preferred;
    unsigned smallest;   /* table */
    struct tally *tally; /* owned: of each player */
    uint16_t *met;       /* owned: [a * players + b] */
    uint64_t meetings;
};

static void count_table(struct count *count, const struct pod_schedule_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        struct tally *tally = &count->tally[table->player[seat]];
        if (table->table == 0) {
            tally->byes++;
            continue;
        }
        tally->seat[seat]++;
        tally->others = (uint16_t)(tally->others + (table->seats != count->preferred));
        for (unsigned other = 0; other < table->seats; other++)
            count->met[(size_t)table->player[seat] * count->players + table->player[other]]++;
        count->meetings += seat;
    }
    if (table->table != 0 && table->seats < count->smallest)
        count->smallest = table->seats;
}

static void measure_pairs(const struct count *count, struct pod_schedule_quality *quality)
{
    uint64_t pairs = (uint64_t)count->players * (count->players - 1) / 2;
    for (size_t a = 0; a < count->players; a++)
        for (size_t b = 0; b < a; b++) {
            unsigned met = count->met[a * count->players + b];
            quality->meetings[met < POD_MEETINGS_MAX ? met : POD_MEETINGS_MAX]++;
            quality->repeats += met > 1 ? met - 1 : 0;
        }
    quality->repeats_bound = (uint32_t)(count->meetings > pairs ? count->meetings - pairs : 0);
}

static void widen(uint16_t *least, uint16_t *most, uint16_t value)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

static void measure_players(const struct count *count, struct pod_schedule_quality *quality)
{
    quality->short_least = quality->bye_least = UINT16_MAX;
    for (unsigned player = 0; player < count->players; player++) {
        const struct tally *tally = &count->tally[player];
        uint16_t least = UINT16_MAX, most = 0;
        widen(&quality->short_least, &quality->short_most, tally->others);
        widen(&quality->bye_least, &quality->bye_most, tally->byes);
        for (unsigned seat = 0; seat < count->smallest; seat++)
            widen(&least, &most, tally->seat[seat]);
        if (most > least && most - least > quality->seat_spread)
            quality->seat_spread = (uint16_t)(most - least);
    }
}

bool pod_schedule_measure(const struct pod_schedule_table *tables, size_t table_count,
                          unsigned players, unsigned preferred,
                          struct pod_schedule_quality *quality)
{
    struct count count = {
        .players = players, .preferred = preferred, .smallest = TOURNAMENT_SEATS_MAX};
    *quality = (struct pod_schedule_quality){0};
    count.tally = calloc(players, sizeof *count.tally);
    count.met = calloc((size_t)players * players, sizeof *count.met);
    bool memory = count.tally != NULL && count.met != NULL;
    for (size_t i = 0; memory && i < table_count; i++)
        count_table(&count, &tables[i]);
    if (memory) {
        measure_pairs(&count, quality);
        measure_players(&count, quality);
    }
    free(count.tally);
    free(count.met);
    return memory;
}
