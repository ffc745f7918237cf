/* Schedules in which nobody meets anybody twice, by construction, for tables of one size k.
 *
 *      players                       rounds      construction
 *      k                             1           one table
 *      k * q, q >= k a power of      q, and      k groups of q. Round r, table t: of group g the
 *        a prime                     more        element t + g * r, in the field of q elements (g
 *                                                counts elements of it). Two of one group never
 *                                                meet so far; then the groups play among
 *                                                themselves, by whatever construction q players
 *                                                have. With q = k this is the affine plane; k * k
 *                                                * .. players end with everybody having met
 *      3 * q, q = 1 (mod 6)          (3q-1)/2    k = 3: everybody meets everybody (Kirkman triple
 *      2 * q + 1, q = 1 (mod 6)      q           systems; Ray-Chaudhuri and Wilson, Solution of
 *                                                Kirkman's schoolgirl problem, 1971)
 *      3 * q + 1, q = 1 (mod 4)      q           the same for k = 4 (Hanani, Ray-Chaudhuri and
 *                                                Wilson, On resolvable designs, 1972)
 *
 * q is a power of a prime everywhere. The construction with the most rounds is taken.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_POD_DESIGN_H
#define TILLROLL_ENGINE_TOURNAMENT_POD_DESIGN_H

#include <stdint.h>

enum { POD_DESIGN_PLAYERS_MAX = 256, POD_DESIGN_ROUNDS_MAX = 255 };

/* How many rounds there are for `players` (1 .. POD_DESIGN_PLAYERS_MAX) at tables of `seats` (2 ..
 * TOURNAMENT_SEATS_MAX); 0 without a construction. Pure. */
unsigned pod_design_rounds(unsigned players, unsigned seats);

/* Players i and j with i / size = j / size are of one group; 1 where there are no groups. */
unsigned pod_design_group_size(unsigned players, unsigned seats);

/* Writes round `round` (0 .. pod_design_rounds() - 1): `players` numbers, each once, table after
 * table. Pure. */
void pod_design_round(unsigned players, unsigned seats, unsigned round, uint16_t *order);

/* The same for schedules that were found by search and are kept (pod_design_kept.c): those of
 * version 2 of pod_round_robin.h. There are no groups in them. */
unsigned pod_design_kept_rounds(unsigned players, unsigned seats);
void pod_design_kept_round(unsigned players, unsigned seats, unsigned round, uint16_t *order);

#endif
