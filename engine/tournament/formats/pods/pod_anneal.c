#include "engine/tournament/formats/pods/pod_anneal.h"

#include <stdlib.h>
#include <string.h>

enum {
    COOLINGS = 64, /* steps in which the temperature falls */
    NEAR = 16, /* half of the swaps are between players this close in the order of score; there are
                  more players than that */
    EQUAL_SCORES = 4096 /* the reference if there is no spread */
};

/* What a swap changes. */
struct change {
    int64_t forbidden, ahead, repeats, odd, spread;
};

static void seating_init(struct pod_anneal_seating *seating, struct arena_batch *batch,
                         size_t count, size_t tables)
{
    seating->player = arena_batch_take(batch, count, sizeof *seating->player);
    seating->slot = arena_batch_take(batch, count, sizeof *seating->slot);
    seating->table = arena_batch_take(batch, count, sizeof *seating->table);
    seating->company = arena_batch_take(batch, count * tables, sizeof *seating->company);
}

/* The largest number of which all differences of scores are multiples. */
static int64_t common_divisor(const int64_t *score, size_t count)
{
    int64_t divisor = 0;
    for (size_t i = 1; i < count; i++) {
        int64_t a = llabs(score[i] - score[0]);
        while (a != 0) {
            int64_t rest = divisor % a;
            divisor = a;
            a = rest;
        }
    }
    return divisor;
}

/* Sets the weights: a repeat costs the spread of a table with players from everywhere. An odd
 * table, whose cost rises by two each time, costs less, so that a few do not outweigh it. If the
 * profile has either after the spread, it weighs at most the smallest difference of spreads. */
static void weigh(struct pod_anneal *anneal)
{
    const struct pod_request *request = anneal->problem->request;
    size_t count = anneal->problem->count;
    int64_t sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += anneal->score[i];
        squares += anneal->score[i] * anneal->score[i];
    }
    int64_t mean_spread =
        POINTS_PER_POINT * (squares - sum / (int64_t)count * sum) / (int64_t)anneal->tables;
    int64_t divisor = common_divisor(anneal->score, count);
    int64_t grain = POINTS_PER_POINT / TOURNAMENT_SEATS_MAX * divisor * divisor;
    if (mean_spread < EQUAL_SCORES)
        mean_spread = EQUAL_SCORES;
    if (grain < 16)
        grain = 16;
    anneal->repeats = mean_spread;
    anneal->ahead = anneal->looks_ahead ? mean_spread : 0;
    anneal->odd = mean_spread / 32;
    anneal->hot = mean_spread / 2;
    anneal->cold = grain / 4;
    if (request->profile == POD_BALANCED) {
        anneal->repeats = pod_cost_repeat_price(request);
        anneal->odd = grain / 2;
        anneal->hot = anneal->repeats > mean_spread ? anneal->repeats : mean_spread;
    } else if (request->profile == POD_POWER) {
        anneal->repeats = grain;
        anneal->odd = grain / 2;
    }
    anneal->forbidden = 4 * anneal->hot;
    if (anneal->cold > anneal->odd / 8)
        anneal->cold = anneal->odd / 8;
}

bool pod_anneal_init(struct pod_anneal *anneal, const struct pod_problem *problem,
                     const uint16_t *first, size_t tables, bool looks_ahead, uint64_t luck)
{
    size_t count = problem->count;
    *anneal = (struct pod_anneal){.problem = problem,
                                  .first = first,
                                  .tables = tables,
                                  .looks_ahead = looks_ahead,
                                  .luck = luck};
    struct arena_batch *batch = &anneal->batch;
    seating_init(&anneal->now, batch, count, tables);
    seating_init(&anneal->next, batch, count, tables);
    anneal->best = arena_batch_take(batch, count, sizeof *anneal->best);
    anneal->best_next = arena_batch_take(batch, count, sizeof *anneal->best_next);
    anneal->score = arena_batch_take(batch, count, sizeof *anneal->score);
    anneal->odd_cost = arena_batch_take(batch, count, sizeof *anneal->odd_cost);
    anneal->table = arena_batch_take(batch, tables, sizeof *anneal->table);
    if (batch->failed)
        return false;
    for (size_t table = 0; table < tables; table++) {
        int32_t size = first[table + 1] - first[table];
        anneal->table[table] =
            (struct pod_anneal_table){.size = size,
                                      .part = POINTS_PER_POINT / size,
                                      .odd = size != problem->request->rule.preferred};
    }
    for (size_t i = 0; i < count; i++) {
        const struct pod_player *player = pod_problem_player(problem, (uint16_t)i);
        anneal->score[i] =
            (int64_t)player->score - pod_problem_player(problem, (uint16_t)(count - 1))->score;
        anneal->odd_cost[i] = 2 * player->short_sittings + 1;
    }
    weigh(anneal);
    return true;
}

