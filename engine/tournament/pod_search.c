/* Local search for rounds that are too large to exhaust.
 *
 * A move replaces the players of two or three tables. It is judged level by level, and most moves
 * fall at the first level that differs, so that the dear levels (seats) are computed seldom.
 *
 *      start      players in order of score, equal scores shuffled, cut into tables
 *      descent    the best swap of every two tables, while there is one that improves
 *      threshold  PROPOSALS drawn swaps and cycles of three per level that can still fall: taken
 *                 if the levels before stay equal or fall and this one rises no more than a
 *                 threshold that shrinks to 0; then descent again
 *
 * The best plan seen is kept, so the result is never worse than plain descent. Where P2 is asked of
 * plans (pod_ahead.h), those in which no swap improves are compared by it, too.
 */
#include "engine/tournament/pod_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/pod_ahead.h"

enum {
    PROPOSALS = 100000, /* per level and pass */
    THRESHOLDS = 16,    /* steps in which the threshold shrinks */
    PASSES_TINY = 16,   /* for rounds of at most TINY players, where repeats are hard to avoid */
    PASSES_SMALL = 4,   /* for rounds of at most SMALL players */
    PASSES_LARGE = 1,
    TINY = 24,
    SMALL = 64,
    NEAR = 16, /* half the swaps are between players this close in the order of score */
    SEATS_THRESHOLD = 8 * POD_SEAT_WEIGHT,
    MOVE_TABLES = 3
};

struct plan {
    const struct pod_problem *problem;
    const struct table_sizes *sizes;
    size_t table_count;
    uint16_t *player;     /* [slot]: tables one after another */
    uint16_t *slot;       /* [player] */
    uint16_t *table;      /* [slot] */
    uint16_t *first;      /* [table]: its first slot; [table_count] = number of players */
    struct pod_key *keys; /* [table] */
    struct pod_key total;
    struct pod_key least; /* lower bounds of `total` */
    bool looks_ahead;
    int64_t ahead; /* P2, if it looks; else 0 */
};

/* New players for up to three tables. */
struct move {
    unsigned count;
    uint16_t table[MOVE_TABLES];
    uint16_t player[MOVE_TABLES][TOURNAMENT_SEATS_MAX];
};

static unsigned size_of(const struct plan *plan, size_t table)
{
    return (unsigned)(plan->first[table + 1] - plan->first[table]);
}

static bool plan_init(struct plan *plan, const struct pod_problem *problem,
                      const struct table_sizes *sizes)
{
    size_t count = problem->count;
    *plan = (struct plan){.problem = problem,
                          .sizes = sizes,
                          .table_count = sizes->table_count,
                          .looks_ahead = pod_ahead_is_asked(problem, sizes)};
    plan->player = calloc(count, sizeof *plan->player);
    plan->slot = calloc(count, sizeof *plan->slot);
    plan->table = calloc(count, sizeof *plan->table);
    plan->first = calloc(plan->table_count + 1, sizeof *plan->first);
    plan->keys = calloc(plan->table_count, sizeof *plan->keys);
    return plan->player != NULL && plan->slot != NULL && plan->table != NULL &&
           plan->first != NULL && plan->keys != NULL;
}

static void plan_free(struct plan *plan)
{
    free(plan->player);
    free(plan->slot);
    free(plan->table);
    free(plan->first);
    free(plan->keys);
}

static void plan_copy(struct plan *to, const struct plan *from)
{
    size_t count = from->problem->count;
    memcpy(to->player, from->player, count * sizeof *to->player);
    memcpy(to->slot, from->slot, count * sizeof *to->slot);
    memcpy(to->keys, from->keys, from->table_count * sizeof *to->keys);
    to->total = from->total;
    to->ahead = from->ahead;
}

/* Cuts the slots into tables, the preferred size first: who stands low sits short, as long as the
 * search finds nothing better. */
