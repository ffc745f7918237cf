/* Local search for rounds that are too large for exhaustion.
 *
 * A turn (pod_layout.h) replaces a player at each of two or three tables. It is judged level by
 * level, and most turns fail at the first level that differs, so the expensive levels (seats) are
 * seldom computed.
 *
 *      start      players in order of score, equal scores shuffled, cut into tables
 *      descent    the best swap of every two tables, while one improves
 *      threshold  PROPOSALS drawn swaps and cycles of three per level that can still fall: accepted
 *                 if no earlier level rises and this one rises no more than a threshold that
 *                 shrinks to 0; then descent again
 *
 * The best plan seen is kept, so the result is never worse than plain descent. If P2 applies to
 * plans (pod_ahead.h), those that no swap improves are also compared by it.
 *
 * Version 3 does the same first, with the same draws, and stops only if nothing can be better: so
 * its round is never worse than that of version 2. Then, if a level up to the spread is above its
 * bound: annealing (pod_anneal.h) and descent; thresholds for the last of these levels and those
 * after it; if P2 applies, descent that considers the next round for each improving swap. The best
 * of all, in the order of the criteria, is kept.
 */
#include "engine/tournament/formats/pods/pod_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/pods/pod_ahead.h"
#include "engine/tournament/formats/pods/pod_anneal.h"
#include "engine/tournament/formats/pods/pod_layout.h"

enum {
    PROPOSALS = 100000, /* per level and pass */
    PASSES_TINY = 16,   /* for rounds of at most TINY players, where repeats are hard to avoid */
    PASSES_SMALL = 4,   /* for rounds of at most SMALL players */
    PASSES_LARGE = 1,
    ANNEAL_TINY = 300000, /* proposals of the one annealing run, version 3 */
    ANNEAL_SMALL = 1500000,
    ANNEAL_LARGE = 1500000,
    LAST_PASSES = 2,        /* over the levels from the last annealed one on */
    LAST_PROPOSALS = 50000, /* per level and pass of these */
    LOOKS = 100,            /* at the next round, in the last descent */
    TINY = 24,
    SMALL = 64
};

static void shuffle_range(uint16_t *players, size_t count, struct chance_stream *stream)
{
    for (size_t i = count; i-- > 1;) {
        size_t j = chance_uniform(stream, (uint32_t)(i + 1));
        uint16_t player = players[i];
        players[i] = players[j];
        players[j] = player;
    }
}

static void start_by_score(struct pod_layout *plan, struct chance_stream *stream)
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
    pod_layout_count(plan);
}

/* How many levels must be examined to find an improvement: those after the last one above its bound
 * can only rise. */
static unsigned count_open_levels(const struct pod_layout *plan)
{
    unsigned levels = plan->problem->levels_searched;
    while (levels > 0 && plan->total.level[levels - 1] == plan->least.level[levels - 1])
        levels--;
    return levels;
}

/* Compares a swap in the first `levels` with the best one known, whose differences are in `best`;
 * all 0 stands for no swap. */
static bool swap_is_better(const struct pod_layout *plan, const struct pod_turn *turn,
                           unsigned levels, struct pod_key *best)
{
    for (unsigned level = 0; level < levels; level++) {
        int64_t difference = pod_layout_change(plan, turn, level);
        if (difference > best->level[level])
            return false;
        if (difference == best->level[level])
            continue;
        for (; level < plan->problem->levels_searched; level++)
            best->level[level] = pod_layout_change(plan, turn, level);
        return true;
    }
    return false;
}

/* Makes the best improving swap between two tables. False if there is none. */
static bool improve_tables(struct pod_layout *plan, size_t one, size_t other)
{
    struct pod_key best = {0};
    struct pod_turn best_turn = {0};
    unsigned levels = count_open_levels(plan);
    for (uint16_t a = plan->first[one]; a < plan->first[one + 1]; a++) {
        for (uint16_t b = plan->first[other]; b < plan->first[other + 1]; b++) {
            struct pod_turn turn = pod_layout_turn(plan, (uint16_t[]){a, b}, 2);
            ++*plan->steps;
            if (!swap_is_better(plan, &turn, levels, &best))
                continue;
            best_turn = turn;
            levels = plan->problem->levels_searched;
        }
    }
    if (best_turn.count == 0)
        return false;
    pod_layout_make_all(plan, &best_turn);
    return true;
}

