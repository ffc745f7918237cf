#include "engine/tournament/formats/pods/pod_ahead.h"

#include <assert.h>
#include <limits.h>

enum {
    TABLES_MAX = POD_AHEAD_MAX / TABLE_SIZE_MIN,
    BARRED_LEAST = 5, /* steps for which a player must not return to a table, */
    BARRED_MORE = 9   /* plus a number below this that varies */
};

/* The next round under construction. */
struct next_round {
    unsigned count;
    int met[POD_AHEAD_MAX][POD_AHEAD_MAX];  /* including this round; 0 with oneself */
    int company[POD_AHEAD_MAX][TABLES_MAX]; /* [player][table]: meetings with those who sit there */
    unsigned barred[POD_AHEAD_MAX][TABLES_MAX]; /* [player][table]: tabu up to this step */
    uint8_t table[POD_AHEAD_MAX];
    int repeats, least;
};

struct exchange_of_seats {
    unsigned a, b;
    int difference;
};

bool pod_ahead_is_asked(const struct pod_problem *problem, const struct table_sizes *sizes)
{
    const struct pod_request *request = problem->request;
    return request->version != 1 && request->profile == POD_STRICT &&
           problem->count > POD_EXHAUSTIVE_MAX && problem->count <= POD_AHEAD_MAX &&
           sizes->byes == 0 && request->later_rounds > 0;
}

/* Starts with all players seated as in this round. */
static int begin(struct next_round *next, const struct pod_problem *problem, const uint8_t *table)
{
    int now = 0;
    *next = (struct next_round){.count = (unsigned)problem->count};
    for (unsigned a = 0; a < next->count; a++) {
        next->table[a] = table[a];
        for (unsigned b = 0; b < next->count; b++) {
            bool together = a != b && table[a] == table[b];
            int before = a == b ? 0 : problem->met[a * problem->count + b];
            next->met[a][b] = before + together;
            next->company[a][table[b]] += next->met[a][b];
            now += together ? before : 0;
            next->repeats += together ? next->met[a][b] : 0;
        }
    }
    next->repeats /= 2;
    next->least = next->repeats;
    return now / 2;
}

static int difference_of(const struct next_round *next, unsigned a, unsigned b)
{
    uint8_t at = next->table[a], other = next->table[b];
    return next->company[a][other] + next->company[b][at] - next->company[a][at] -
           next->company[b][other] - 2 * next->met[a][b];
}

static bool is_barred(const struct next_round *next, unsigned a, unsigned b, unsigned step)
{
    return next->barred[a][next->table[b]] >= step || next->barred[b][next->table[a]] >= step;
}

/* The best exchange that is not tabu, or that gives fewer repeats than ever before. False if there
 * is none. */
static bool choose(const struct next_round *next, unsigned step, struct exchange_of_seats *best)
{
    best->difference = INT_MAX;
    for (unsigned a = 0; a < next->count; a++)
        for (unsigned b = a + 1; b < next->count; b++) {
            if (next->table[a] == next->table[b])
                continue;
            int difference = difference_of(next, a, b);
            bool never = next->repeats + difference < next->least;
            if (difference < best->difference && (never || !is_barred(next, a, b, step)))
                *best = (struct exchange_of_seats){a, b, difference};
        }
    return best->difference < INT_MAX;
}

static void make(struct next_round *next, const struct exchange_of_seats *chosen, unsigned step)
{
    unsigned a = chosen->a, b = chosen->b;
    uint8_t at = next->table[a], other = next->table[b];
    next->barred[a][at] = step + BARRED_LEAST + (7 * step + a) % BARRED_MORE;
    next->barred[b][other] = step + BARRED_LEAST + (5 * step + b) % BARRED_MORE;
    for (unsigned player = 0; player < next->count; player++) {
        int change = next->met[player][b] - next->met[player][a];
        next->company[player][at] += change;
        next->company[player][other] -= change;
    }
    next->table[a] = other;
    next->table[b] = at;
    next->repeats += chosen->difference;
    if (next->repeats < next->least)
        next->least = next->repeats;
}

int64_t pod_ahead_excess(const struct pod_problem *problem, const struct table_sizes *sizes,
                         const uint8_t *table, uint64_t *steps)
{
    struct next_round next;
    struct exchange_of_seats chosen;
    assert(problem->count <= POD_AHEAD_MAX && sizes->table_count <= TABLES_MAX);
    int now = begin(&next, problem, table);
    int64_t bound = pod_cost_repeats_bound_of_two(problem, sizes);
    for (unsigned step = 1; step <= POD_AHEAD_STEPS && now + next.least > bound; step++) {
        *steps += POD_AHEAD_WORK;
        if (choose(&next, step, &chosen))
            make(&next, &chosen, step);
    }
    return now + next.least - bound;
}
