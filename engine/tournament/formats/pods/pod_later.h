/* Looks ahead in small fields: whether the remaining planned rounds can have no repeats. Internal
 * to the pairing. For versions 1 and 2; version 3 uses pod_completion.h.
 *
 * A round can be perfect in itself and spoil later ones: with 16 players at tables of four, some
 * choices of three rounds without repeats allow no fourth. Sets of players are bit sets, indexed by
 * the player's number.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LATER_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_PODS_POD_LATER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tournament/formats/pods/pod_completion.h"
#include "engine/tournament/result/table_sizes.h"

/* The number of rounds after this one that P2 considers: those planned, while every player has
 * enough unmet others; in version 3 also no more than the unmet pairs allow. 0 if P2 does not
 * apply: in larger fields, with byes, in profiles other than `strict`, or if this round already
 * needs repeats. */
unsigned pod_later_rounds(const struct pod_problem *problem, const struct table_sizes *sizes);

/* True if this seating has no repeats and `rounds` further rounds without repeats can follow: P2 is
 * 0. */
bool pod_later_fits(const struct pod_problem *problem, const struct table_sizes *sizes,
                    unsigned rounds, const uint16_t *players, const uint8_t *table_size);

/* True if this many rounds without repeats can follow, or if POD_LATER_STEPS tables tried do not
 * rule it out: the same on every machine. */
bool pod_later_is_open(const struct pod_acquaintance *acquaintance, const struct table_sizes *sizes,
                       unsigned rounds);

enum { POD_LATER_STEPS = 200000 };

#endif