/* SplitMix64. */
static inline uint64_t draw(struct pod_anneal *anneal)
{
    uint64_t x = anneal->luck += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint32_t pairing_below(uint32_t word, size_t n)
{
    return (uint32_t)((uint64_t)word * n >> 32);
}

static void take_slots(const struct pod_anneal *anneal, struct pod_anneal_seating *seating)
{
    const struct pod_problem *problem = anneal->problem;
    size_t count = problem->count;
    for (uint16_t table = 0; table < anneal->tables; table++)
        for (uint16_t slot = anneal->first[table]; slot < anneal->first[table + 1]; slot++) {
            seating->table[seating->player[slot]] = table;
            seating->slot[seating->player[slot]] = slot;
        }
    memset(seating->company, 0, anneal->tables * count * sizeof *seating->company);
    for (uint16_t player = 0; player < count; player++) {
        int16_t *company = seating->company + seating->table[player] * count;
        for (size_t other = 0; other < count; other++)
            company[other] = (int16_t)(company[other] + problem->met[player * count + other]);
    }
}

/* Seats all players at random. */
static void pairing_seating(struct pod_anneal *anneal, struct pod_anneal_seating *seating)
{
    size_t count = anneal->problem->count;
    for (size_t i = 0; i < count; i++)
        seating->player[i] = (uint16_t)i;
    for (size_t i = count; i-- > 1;) {
        uint32_t j = pairing_below((uint32_t)draw(anneal), i + 1);
        uint16_t player = seating->player[i];
        seating->player[i] = seating->player[j];
        seating->player[j] = player;
    }
    take_slots(anneal, seating);
}

/* ---- Pairs ----
 *
 * Where `a` and `b` change places, each comes to the company of the other. */

static inline int64_t change_of_repeats(const struct pod_problem *problem,
                                        const struct pod_anneal_seating *seating, uint16_t a,
                                        uint16_t b)
{
    const int16_t *at = seating->company + seating->table[a] * problem->count;
    const int16_t *to = seating->company + seating->table[b] * problem->count;
    return to[a] - at[a] + at[b] - to[b] - 2 * problem->met[a * problem->count + b];
}

/* Sums over whole tables; the contributions of the two players themselves are subtracted. */
struct tables_of_swap {
    const uint16_t *at, *to; /* the players of both tables */
    unsigned at_size, to_size;
    uint16_t a, b;
};

static struct tables_of_swap tables_of(const struct pod_anneal *anneal,
                                       const struct pod_anneal_seating *seating, uint16_t a,
                                       uint16_t b)
{
    uint16_t at = seating->table[a], to = seating->table[b];
    return (struct tables_of_swap){seating->player + anneal->first[at],
                                   seating->player + anneal->first[to],
                                   (unsigned)anneal->table[at].size,
                                   (unsigned)anneal->table[to].size,
                                   a,
                                   b};
}

static int64_t change_of_forbidden(const struct pod_problem *problem,
                                   const struct tables_of_swap *tables)
{
    const uint16_t *kept_a = problem->kept_apart + tables->a * problem->count;
    const uint16_t *kept_b = problem->kept_apart + tables->b * problem->count;
    int change = -2 * (kept_a[tables->b] == POD_FORBIDDEN);
    for (unsigned i = 0; i < tables->at_size; i++)
        change +=
            (kept_b[tables->at[i]] == POD_FORBIDDEN) - (kept_a[tables->at[i]] == POD_FORBIDDEN);
    for (unsigned i = 0; i < tables->to_size; i++)
        change +=
            (kept_a[tables->to[i]] == POD_FORBIDDEN) - (kept_b[tables->to[i]] == POD_FORBIDDEN);
    return change;
}

/* Pairs together in both rounds; `table` is of the other round. */
static int64_t change_of_both(const struct pod_anneal *anneal,
                              const struct pod_anneal_seating *seating, const uint16_t *table,
                              uint16_t a, uint16_t b)
{
    uint16_t of_a = table[a], of_b = table[b];
    if (!anneal->looks_ahead || of_a == of_b)
        return 0;
    struct tables_of_swap tables = tables_of(anneal, seating, a, b);
    int change = 2; /* each player is together with itself */
    for (unsigned i = 0; i < tables.at_size; i++)
        change += (table[tables.at[i]] == of_b) - (table[tables.at[i]] == of_a);
    for (unsigned i = 0; i < tables.to_size; i++)
        change += (table[tables.to[i]] == of_a) - (table[tables.to[i]] == of_b);
    return change;
}

/* The change of P5 at a table where `to` takes the place of `from`. */
static inline int64_t change_of_spread(const struct pod_anneal_table *table, int64_t from,
                                       int64_t to)
{
    int64_t more = to - from;
    return table->part * more * (table->size * (from + to) - 2 * table->sum - more);
}

/* All changes except `ahead`. */
static inline struct change change_of(const struct pod_anneal *anneal, uint16_t a, uint16_t b)
{
    const struct pod_anneal_seating *now = &anneal->now;
    const struct pod_anneal_table *at = &anneal->table[now->table[a]];
    const struct pod_anneal_table *to = &anneal->table[now->table[b]];
    struct change change = {.repeats = change_of_repeats(anneal->problem, now, a, b),
                            .odd =
                                (to->odd - at->odd) * (anneal->odd_cost[a] - anneal->odd_cost[b]),
                            .spread = change_of_spread(at, anneal->score[a], anneal->score[b]) +
                                      change_of_spread(to, anneal->score[b], anneal->score[a])};
    if (anneal->problem->kept_apart != NULL) {
        struct tables_of_swap tables = tables_of(anneal, now, a, b);
        change.forbidden = change_of_forbidden(anneal->problem, &tables);
    }
    return change;
}

static inline int64_t weight_of(const struct pod_anneal *anneal, const struct change *change)
{
    return anneal->forbidden * change->forbidden + anneal->ahead * change->ahead +
           anneal->repeats * change->repeats + anneal->odd * change->odd + change->spread;
}

static void swap(const struct pod_problem *problem, struct pod_anneal_seating *seating, uint16_t a,
                 uint16_t b)
{
    const uint8_t *met_a = problem->met + a * problem->count;
    const uint8_t *met_b = problem->met + b * problem->count;
    int16_t *at = seating->company + seating->table[a] * problem->count;
    int16_t *to = seating->company + seating->table[b] * problem->count;
    for (size_t player = 0; player < problem->count; player++) {
        int more = met_b[player] - met_a[player];
        at[player] = (int16_t)(at[player] + more);
        to[player] = (int16_t)(to[player] - more);
    }
    uint16_t table = seating->table[a], slot = seating->slot[a];
    seating->table[a] = seating->table[b];
    seating->slot[a] = seating->slot[b];
    seating->table[b] = table;
    seating->slot[b] = slot;
    seating->player[seating->slot[a]] = a;
    seating->player[seating->slot[b]] = b;
}

static void add_change(struct pod_anneal_costs *costs, const struct change *change)
{
    costs->forbidden += change->forbidden;
    costs->ahead += change->ahead;
    costs->repeats += change->repeats;
    costs->odd += change->odd;
    costs->spread += change->spread;
}

/* In the order of the profile. */
static bool is_better(const struct pod_anneal *anneal, const struct pod_anneal_costs *a,
                      const struct pod_anneal_costs *b)
{
    enum pod_profile profile = anneal->problem->request->profile;
    int64_t spread = a->spread - b->spread, repeats = a->repeats - b->repeats;
    if (a->forbidden != b->forbidden)
        return a->forbidden < b->forbidden;
    if (profile == POD_BALANCED)
        spread += anneal->repeats * repeats;
    if (profile != POD_STRICT && spread != 0)
        return spread < 0;
    if (anneal->looks_ahead && a->ahead != b->ahead)
        return a->ahead < b->ahead;
    if (profile != POD_BALANCED && repeats != 0)
        return repeats < 0;
    if (a->odd != b->odd)
        return a->odd < b->odd;
    return spread < 0;
}

static void keep(struct pod_anneal *anneal)
{
    size_t bytes = anneal->problem->count * sizeof *anneal->best;
    anneal->best_costs = anneal->costs;
    memcpy(anneal->best, anneal->now.table, bytes);
    memcpy(anneal->best_next, anneal->next.table, bytes);
}

/* The costs of two seatings, computed from scratch. */
static void count_costs(struct pod_anneal *anneal)
{
    const struct pod_problem *problem = anneal->problem;
    struct pod_anneal_costs *costs = &anneal->costs;
    *costs = (struct pod_anneal_costs){0};
    anneal->both = 0;
    for (size_t table = 0; table < anneal->tables; table++)
        anneal->table[table].sum = 0;
    for (uint16_t a = 0; a < problem->count; a++) {
        uint16_t table = anneal->now.table[a];
        for (uint16_t b = 0; b < a; b++) {
            size_t pair = a * problem->count + b;
            bool now = table == anneal->now.table[b];
            bool next = anneal->looks_ahead && anneal->next.table[a] == anneal->next.table[b];
            costs->repeats += now ? problem->met[pair] : 0;
            anneal->both += now && next;
            costs->ahead += (now + next) * problem->met[pair] + (now && next);
            costs->forbidden +=
                now && problem->kept_apart != NULL && problem->kept_apart[pair] == POD_FORBIDDEN;
        }
        costs->odd += anneal->table[table].odd * anneal->odd_cost[a];
        anneal->table[table].sum += anneal->score[a];
    }
    for (uint16_t a = 0; a < problem->count; a++) {
        const struct pod_anneal_table *table = &anneal->table[anneal->now.table[a]];
        costs->spread +=
            table->part * (table->size * anneal->score[a] - table->sum) * anneal->score[a];
    }
}

/* How much worse a swap may be: the temperature times -log2 of a drawn number, in 256ths; the
 * logarithm is linear between powers of two. */
static inline int64_t threshold(int64_t temperature, uint32_t word)
{
    unsigned zeros = (unsigned)__builtin_clz(word | 1);
    int64_t logarithm = 256 * ((int64_t)zeros + 1) - (int64_t)((word << zeros) >> 23 & 255);
    return temperature / 256 * logarithm;
}

static void propose(struct pod_anneal *anneal, int64_t temperature)
{
    size_t count = anneal->problem->count;
    uint64_t words = draw(anneal), more = draw(anneal);
    uint16_t a = (uint16_t)pairing_below((uint32_t)words, count);
    bool near = (more & 1) != 0;
    size_t from = near ? a + 1U : 0;
    size_t other = from + pairing_below((uint32_t)(words >> 32), near ? NEAR : count);
    uint16_t b = (uint16_t)(other < count ? other : other - count);
    if (anneal->now.table[a] == anneal->now.table[b])
        return;
    struct change change = change_of(anneal, a, b);
    change.ahead = anneal->looks_ahead ? change.repeats : 0;
    int64_t most = threshold(temperature, (uint32_t)(more >> 32));
    if (weight_of(anneal, &change) - anneal->ahead * anneal->both > most)
        return;
    int64_t both = change_of_both(anneal, &anneal->now, anneal->next.table, a, b);
    change.ahead += both;
    if (weight_of(anneal, &change) > most)
        return;
    anneal->both += both;
    anneal->table[anneal->now.table[a]].sum += anneal->score[b] - anneal->score[a];
    anneal->table[anneal->now.table[b]].sum += anneal->score[a] - anneal->score[b];
    swap(anneal->problem, &anneal->now, a, b);
    add_change(&anneal->costs, &change);
    if (is_better(anneal, &anneal->costs, &anneal->best_costs))
        keep(anneal);
}

/* A swap in the next round, where only repeats count. */
static void propose_next(struct pod_anneal *anneal, int64_t temperature)
{
    uint64_t words = draw(anneal);
    size_t count = anneal->problem->count;
    uint16_t a = (uint16_t)pairing_below((uint32_t)words, count);
    uint16_t b = (uint16_t)pairing_below((uint32_t)(words >> 32), count);
    if (anneal->next.table[a] == anneal->next.table[b])
        return;
    int64_t ahead = change_of_repeats(anneal->problem, &anneal->next, a, b);
    int64_t most = threshold(temperature, (uint32_t)draw(anneal));
    if (anneal->ahead * (ahead - anneal->both) > most)
        return;
    int64_t both = change_of_both(anneal, &anneal->next, anneal->now.table, a, b);
    ahead += both;
    if (anneal->ahead * ahead > most)
        return;
    anneal->both += both;
    swap(anneal->problem, &anneal->next, a, b);
    anneal->costs.ahead += ahead;
    if (ahead < 0 && is_better(anneal, &anneal->costs, &anneal->best_costs))
        keep(anneal);
}

/* From hot to cold, by a constant factor (linear between halvings). */
static int64_t temperature_at(int64_t hot, int64_t cold, unsigned cooling)
{
    unsigned halvings = 0;
    while (hot >> halvings > cold && halvings < 62)
        halvings++;
    unsigned power = 256 * halvings * cooling / (COOLINGS - 1);
    int64_t temperature = hot >> (power / 256);
    return temperature - temperature * (power % 256) / 512;
}

void pod_anneal_run(struct pod_anneal *anneal, uint32_t proposals)
{
    pairing_seating(anneal, &anneal->now);
    pairing_seating(anneal, &anneal->next);
    count_costs(anneal);
    keep(anneal);
    for (unsigned cooling = 0; cooling < COOLINGS; cooling++) {
        int64_t temperature = temperature_at(anneal->hot, anneal->cold, cooling);
        for (uint32_t i = 0; i < proposals / COOLINGS; i++) {
            propose(anneal, temperature);
            if (anneal->looks_ahead)
                propose_next(anneal, temperature);
        }
    }
}