/* Every two tables are compared after the last change of either, so in the end no swap improves. */
static void descend(struct pod_layout *plan, bool *changed)
{
    memset(changed, true, plan->table_count * sizeof *changed);
    for (bool again = true; again && *plan->steps < plan->most_steps;) {
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

static void look_ahead(struct pod_layout *plan)
{
    uint8_t table[POD_AHEAD_MAX];
    if (!plan->looks_ahead)
        return;
    for (size_t slot = 0; slot < plan->problem->count; slot++)
        table[plan->player[slot]] = (uint8_t)plan->table[slot];
    plan->ahead = pod_ahead_excess(plan->problem, plan->sizes, table, plan->steps);
}

/* P2 comes after P1, the first level. */
static bool is_better(const struct pod_layout *plan, const struct pod_layout *best)
{
    if (plan->total.level[0] == best->total.level[0] && plan->ahead != best->ahead)
        return plan->ahead < best->ahead;
    return pod_key_compare(&plan->total, &best->total, plan->problem->levels_searched) < 0;
}

/* One threshold search from the best plan, and descent. */
static void search_level(struct pod_layout *best, struct pod_layout *plan,
                         struct chance_stream *stream, unsigned level, uint32_t proposals,
                         bool *changed)
{
    pod_layout_copy(plan, best);
    pod_threshold_search(plan, stream, level, proposals);
    descend(plan, changed);
    look_ahead(plan);
    if (is_better(plan, best))
        pod_layout_copy(best, plan);
}

/* Whether the level can still fall; the level of repeats is also searched for what it leaves. */
static bool is_open(const struct pod_layout *best, unsigned level)
{
    return best->total.level[level] > best->least.level[level] ||
           (best->ahead > 0 &&
            pod_cost_level_criterion(best->problem->request, level) == POD_P3_REPEATS);
}

/* The least value of a level, if known; `spread` is that of P5. */
static int64_t level_floor(const struct pod_problem *problem, const struct table_sizes *sizes,
                           unsigned level, int64_t spread)
{
    switch (pod_cost_level_criterion(problem->request, level)) {
    case POD_P3_REPEATS:
        return pod_cost_repeats_bound(problem, sizes);
    case POD_P4_SHORT:
        return pod_cost_odd_bound(problem, sizes);
    case POD_P5_SPREAD:
        return spread;
    case POD_COMBINED:
        return spread +
               pod_cost_repeat_price(problem->request) * pod_cost_repeats_bound(problem, sizes);
    case POD_P7_SEATS:
        return pod_cost_seats_bound(problem, sizes);
    default:
        return 0;
    }
}

/* Whether no improvement is possible. Versions 1 and 2 do not check. */
static bool is_finished(const struct pod_layout *best, const struct pod_key *floors)
{
    bool finished = pod_version(best->problem->request) >= 3 && best->ahead == 0;
    for (unsigned level = 0; level < best->problem->levels_searched; level++)
        finished = finished && best->total.level[level] == floors->level[level];
    return finished;
}

static void search_by_level(struct pod_layout *best, struct pod_layout *plan,
                            struct chance_stream *stream, const struct pod_key *floors, int passes,
                            bool *changed)
{
    const struct pod_problem *problem = best->problem;
    for (int pass = 0; pass < passes; pass++)
        for (unsigned level = 0; level < problem->levels_searched; level++)
            if (is_open(best, level) && !is_finished(best, floors))
                search_level(best, plan, stream, level, PROPOSALS, changed);
}

/* ---- Version 3 ---- */

/* The levels that are annealed: those before the floats. */
static unsigned count_annealed(const struct pod_problem *problem)
{
    unsigned levels = 0;
    while (pod_cost_level_criterion(problem->request, levels) != POD_P6_FLOATS)
        levels++;
    return levels;
}

static bool is_any_open(const struct pod_layout *best, unsigned levels)
{
    bool open = best->ahead > 0;
    for (unsigned level = 0; level < levels; level++)
        open = open || best->total.level[level] > best->least.level[level];
    return open;
}

/* Takes over a seating: the players of a table in order of their numbers. */
static void take_seating(struct pod_layout *plan, const uint16_t *table_of)
{
    uint16_t slot = 0;
    for (uint16_t table = 0; table < plan->table_count; table++)
        for (uint16_t player = 0; player < plan->problem->count; player++)
            if (table_of[player] == table)
                plan->player[slot++] = player;
    pod_layout_count(plan);
}

/* The next round that goes with the best one. While a problem is pinned, pairs together in the next
 * round count as forbidden in this one, so the search keeps the balance of the two rounds. */
struct outlook {
    uint16_t *next; /* [player]: table */
    struct pod_problem pinned;
    bool known;
};

static bool outlook_init(struct outlook *outlook, const struct pod_problem *problem)
{
    size_t count = problem->count;
    *outlook = (struct outlook){.pinned = *problem};
    outlook->next = calloc(count, sizeof *outlook->next);
    outlook->pinned.kept_apart = calloc(count * count, sizeof *outlook->pinned.kept_apart);
    return outlook->next != NULL && outlook->pinned.kept_apart != NULL;
}

static void outlook_free(struct outlook *outlook)
{
    free(outlook->next);
    free(outlook->pinned.kept_apart);
}

static void pin(struct outlook *outlook, const uint16_t *next, struct pod_layout *plan)
{
    const struct pod_problem *problem = plan->problem;
    size_t count = problem->count;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            uint16_t kept = problem->kept_apart == NULL ? 0 : problem->kept_apart[a * count + b];
            outlook->pinned.kept_apart[a * count + b] = next[a] == next[b] ? POD_FORBIDDEN : kept;
        }
    plan->problem = &outlook->pinned;
    plan->looks_ahead = false;
    plan->ahead = 0;
    pod_layout_cost(plan);
}

static void unpin(struct pod_layout *plan, const struct pod_problem *problem)
{
    plan->problem = problem;
    plan->looks_ahead = true;
    pod_layout_cost(plan);
    look_ahead(plan);
}

/* Searches the levels from the last annealed one on, keeping those before them. */
static void search_last_levels(struct pod_layout *best, struct pod_layout *plan,
                               struct chance_stream *stream, bool *changed)
{
    const struct pod_problem *problem = best->problem;
    unsigned annealed = count_annealed(problem);
    for (int pass = 0; pass < LAST_PASSES; pass++)
        for (unsigned level = annealed - 1; level < problem->levels_searched; level++)
            if (best->total.level[level] > best->least.level[level])
                search_level(best, plan, stream, level, LAST_PROPOSALS, changed);
}

static void search_pinned(struct pod_layout *best, struct pod_layout *plan,
                          struct chance_stream *stream, struct outlook *outlook, bool *changed)
{
    const struct pod_problem *problem = best->problem;
    pin(outlook, outlook->next, best);
    plan->problem = best->problem;
    plan->looks_ahead = false;
    search_last_levels(best, plan, stream, changed);
    unpin(plan, problem);
    unpin(best, problem);
}

static void descend_pinned(struct pod_layout *plan, struct outlook *outlook, const uint16_t *next,
                           bool *changed)
{
    const struct pod_problem *problem = plan->problem;
    pin(outlook, next, plan);
    descend(plan, changed);
    unpin(plan, problem);
}

static void anneal_once(struct pod_layout *best, struct pod_layout *plan, struct pod_anneal *anneal,
                        struct outlook *outlook, bool *changed)
{
    size_t count = best->problem->count;
    uint32_t proposals = count <= TINY ? ANNEAL_TINY : count <= SMALL ? ANNEAL_SMALL : ANNEAL_LARGE;
    *plan->steps += plan->looks_ahead ? 2 * proposals : proposals;
    pod_anneal_run(anneal, proposals);
    take_seating(plan, anneal->best);
    if (plan->looks_ahead)
        descend_pinned(plan, outlook, anneal->best_next, changed);
    else
        descend(plan, changed);
    if (!is_better(plan, best))
        return;
    pod_layout_copy(best, plan);
    outlook->known = true;
    memcpy(outlook->next, anneal->best_next, count * sizeof *outlook->next);
}

/* Makes the first swap of two players that improves, including P2. False if there is none, or
 * `looks` are used up. */
static bool improve_looking_ahead(struct pod_layout *best, struct pod_layout *plan, unsigned *looks)
{
    for (uint16_t a = 0; a < best->problem->count; a++)
        for (uint16_t b = 0; b < a; b++) {
            struct pod_key none = {{0}};
            if (best->table[a] == best->table[b])
                continue;
            struct pod_turn turn = pod_layout_turn(best, (uint16_t[]){a, b}, 2);
            ++*best->steps;
            if (!swap_is_better(best, &turn, best->problem->levels_searched, &none))
                continue;
            if (*looks == 0)
                return false;
            --*looks;
            pod_layout_copy(plan, best);
            pod_layout_make_all(plan, &turn);
            look_ahead(plan);
            if (!is_better(plan, best))
                continue;
            pod_layout_copy(best, plan);
            return true;
        }
    return false;
}

static void descend_looking_ahead(struct pod_layout *best, struct pod_layout *plan)
{
    unsigned looks = LOOKS;
    while (best->looks_ahead && improve_looking_ahead(best, plan, &looks))
        continue;
}

static bool search_annealing(struct pod_layout *best, struct pod_layout *plan,
                             struct chance_stream *stream, bool *changed)
{
    const struct pod_problem *problem = best->problem;
    unsigned annealed = count_annealed(problem);
    struct pod_anneal anneal;
    struct outlook outlook;
    uint64_t luck = chance_word(stream);
    luck |= (uint64_t)chance_word(stream) << 32;
    bool done =
        pod_anneal_init(&anneal, problem, best->first, best->table_count, best->looks_ahead, luck);
    done = outlook_init(&outlook, problem) && done;
    if (done && is_any_open(best, annealed))
        anneal_once(best, plan, &anneal, &outlook, changed);
    if (done && outlook.known && best->looks_ahead)
        search_pinned(best, plan, stream, &outlook, changed);
    if (done)
        search_last_levels(best, plan, stream, changed);
    descend_looking_ahead(best, plan);
    arena_batch_free(&anneal.batch);
    outlook_free(&outlook);
    return done;
}

static int count_passes(const struct pod_problem *problem)
{
    if (problem->count > SMALL)
        return PASSES_LARGE;
    return problem->count > TINY ? PASSES_SMALL : PASSES_TINY;
}

static bool search(struct pod_layout *best, struct pod_layout *plan,
                   const struct table_sizes *sizes, struct chance_stream *stream, bool *changed)
{
    const struct pod_problem *problem = best->problem;
    struct pod_key floors = {{0}};
    int64_t spread = 0;
    if (pod_version(problem->request) >= 3 && !pod_cost_spread_least(problem, sizes, &spread))
        return false;
    for (unsigned level = 0; level < problem->levels_searched; level++) {
        int criterion = pod_cost_level_criterion(problem->request, level);
        floors.level[level] = level_floor(problem, sizes, level, spread);
        /* Versions 1 and 2 search even when this could be known to be futile. */
        if (criterion == POD_P3_REPEATS || criterion == POD_P7_SEATS)
            best->least.level[level] = floors.level[level];
    }
    plan->least = best->least;
    descend(best, changed);
    look_ahead(best);
    search_by_level(best, plan, stream, &floors, count_passes(problem), changed);
    best->least = plan->least = floors;
    return pod_version(problem->request) < 3 || is_finished(best, &floors) ||
           search_annealing(best, plan, stream, changed);
}

uint64_t pod_search_steps_max(size_t players)
{
    return UINT64_C(20000000) + 100 * (uint64_t)players * players;
}

bool pod_search_local(const struct pod_problem *problem, const struct table_sizes *sizes,
                      struct chance_stream *stream, uint16_t *players, uint8_t *table_size,
                      struct pod_work *work)
{
    struct pod_layout best, plan;
    bool *changed = calloc(sizes->table_count, sizeof *changed);
    *work = (struct pod_work){.proved = false};
    bool done = pod_layout_init(&best, problem, sizes, &work->steps);
    done = pod_layout_init(&plan, problem, sizes, &work->steps) && done && changed != NULL;
    if (done) {
        if (pod_version(problem->request) >= 3)
            best.most_steps = plan.most_steps = pod_search_steps_max(problem->count) / 2;
        start_by_score(&best, stream);
        done = search(&best, &plan, sizes, stream, changed);
        memcpy(players, best.player, problem->count * sizeof *players);
        for (size_t table = 0; table < best.table_count; table++)
            table_size[table] = (uint8_t)pod_layout_size(&best, table);
    }
    arena_batch_free(&best.batch);
    arena_batch_free(&plan.batch);
    free(changed);
    return done;
}
