#include "engine/tournament/formats/pods/pod_layout.h"

#include <assert.h>
#include <string.h>

#include "engine/tournament/formats/pods/pod_ahead.h"

enum { KNOWN_BITS = 12 };

/* Cuts the slots into tables. */
static void lay_tables(struct pod_layout *plan)
{
    uint8_t preferred = plan->problem->request->rule.preferred;
    uint16_t slot = 0, table = 0;
    for (unsigned i = 0; i <= TOURNAMENT_SEATS_MAX; i++) {
        unsigned size = i == 0 ? preferred : i;
        if (i == preferred || size < TABLE_SIZE_MIN)
            continue;
        for (unsigned n = 0; n < plan->sizes->tables[size]; n++, table++) {
            plan->first[table] = slot;
            for (unsigned seat = 0; seat < size; seat++)
                plan->table[slot++] = table;
        }
    }
    plan->first[table] = slot;
    assert(slot == plan->problem->count && table == plan->table_count);
}

static bool allocate(struct pod_layout *plan)
{
    size_t count = plan->problem->count, tables = plan->table_count;
    struct arena_batch *batch = &plan->batch;
    plan->player = arena_batch_take(batch, count, sizeof *plan->player);
    plan->slot = arena_batch_take(batch, count, sizeof *plan->slot);
    plan->table = arena_batch_take(batch, count, sizeof *plan->table);
    plan->first = arena_batch_take(batch, tables + 1, sizeof *plan->first);
    plan->score = arena_batch_take(batch, count, sizeof *plan->score);
    plan->odd = arena_batch_take(batch, count, sizeof *plan->odd);
    plan->sum = arena_batch_take(batch, tables, sizeof *plan->sum);
    plan->company = arena_batch_take(batch, tables * count, sizeof *plan->company);
    plan->known = arena_batch_take(batch, (size_t)1 << KNOWN_BITS, sizeof *plan->known);
    plan->keys = arena_batch_take(batch, tables, sizeof *plan->keys);
    return !batch->failed;
}

bool pod_layout_init(struct pod_layout *plan, const struct pod_problem *problem,
                     const struct table_sizes *sizes, uint64_t *steps)
{
    static_assert(TOURNAMENT_ENTRIES_MAX <= 4096 && TOURNAMENT_SEATS_MAX == 5, "see set_of()");
    *plan = (struct pod_layout){.problem = problem,
                                .sizes = sizes,
                                .table_count = sizes->table_count,
                                .steps = steps,
                                .most_steps = UINT64_MAX,
                                .looks_ahead = pod_ahead_is_asked(problem, sizes)};
    if (!allocate(plan))
        return false;
    for (unsigned level = 0; level < problem->levels; level++)
        plan->criterion[level] = pod_cost_level_criterion(problem->request, level);
    for (uint16_t number = 0; number < problem->count; number++) {
        const struct pod_player *player = pod_problem_player(problem, number);
        plan->score[number] = player->score;
        plan->odd[number] = 2 * player->short_sittings + 1;
    }
    lay_tables(plan);
    return true;
}

void pod_layout_copy(struct pod_layout *to, const struct pod_layout *from)
{
    size_t count = from->problem->count, tables = from->table_count;
    memcpy(to->player, from->player, count * sizeof *to->player);
    memcpy(to->slot, from->slot, count * sizeof *to->slot);
    memcpy(to->sum, from->sum, tables * sizeof *to->sum);
    memcpy(to->company, from->company, tables * count * sizeof *to->company);
    memcpy(to->keys, from->keys, tables * sizeof *to->keys);
    to->total = from->total;
    to->ahead = from->ahead;
}

/* ---- Seats ---- */