static void lay_tables(struct plan *plan, const struct table_sizes *sizes)
{
    uint8_t preferred = plan->problem->request->rule.preferred;
    uint16_t slot = 0, table = 0;
    for (unsigned i = 0; i <= TOURNAMENT_SEATS_MAX; i++) {
        unsigned size = i == 0 ? preferred : i;
        if (i == preferred || size < TABLE_SIZE_MIN)
            continue;
        for (unsigned n = 0; n < sizes->tables[size]; n++, table++) {
            plan->first[table] = slot;
            for (unsigned seat = 0; seat < size; seat++)
                plan->table[slot++] = table;
        }
    }
    plan->first[table] = slot;
    assert(slot == plan->problem->count && table == plan->table_count);
}

static void shuffle_range(uint16_t *players, size_t count, struct chance_stream *stream)
{
    for (size_t i = count; i-- > 1;) {
        size_t j = chance_uniform(stream, (uint32_t)(i + 1));
        uint16_t player = players[i];
        players[i] = players[j];
        players[j] = player;
    }
}

static void start_by_score(struct plan *plan, struct chance_stream *stream)
{
    const struct pod_problem *problem = plan->problem;
    for (size_t i = 0; i < problem->count; i++)
        plan->player[i] = (uint16_t)i;
    for (size_t from = 0, to = 0; from < problem->count; from = to) {
        int32_t score = pod_problem_player(problem, (uint16_t)from)->score;
        while (to < problem->count && pod_problem_player(problem, (uint16_t)to)->score == score)
            to++;
        shuffle_range(plan->player + from, to - from, stream);
    }
    for (size_t slot = 0; slot < problem->count; slot++)
        plan->slot[plan->player[slot]] = (uint16_t)slot;
}

static void cost_table(struct plan *plan, size_t table, unsigned levels)
{
    for (unsigned level = 0; level < levels; level++) {
        int64_t cost = pod_cost_level(plan->problem, level, plan->player + plan->first[table],
                                      size_of(plan, table));
        plan->total.level[level] += cost - plan->keys[table].level[level];
        plan->keys[table].level[level] = cost;
    }
}

static void cost_all(struct plan *plan)
{
    for (size_t table = 0; table < plan->table_count; table++)
        cost_table(plan, table, plan->problem->levels_searched);
}

/* What the move adds to a level. */
static int64_t move_difference(const struct plan *plan, const struct move *move, unsigned level)
{
    int64_t difference = 0;
    for (unsigned i = 0; i < move->count; i++)
        difference +=
            pod_cost_level(plan->problem, level, move->player[i], size_of(plan, move->table[i])) -
            plan->keys[move->table[i]].level[level];
    return difference;
}

static void move_apply(struct plan *plan, const struct move *move, unsigned levels)
{
    for (unsigned i = 0; i < move->count; i++) {
        uint16_t slot = plan->first[move->table[i]];
        for (unsigned seat = 0; seat < size_of(plan, move->table[i]); seat++, slot++) {
            plan->player[slot] = move->player[i][seat];
            plan->slot[plan->player[slot]] = slot;
        }
        cost_table(plan, move->table[i], levels);
    }
}

static void move_add_table(const struct plan *plan, struct move *move, uint16_t table)
{
    move->table[move->count] = table;
    memcpy(move->player[move->count], plan->player + plan->first[table],
           size_of(plan, table) * sizeof plan->player[0]);
    move->count++;
}

/* The player of each slot goes to the next slot, that of the last to the first: two slots make a
 * swap, three a cycle. The slots are at different tables. */
static struct move move_rotate(const struct plan *plan, const uint16_t *slots, unsigned count)
{
    struct move move = {0};
    for (unsigned i = 0; i < count; i++) {
        uint16_t table = plan->table[slots[i]];
        move_add_table(plan, &move, table);
        move.player[i][slots[i] - plan->first[table]] =
            plan->player[slots[(i + count - 1) % count]];
    }
    return move;
}

/* How many levels have to be looked at to find an improvement: those after the last one that is
 * above its bound can only rise. */
static unsigned count_open_levels(const struct plan *plan)
{
    unsigned levels = plan->problem->levels_searched;
    while (levels > 0 && plan->total.level[levels - 1] == plan->least.level[levels - 1])
        levels--;
    return levels;
}

