/* Looks one round ahead in fields that are too large for pod_later.h: what a round leaves to the
 * next one. Internal to the pairing.
 *
 * Many rounds have the fewest possible repeats, and they differ in the meetings they leave for
 * later: of 20 players after seven rounds at tables of four, the last seven unmet pairs fit five
 * tables or they do not. So the rounds that the search finds are compared by the repeats of this
 * round and the next together.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_AHEAD_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/result/table_sizes.h"

enum { POD_AHEAD_MAX = 24 /* players with a seat */ };

/* True if P2 is defined by this file: version 2 of the rules or later, profile `strict`, more
 * players than POD_EXHAUSTIVE_MAX and at most POD_AHEAD_MAX, no byes, and a round planned after
 * this one. */
bool pod_ahead_is_asked(const struct pod_problem *problem, const struct table_sizes *sizes);

/* P2 of a seating: its repeats plus those of the best next round that a short search finds, less
 * the minimum for two rounds of this many pairs. `table` [number] is the player's table; the
 * numbering of tables does not matter. Adds its work to *steps. The search makes POD_AHEAD_STEPS
 * swaps, each the best that is not tabu, without drawing: the result is the same on every
 * machine. */
int64_t pod_ahead_excess(const struct pod_problem *problem, const struct table_sizes *sizes,
                         const uint8_t *table, uint64_t *steps);

enum { POD_AHEAD_STEPS = 1000, POD_AHEAD_WORK = 16 /* the work of one of them */ };

#endif