static uint64_t set_of(const uint16_t *players, unsigned size)
{
    uint16_t rising[TOURNAMENT_SEATS_MAX];
    uint64_t set = size;
    for (unsigned i = 0; i < size; i++) {
        unsigned at = i;
        for (; at > 0 && rising[at - 1] > players[i]; at--)
            rising[at] = rising[at - 1];
        rising[at] = players[i];
    }
    for (unsigned i = 0; i < size; i++)
        set = set << 12 | rising[i];
    return set;
}

/* P7 depends only on the set of players. */
static int64_t seats_of(const struct pod_layout *plan, unsigned level, const uint16_t *players,
                        unsigned size)
{
    uint64_t set = set_of(players, size);
    struct pod_seats_known *known =
        &plan->known[set * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KNOWN_BITS)];
    if (known->table != set)
        *known = (struct pod_seats_known){set, pod_cost_level(plan->problem, level, players, size)};
    return known->cost;
}

static int64_t cost_of(const struct pod_layout *plan, unsigned level, const uint16_t *players,
                       unsigned size)
{
    return plan->criterion[level] == POD_P7_SEATS
               ? seats_of(plan, level, players, size)
               : pod_cost_level(plan->problem, level, players, size);
}

/* ---- Changes ---- */

static int64_t change_of_kept_apart(const struct pod_layout *plan, const struct pod_turn *turn,
                                    bool forbidden)
{
    const struct pod_problem *problem = plan->problem;
    int64_t change = 0;
    if (problem->kept_apart == NULL)
        return 0;
    for (unsigned i = 0; i < turn->count; i++) {
        const uint16_t *comes = problem->kept_apart + turn->comes[i] * problem->count;
        const uint16_t *leaves = problem->kept_apart + turn->leaves[i] * problem->count;
        for (unsigned slot = plan->first[turn->table[i]]; slot < plan->first[turn->table[i] + 1];
             slot++) {
            uint16_t player = plan->player[slot];
            if (slot == turn->slot[i])
                continue;
            if (forbidden)
                change += (comes[player] == POD_FORBIDDEN) - (leaves[player] == POD_FORBIDDEN);
            else
                change += (comes[player] == POD_FORBIDDEN ? 0 : comes[player]) -
                          (leaves[player] == POD_FORBIDDEN ? 0 : leaves[player]);
        }
    }
    return change;
}

static int64_t change_of_repeats(const struct pod_layout *plan, const struct pod_turn *turn)
{
    int64_t change = 0;
    for (unsigned i = 0; i < turn->count; i++)
        change += pod_layout_repeats_at(plan, turn->table[i], turn->comes[i], turn->leaves[i]);
    return change;
}

static int64_t change_of_odd(const struct pod_layout *plan, const struct pod_turn *turn)
{
    int64_t change = 0;
    for (unsigned i = 0; i < turn->count; i++)
        change += pod_layout_odd_at(plan, turn->table[i], turn->comes[i], turn->leaves[i]);
    return change;
}

static int64_t change_of_spread(const struct pod_layout *plan, const struct pod_turn *turn)
{
    int64_t change = 0;
    for (unsigned i = 0; i < turn->count; i++)
        change += pod_layout_spread_at(plan, turn->table[i], turn->comes[i], turn->leaves[i]);
    return change;
}

/* By costing the tables again. */
static int64_t change_of_tables(const struct pod_layout *plan, const struct pod_turn *turn,
                                unsigned level)
{
    int64_t change = 0;
    for (unsigned i = 0; i < turn->count; i++) {
        uint16_t players[TOURNAMENT_SEATS_MAX], first = plan->first[turn->table[i]];
        unsigned size = pod_layout_size(plan, turn->table[i]);
        for (unsigned seat = 0; seat < size; seat++)
            players[seat] = plan->player[first + seat];
        players[turn->slot[i] - first] = turn->comes[i];
        change += cost_of(plan, level, players, size) - plan->keys[turn->table[i]].level[level];
    }
    return change;
}

