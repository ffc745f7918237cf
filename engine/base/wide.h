/* Unsigned integers of 128 bits, for products and roots beyond 64 bits, and helpers for fixed-point
 * arithmetic.
 *
 * __int128 exists on 64-bit machines only; these few functions give the same numbers everywhere.
 * The algorithms are plain binary ones: short, and fast enough here.
 */
#ifndef TILLROLL_ENGINE_BASE_WIDE_H
#define TILLROLL_ENGINE_BASE_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wide {
    uint64_t high, low;
};

struct wide wide_product(uint64_t a, uint64_t b);

/* floor(a / b), which must fit in 64 bits: a.high < b. */
uint64_t wide_quotient(struct wide a, uint64_t b);

/* a / 2^bits rounded to the nearest, half up; bits 1 .. 127. The result must fit in 64 bits. */
uint64_t wide_shift(struct wide a, unsigned bits);

/* floor(sqrt(a)). */
uint64_t wide_root(struct wide a);

/* The greatest common divisor; that of a number and 0 is the number. */
uint64_t wide_divisor(uint64_t a, uint64_t b);

/* floor(a * b / c), which must fit in 64 bits. c >= 1. */
uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t c);

/* a - b; a >= b. */
struct wide wide_difference(struct wide a, struct wide b);

/* Fractions with WIDE_FRACTION bits after the point: 1 is WIDE_ONE. */
enum { WIDE_FRACTION = 60, WIDE_EXPONENT_FRACTION = 48 };
#define WIDE_ONE (UINT64_C(1) << WIDE_FRACTION)

/* a * b rounded to the nearest; the result must be below 16. */
uint64_t wide_multiply(uint64_t a, uint64_t b);

/* e^-x for x >= 0 with WIDE_EXPONENT_FRACTION bits after the point; within 2^-46 of it. */
uint64_t wide_exponential(uint64_t x);

/* Negative, 0 or positive as a is less than, equal to or greater than b. */
int wide_compare(struct wide a, struct wide b);

#endif
