/* A seating under construction, and the effect of swaps on it. Internal to the pairing.
 *
 * Changes of the criteria are computed from sums kept for every table and player, so most swaps
 * cost a few additions.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LAYOUT_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

enum { POD_TURN_MAX = 3 };

/* The cost of the best seats (P7) of tables seen before. */
struct pod_seats_known {
    uint64_t table; /* its size and its players, ascending; 0 = none */
    int64_t cost;
};

struct pod_layout {
    const struct pod_problem *problem;
    const struct table_sizes *sizes;
    size_t table_count;
    uint16_t *player; /* [slot]: tables one after another */
    uint16_t *slot;   /* [player] */
    uint16_t *table;  /* [slot] */
    uint16_t *first;  /* [table]: its first slot; [table_count] = number of players */
    int64_t *score;   /* [player] */
    int64_t *odd;     /* [player]: what P4 adds at an odd table */
    int64_t *sum;     /* [table]: sum of scores */
    int16_t *company; /* [table * players + player]: how often the player met those who sit there */
    struct pod_seats_known *known;
    int criterion[POD_LEVELS_MAX]; /* [level] */
    struct pod_key *keys;          /* [table] */
    struct pod_key total;
    struct pod_key least; /* lower bounds of `total` */
    bool looks_ahead;
    int64_t ahead;   /* P2, if it applies; otherwise 0 */
    uint64_t *steps; /* steps of work; borrowed */
    uint64_t most_steps;
    struct arena_batch batch; /* all of the arrays */
};

/* The player of each slot goes to the next slot, that of the last to the first: two slots make a
 * swap, three a cycle. The slots are at different tables. */
struct pod_turn {
    unsigned count;
    uint16_t slot[POD_TURN_MAX];
    uint16_t table[POD_TURN_MAX];
    uint16_t leaves[POD_TURN_MAX], comes[POD_TURN_MAX]; /* players, by table */
};

/* Allocates memory and lays out the tables, the preferred size first, so low players sit at the
 * others unless the search finds better. No player is seated yet. False when out of memory; free
 * the batch in either case. */
bool pod_layout_init(struct pod_layout *plan, const struct pod_problem *problem,
                     const struct table_sizes *sizes, uint64_t *steps);

/* Copies the seating of another plan of the same problem. */
void pod_layout_copy(struct pod_layout *to, const struct pod_layout *from);

/* Recounts everything after player[] was written. */
void pod_layout_count(struct pod_layout *plan);

/* Recomputes the keys and their sum, for another problem with the same players or after turns. */
void pod_layout_cost(struct pod_layout *plan);

/* A threshold search for one level: makes this many proposals of swaps and cycles of three. A
 * proposal is accepted if no earlier level rises and this one rises by no more than a threshold
 * that shrinks to 0. */
void pod_threshold_search(struct pod_layout *plan, struct chance_stream *stream, unsigned level,
                          uint32_t proposals);

/* The change of a level by the turn. */
int64_t pod_layout_change(const struct pod_layout *plan, const struct pod_turn *turn,
                          unsigned level);

/* Makes the turn. Updates the first `levels` of keys and sum where other turns need them; with
 * `all`, everywhere and on all levels. */
void pod_layout_make(struct pod_layout *plan, const struct pod_turn *turn, unsigned levels);
void pod_layout_make_all(struct pod_layout *plan, const struct pod_turn *turn);

static inline unsigned pod_layout_size(const struct pod_layout *plan, size_t table)
{
    return (unsigned)(plan->first[table + 1] - plan->first[table]);
}

static inline struct pod_turn pod_layout_turn(const struct pod_layout *plan, const uint16_t *slots,
                                              unsigned count)
{
    struct pod_turn turn;
    turn.count = count;
    uint16_t before = plan->player[slots[count - 1]];
    for (unsigned i = 0; i < count; i++) {
        turn.slot[i] = slots[i];
        turn.table[i] = plan->table[slots[i]];
        turn.comes[i] = before;
        before = turn.leaves[i] = plan->player[slots[i]];
    }
    return turn;
}

/* The change of a level when `comes` takes the place of `leaves` at a table. */
static inline int pod_layout_repeats_at(const struct pod_layout *plan, size_t table, size_t comes,
                                        size_t leaves)
{
    size_t count = plan->problem->count;
    const int16_t *company = plan->company + table * count;
    return company[comes] - company[leaves] - plan->problem->met[comes * count + leaves];
}

static inline int64_t pod_layout_odd_at(const struct pod_layout *plan, size_t table, size_t comes,
                                        size_t leaves)
{
    if (pod_layout_size(plan, table) == plan->problem->request->rule.preferred)
        return 0;
    return plan->odd[comes] - plan->odd[leaves];
}

/* The change of 60 / size * (size * sum of squares - square of the sum). */
static inline int64_t pod_layout_spread_at(const struct pod_layout *plan, size_t table,
                                           size_t comes, size_t leaves)
{
    static const int8_t parts[TOURNAMENT_SEATS_MAX + 1] = {0, 60, 30, 20, 15, 12};
    int64_t size = pod_layout_size(plan, table);
    int64_t from = plan->score[leaves], to = plan->score[comes], more = to - from;
    return parts[size] * more * (size * (from + to) - 2 * plan->sum[table] - more);
}

#endif