/* Compares a swap in the first `levels` with the best one known, of which `best` holds the
 * differences; all 0 stands for leaving things as they are. */
static bool swap_is_better(const struct plan *plan, const struct move *move, unsigned levels,
                           struct pod_key *best)
{
    for (unsigned level = 0; level < levels; level++) {
        int64_t difference = move_difference(plan, move, level);
        if (difference > best->level[level])
            return false;
        if (difference == best->level[level])
            continue;
        for (; level < plan->problem->levels_searched; level++)
            best->level[level] = move_difference(plan, move, level);
        return true;
    }
    return false;
}

/* Makes the best improving swap between two tables. False if there is none. */
static bool improve_tables(struct plan *plan, size_t one, size_t other)
{
    struct pod_key best = {0};
    struct move best_move = {0};
    unsigned levels = count_open_levels(plan);
    for (uint16_t a = plan->first[one]; a < plan->first[one + 1]; a++) {
        for (uint16_t b = plan->first[other]; b < plan->first[other + 1]; b++) {
            struct move move = move_rotate(plan, (uint16_t[]){a, b}, 2);
            if (!swap_is_better(plan, &move, levels, &best))
                continue;
            best_move = move;
            levels = plan->problem->levels_searched;
        }
    }
    if (best_move.count == 0)
        return false;
    move_apply(plan, &best_move, plan->problem->levels_searched);
    return true;
}

/* Every two tables are compared after the last change of either, so in the end no swap improves. */
static void descend(struct plan *plan, bool *changed)
{
    memset(changed, true, plan->table_count * sizeof *changed);
    for (bool again = true; again;) {
        again = false;
        for (size_t one = 0; one < plan->table_count; one++) {
            if (!changed[one])
                continue;
            changed[one] = false;
            for (size_t other = 0; other < plan->table_count; other++)
                while (other != one && improve_tables(plan, one, other))
                    changed[one] = changed[other] = again = true;
        }
    }
}

static uint16_t draw_slot(const struct plan *plan, struct chance_stream *stream)
{
    return (uint16_t)chance_uniform(stream, (uint32_t)plan->problem->count);
}

/* The slot of a player close to the one in `slot` in the order of score. */
static uint16_t draw_near(const struct plan *plan, struct chance_stream *stream, uint16_t slot)
{
    size_t player = (plan->player[slot] + 1 + chance_uniform(stream, NEAR)) % plan->problem->count;
    return plan->slot[player];
}

/* Draws a swap (three times of four) or a cycle. False if two of its slots share a table. */
static bool draw_move(const struct plan *plan, struct chance_stream *stream, struct move *move)
{
    uint32_t kind = chance_uniform(stream, 8);
    unsigned count = kind < 6 ? 2 : 3;
    uint16_t slots[MOVE_TABLES] = {draw_slot(plan, stream)};
    for (unsigned i = 1; i < count; i++)
        slots[i] = kind % 2 == 0 ? draw_near(plan, stream, slots[i - 1]) : draw_slot(plan, stream);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (plan->table[slots[i]] == plan->table[slots[j]])
                return false;
    *move = move_rotate(plan, slots, count);
    return true;
}

static bool is_acceptable(const struct plan *plan, const struct move *move, unsigned last_level,
                          int64_t threshold)
{
    for (unsigned level = 0; level < last_level; level++) {
        int64_t difference = move_difference(plan, move, level);
        if (difference != 0)
            return difference < 0;
    }
    return move_difference(plan, move, last_level) <= threshold;
}

/* How much a level may rise at first: about two repeats, the cost of two tables, or four more
 * sittings in one seat. */
static int64_t first_threshold(const struct plan *plan, unsigned level)
{
    switch (pod_cost_level_criterion(plan->problem->request, level)) {
    case POD_P3_REPEATS:
        return 2;
    case POD_P7_SEATS:
        return SEATS_THRESHOLD;
    default:
        return 2 * plan->total.level[level] / (int64_t)plan->table_count;
    }
}

