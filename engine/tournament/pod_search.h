/* Searching for the best seating of a problem (Tillroll Pod Swiss version 1, step D). Internal to
 * the pairing.
 *
 * A plan is the players' numbers in a row, table after table; the sizes of the tables are fixed.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_POD_SEARCH_H
#define TILLROLL_ENGINE_TOURNAMENT_POD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/chance.h"
#include "engine/tournament/pod_cost.h"
#include "engine/tournament/table_sizes.h"

/* The best seating of up to POD_EXHAUSTIVE_MAX players, P2 with `later` rounds to follow included
 * (pod_later.h; 0 = P2 is not asked for). Writes the players in the order of tables and the sizes
 * of these to `players` (problem->count) and `table_size`. False when memory is short. */
bool pod_search_exhaustive(const struct pod_problem *problem, const struct table_sizes *sizes,
                           unsigned later, uint16_t *players, uint8_t *table_size);

/* A seating that no swap of two players improves, for any number of players. */
bool pod_search_local(const struct pod_problem *problem, const struct table_sizes *sizes,
                      struct chance_stream *stream, uint16_t *players, uint8_t *table_size);

#endif
