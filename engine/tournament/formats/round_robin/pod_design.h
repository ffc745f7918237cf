/* Constructed schedules without repeats, for tables of one size k.
 *
 *      players                       rounds      construction
 *      k                             1           one table
 *      k * q, q >= k a power of      q, and      k groups of q. Round r, table t: of group g the
 *        a prime                     more        element t + g * r, in the field of q elements (g
 *                                                counts elements of it). Players of one group do
 *                                                not meet so far; then the groups play among
 *                                                themselves, by a construction for q players.
 *                                                With q = k this is the affine plane; with k * k
 *                                                * .. players everyone meets everyone
 *      3 * q, q = 1 (mod 6)          (3q-1)/2    k = 3: everyone meets everyone (Kirkman triple
 *      2 * q + 1, q = 1 (mod 6)      q           systems; Ray-Chaudhuri and Wilson, Solution of
 *                                                Kirkman's schoolgirl problem, 1971)
 *      3 * q + 1, q = 1 (mod 4)      q           the same for k = 4 (Hanani, Ray-Chaudhuri and
 *                                                Wilson, On resolvable designs, 1972)
 *
 * q is a power of a prime everywhere. The construction with the most rounds is taken.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_DESIGN_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_ROUND_ROBIN_POD_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

enum { POD_DESIGN_PLAYERS_MAX = 256, POD_DESIGN_ROUNDS_MAX = 255 };

/* The number of rounds for `players` (1 .. POD_DESIGN_PLAYERS_MAX) at tables of `seats` (2 ..
 * TOURNAMENT_SEATS_MAX); 0 without a construction. Pure. */
unsigned pod_design_rounds(unsigned players, unsigned seats);

/* Players i and j with i / size = j / size are in one group; 1 without groups. */
unsigned pod_design_group_size(unsigned players, unsigned seats);

/* Writes round `round` (0 .. pod_design_rounds() - 1): `players` numbers, each once, table after
 * table. Pure. */
void pod_design_round(unsigned players, unsigned seats, unsigned round, uint16_t *order);

/* The same for stored schedules that were found by search (pod_design.c): those of version 2 of
 * pod_round_robin.h. They have no groups. */
unsigned pod_design_kept_rounds(unsigned players, unsigned seats);
void pod_design_kept_round(unsigned players, unsigned seats, unsigned round, uint16_t *order);

/* Finite fields with up to GALOIS_SIZE_MAX elements, for constructing schedules.
 *
 * An element is a number 0 .. size - 1, read as a polynomial with its digits to the base of the
 * prime as coefficients: 0 and 1 are themselves, sums go digit by digit. Products come from
 * logarithms to a primitive element.
 */

enum { GALOIS_SIZE_MAX = 128 };

struct galois {
    unsigned size;
    unsigned prime;
    uint8_t power[GALOIS_SIZE_MAX];     /* power[i]: the i-th power of the primitive element */
    uint8_t logarithm[GALOIS_SIZE_MAX]; /* of an element other than 0: 0 .. size - 2 */
};

/* Makes the field with `size` elements. False if there is none: `size` is not a power of a prime,
 * or out of range (2 .. GALOIS_SIZE_MAX). Pure. */
bool galois_make(struct galois *field, unsigned size);

unsigned galois_add(const struct galois *field, unsigned a, unsigned b);
unsigned galois_subtract(const struct galois *field, unsigned a, unsigned b);
unsigned galois_multiply(const struct galois *field, unsigned a, unsigned b);

#endif
