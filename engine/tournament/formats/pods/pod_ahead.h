/* Looking one round ahead in fields that are too large for pod_later.h: what a round leaves to the
 * next one. Internal to the pairing.
 *
 * Where a round has as few repeats as can be, there are many that have, and they differ in whom
 * they leave for later: of 20 players after seven rounds at tables of four the last seven pairs who
 * have not met fit five tables, or they do not. So the rounds that the search finds are compared by
 * what they and the next one have together.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_AHEAD_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

enum { POD_AHEAD_MAX = 24 /* players with a seat */ };

/* True if P2 is what this file says: version 2 of the rules or later, profile `strict`, more
 * players than POD_EXHAUSTIVE_MAX and no more than POD_AHEAD_MAX, no byes, and a round planned
 * after this one.
 */
bool pod_ahead_is_asked(const struct pod_problem *problem, const struct table_sizes *sizes);

/* P2 of a seating: its repeats and those of the best next round that a short search finds, less the
 * fewest that two rounds of so many pairs can have. `table` [number] is who sits where; which
 * number a table has does not matter. Adds its work to *steps. The search tries POD_AHEAD_STEPS
 * swaps, each the best that is not barred (tabu), and draws nothing: the same on every machine. */
int64_t pod_ahead_excess(const struct pod_problem *problem, const struct table_sizes *sizes,
                         const uint8_t *table, uint64_t *steps);

enum { POD_AHEAD_STEPS = 1000, POD_AHEAD_WORK = 16 /* what one of them counts */ };

#endif
