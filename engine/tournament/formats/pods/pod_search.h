/* Searches for the best seating of a problem (Tillroll Pod Swiss, step D). Internal to the pairing.
 *
 * A plan lists the players' numbers table after table; the sizes of the tables are fixed.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SEARCH_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/chance.h"
#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

/* The work of a search. */
struct pod_work {
    uint64_t steps; /* see struct pod_pairing */
    bool proved;    /* no other seating has a better vector */
};

/* The best seating of up to POD_EXHAUSTIVE_MAX players, including P2 with `later` rounds to follow
 * (pod_later.h, version 3: pod_completion.h; 0 = P2 does not apply). Writes the players in the
 * order of tables to `players` (problem->count) and the sizes to `table_size`. False when out of
 * memory. */
bool pod_search_exhaustive(const struct pod_problem *problem, const struct table_sizes *sizes,
                           unsigned later, uint16_t *players, uint8_t *table_size,
                           struct pod_work *work);

/* A seating that no swap of two players improves, for any number of players. (In version 3: unless
 * the work limit was reached before.) */
bool pod_search_local(const struct pod_problem *problem, const struct table_sizes *sizes,
                      struct chance_stream *stream, uint16_t *players, uint8_t *table_size,
                      struct pod_work *work);

/* The maximum work of version 3 for this many seated players (pod_pairing.steps): 20 million steps
 * plus 200 for every two players. A step is a table tried or costed, or a proposed swap: about ten
 * nanoseconds. */
uint64_t pod_search_steps_max(size_t players);

#endif
