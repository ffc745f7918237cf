/* Finite fields with up to GALOIS_SIZE_MAX elements, for constructing schedules.
 *
 * An element is a number 0 .. size - 1, read as a polynomial with its digits to the base of the
 * prime as coefficients: 0 and 1 are themselves, sums go digit by digit. Products come from
 * logarithms to a primitive element.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_GALOIS_H
#define TILLROLL_ENGINE_TOURNAMENT_GALOIS_H

#include <stdbool.h>
#include <stdint.h>

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

/* The primitive element to any power. */
unsigned galois_power(const struct galois *field, unsigned exponent);

#endif
