/* The cost of a table: the criteria of pod_round.h over the players of one round, in the order of
 * the event's profile. Internal to the pairing.
 *
 * The players of a problem are those with a seat, numbered in order of score, place and TPN, from
 * 0. That order depends only on the players, so no result depends on the order in which they were
 * given.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_COST_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_round.h"
#include "engine/tournament/formats/pods/pod_seats.h"

enum {
    POD_LEVELS_MAX = 8,
    POD_COMBINED = -1 /* a criterion: P3 and P5 as one number, for `balanced` */
};

/* The costs of a table or a round in the order in which they are compared. */
struct pod_key {
    int64_t level[POD_LEVELS_MAX];
};

struct pod_problem {
    const struct pod_request *request; /* borrowed */
    size_t count;                      /* players with a seat */
    uint16_t *input;                   /* owned: number -> index in the request */
    uint8_t *met;                      /* owned: count^2, by number */
    uint16_t *kept_apart;              /* owned: count^2 weights, by number; NULL without pairs */
    uint64_t pairing_key;              /* for P9 */
    unsigned levels;                   /* compared by an exhaustive search */
    unsigned levels_searched;          /* compared by a local search: without P9 */
};

/* Numbers the players for whom seated[i] is true. False when out of memory; call pod_problem_free()
 * in either case. */
bool pod_problem_init(struct pod_problem *problem, const struct pod_request *request,
                      const bool *seated, uint64_t pairing_key);
void pod_problem_free(struct pod_problem *problem);

/* The version of the rules by which a request is paired. */
static inline unsigned pod_version(const struct pod_request *request)
{
    return request->version == 0 ? POD_VERSION : request->version;
}

/* The player behind a number. */
const struct pod_player *pod_problem_player(const struct pod_problem *problem, uint16_t number);

/* Level `level` of the key of a table. `table` holds `size` numbers in any order. */
int64_t pod_cost_level(const struct pod_problem *problem, unsigned level, const uint16_t *table,
                       unsigned size);

/* The criterion that level `level` compares, or POD_COMBINED. */
int pod_cost_level_criterion(const struct pod_request *request, unsigned level);

/* The price of one repeat in `balanced`, in the unit of P5. */
int64_t pod_cost_repeat_price(const struct pod_request *request);

/* Every criterion of a table, with P7 for its best seats. */
void pod_cost_criteria(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                       struct pod_criteria *criteria);

/* What the seats at this table depend on; player i of the seating is table[i]. */
void pod_cost_seating(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                      struct pod_seating *seating);

/* 1, 0 or -1 if the player's score is above, at or below the mean of the table. */
int8_t pod_cost_float(const struct pod_problem *problem, const uint16_t *table, unsigned size,
                      unsigned player);

/* A lower bound of P3 over all seatings of these players at tables of these sizes. */
int64_t pod_cost_repeats_bound(const struct pod_problem *problem, const struct table_sizes *sizes);

/* A lower bound of the sum of P3 over this round and another with tables of the same sizes. */
int64_t pod_cost_repeats_bound_of_two(const struct pod_problem *problem,
                                      const struct table_sizes *sizes);

/* The least P4: the players with the fewest sittings at odd tables sit there. */
int64_t pod_cost_odd_bound(const struct pod_problem *problem, const struct table_sizes *sizes);

/* The least P5, ignoring repeats. The sizes are those of table_sizes_choose(): at most a few tables
 * do not have the preferred size. False when out of memory. */
bool pod_cost_spread_least(const struct pod_problem *problem, const struct table_sizes *sizes,
                           int64_t *spread);

/* A lower bound of P7: every player in the least used seat, beside a new neighbour. */
int64_t pod_cost_seats_bound(const struct pod_problem *problem, const struct table_sizes *sizes);

void pod_key_add(struct pod_key *sum, const struct pod_key *key, unsigned levels);
int pod_key_compare(const struct pod_key *a, const struct pod_key *b, unsigned levels);

/* Negative, 0 or positive as vector `a` is better than, equal to or worse than `b` under the
 * request's profile, P9 included. */
int pod_criteria_compare(const struct pod_request *request, const struct pod_criteria *a,
                         const struct pod_criteria *b);

#endif