int64_t pod_layout_change(const struct pod_layout *plan, const struct pod_turn *turn,
                          unsigned level)
{
    switch (plan->criterion[level]) {
    case POD_P1_FORBIDDEN:
        return change_of_kept_apart(plan, turn, true);
    case POD_P3_REPEATS:
        return change_of_repeats(plan, turn);
    case POD_P4_SHORT:
        return change_of_odd(plan, turn);
    case POD_P5_SPREAD:
        return change_of_spread(plan, turn);
    case POD_COMBINED:
        return change_of_spread(plan, turn) +
               pod_cost_repeat_price(plan->problem->request) * change_of_repeats(plan, turn);
    case POD_P8_AVOID:
        return change_of_kept_apart(plan, turn, false);
    default:
        return change_of_tables(plan, turn, level);
    }
}

/* ---- Keeping count ---- */

static void cost_level(struct pod_layout *plan, size_t table, unsigned level)
{
    int64_t cost =
        cost_of(plan, level, plan->player + plan->first[table], pod_layout_size(plan, table));
    plan->total.level[level] += cost - plan->keys[table].level[level];
    plan->keys[table].level[level] = cost;
}

void pod_layout_cost(struct pod_layout *plan)
{
    for (size_t table = 0; table < plan->table_count; table++)
        for (unsigned level = 0; level < plan->problem->levels_searched; level++)
            cost_level(plan, table, level);
}

void pod_layout_count(struct pod_layout *plan)
{
    size_t count = plan->problem->count;
    memset(plan->sum, 0, plan->table_count * sizeof *plan->sum);
    memset(plan->company, 0, plan->table_count * count * sizeof *plan->company);
    for (uint16_t slot = 0; slot < count; slot++) {
        uint16_t player = plan->player[slot], table = plan->table[slot];
        int16_t *company = plan->company + table * count;
        plan->slot[player] = slot;
        plan->sum[table] += plan->score[player];
        for (size_t other = 0; other < count; other++)
            company[other] = (int16_t)(company[other] + plan->problem->met[player * count + other]);
    }
    pod_layout_cost(plan);
}

/* One player of a table takes the place of another; works in blocks, for which the compiler emits
 * single instructions. */
static void replace_company(int16_t *restrict company, const uint8_t *restrict comes,
                            const uint8_t *restrict leaves, size_t count)
{
    size_t other = 0;
    for (; other + 8 <= count; other += 8)
        for (size_t i = other; i < other + 8; i++)
            company[i] = (int16_t)(company[i] + comes[i] - leaves[i]);
    for (; other < count; other++)
        company[other] = (int16_t)(company[other] + comes[other] - leaves[other]);
}

static void seat(struct pod_layout *plan, const struct pod_turn *turn)
{
    size_t count = plan->problem->count;
    for (unsigned i = 0; i < turn->count; i++) {
        replace_company(plan->company + turn->table[i] * count,
                        plan->problem->met + turn->comes[i] * count,
                        plan->problem->met + turn->leaves[i] * count, count);
        plan->sum[turn->table[i]] += plan->score[turn->comes[i]] - plan->score[turn->leaves[i]];
        plan->player[turn->slot[i]] = turn->comes[i];
        plan->slot[turn->comes[i]] = turn->slot[i];
    }
}

void pod_layout_make(struct pod_layout *plan, const struct pod_turn *turn, unsigned levels)
{
    seat(plan, turn);
    for (unsigned level = 0; level < levels; level++)
        if (plan->criterion[level] == POD_P6_FLOATS || plan->criterion[level] == POD_P7_SEATS)
            for (unsigned i = 0; i < turn->count; i++)
                cost_level(plan, turn->table[i], level);
}

void pod_layout_make_all(struct pod_layout *plan, const struct pod_turn *turn)
{
    seat(plan, turn);
    for (unsigned i = 0; i < turn->count; i++)
        for (unsigned level = 0; level < plan->problem->levels_searched; level++)
            cost_level(plan, turn->table[i], level);
}
