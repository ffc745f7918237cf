/* Looks ahead in small fields, version 3: whether rounds without repeats can follow. Internal to
 * the pairing.
 *
 * It answers the question of pod_later.h faster:
 *
 *      order      the players of a round are seated in order of the fewest players left to meet,
 *                 and a round is abandoned as soon as one has too few
 *      symmetry   rounds are interchangeable, so the first player's companies are tried in
 *                 ascending order of their first member
 *      counting   every player, and all together, need enough unmet pairs
 *
 * No answer costs more than POD_COMPLETION_STEPS tables. Sets of players are bit sets, indexed by
 * the player's number.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_COMPLETION_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_COMPLETION_H

#include <stddef.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

/* The players that each player has met. */
struct pod_acquaintance {
    uint16_t met[POD_EXHAUSTIVE_MAX];
    size_t count;
};

/* For the players of a problem, at most POD_EXHAUSTIVE_MAX. */
void pod_acquaintance_read(const struct pod_problem *problem,
                           struct pod_acquaintance *acquaintance);
void pod_acquaintance_add(struct pod_acquaintance *acquaintance, uint16_t table);

enum {
    POD_COMPLETION_STEPS = 100000, /* tables tried for one answer */
    POD_COMPLETION_TABLES = POD_EXHAUSTIVE_MAX / TABLE_SIZE_MIN,
    POD_COMPLETION_ROUNDS = POD_EXHAUSTIVE_MAX - 1 /* in which every player meets somebody new */
};

enum pod_completion {
    POD_COMPLETION_FOUND, /* such rounds were found */
    POD_COMPLETION_NONE,  /* proved that there are none */
    POD_COMPLETION_OPEN   /* unknown: the steps were used up */
};

/* A round: its tables, unused ones 0. */
typedef uint16_t pod_completion_round[POD_COMPLETION_TABLES];

/* Looks for `rounds` (0 .. POD_COMPLETION_ROUNDS) rounds without repeats with tables of these
 * sizes, among players who have met according to `acquaintance`. Adds the tables tried to *steps.
 * If the rounds are found and `found` is not NULL, writes them there. Pure. */
enum pod_completion pod_completion_find(const struct pod_acquaintance *acquaintance,
                                        const struct table_sizes *sizes, unsigned rounds,
                                        uint64_t *steps, pod_completion_round *found);

#endif