static void accept_up_to_threshold(struct plan *plan, struct chance_stream *stream, unsigned level)
{
    int64_t first = first_threshold(plan, level);
    for (int64_t proposal = 0; proposal < PROPOSALS; proposal++) {
        int64_t step = proposal / (PROPOSALS / THRESHOLDS + 1);
        int64_t threshold = first * (THRESHOLDS - 1 - step) / (THRESHOLDS - 1);
        struct move move;
        if (draw_move(plan, stream, &move) && is_acceptable(plan, &move, level, threshold))
            move_apply(plan, &move, level + 1);
    }
    cost_all(plan);
}

static void look_ahead(struct plan *plan)
{
    uint8_t table[POD_AHEAD_MAX];
    if (!plan->looks_ahead)
        return;
    for (size_t slot = 0; slot < plan->problem->count; slot++)
        table[plan->player[slot]] = (uint8_t)plan->table[slot];
    plan->ahead = pod_ahead_excess(plan->problem, plan->sizes, table);
}

/* P2 stands behind P1, the first level. */
static bool is_better(const struct plan *plan, const struct plan *best)
{
    if (plan->total.level[0] == best->total.level[0] && plan->ahead != best->ahead)
        return plan->ahead < best->ahead;
    return pod_key_compare(&plan->total, &best->total, plan->problem->levels_searched) < 0;
}

/* One threshold search from the best plan, and descent. */
static void search_level(struct plan *best, struct plan *plan, struct chance_stream *stream,
                         unsigned level, bool *changed)
{
    plan_copy(plan, best);
    accept_up_to_threshold(plan, stream, level);
    descend(plan, changed);
    look_ahead(plan);
    if (is_better(plan, best))
        plan_copy(best, plan);
}

/* Whether the level can still fall; that of repeats is searched as well for what it leaves. */
static bool is_open(const struct plan *best, unsigned level)
{
    return best->total.level[level] > best->least.level[level] ||
           (best->ahead > 0 &&
            pod_cost_level_criterion(best->problem->request, level) == POD_P3_REPEATS);
}

/* The least a level can be, where that is known. */
static int64_t level_floor(const struct pod_problem *problem, const struct table_sizes *sizes,
                           unsigned level)
{
    switch (pod_cost_level_criterion(problem->request, level)) {
    case POD_P3_REPEATS:
        return pod_cost_repeats_bound(problem, sizes);
    case POD_P7_SEATS:
        return pod_cost_seats_bound(problem, sizes);
    default:
        return 0;
    }
}

static void search(struct plan *best, struct plan *plan, const struct table_sizes *sizes,
                   struct chance_stream *stream, bool *changed)
{
    const struct pod_problem *problem = best->problem;
    for (unsigned level = 0; level < problem->levels_searched; level++)
        best->least.level[level] = level_floor(problem, sizes, level);
    plan->least = best->least;
    cost_all(best);
    descend(best, changed);
    look_ahead(best);
    int passes = problem->count <= SMALL ? PASSES_SMALL : PASSES_LARGE;
    if (problem->count <= TINY)
        passes = PASSES_TINY;
    for (int pass = 0; pass < passes; pass++)
        for (unsigned level = 0; level < problem->levels_searched; level++)
            if (is_open(best, level))
                search_level(best, plan, stream, level, changed);
}

bool pod_search_local(const struct pod_problem *problem, const struct table_sizes *sizes,
                      struct chance_stream *stream, uint16_t *players, uint8_t *table_size)
{
    struct plan best, plan;
    bool *changed = calloc(sizes->table_count, sizeof *changed);
    bool done = plan_init(&best, problem, sizes);
    done = plan_init(&plan, problem, sizes) && done && changed != NULL;
    if (done) {
        lay_tables(&best, sizes);
        lay_tables(&plan, sizes);
        start_by_score(&best, stream);
        search(&best, &plan, sizes, stream, changed);
        memcpy(players, best.player, problem->count * sizeof *players);
        for (size_t table = 0; table < best.table_count; table++)
            table_size[table] = (uint8_t)size_of(&best, table);
    }
    plan_free(&best);
    plan_free(&plan);
    free(changed);
    return done;
}
