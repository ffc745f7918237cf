/* Signed integers of a number of 64-bit limbs that is known at run time, least limb first, in two's
 * complement. Internal to the matching, which adds and compares very many of them: hence inline.
 *
 * Nothing overflows as long as the numbers keep LIMBS_HEADROOM bits free.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_NUMBER_LIMBS_H
#define TILLROLL_ENGINE_TOURNAMENT_NUMBER_LIMBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LIMBS_HEADROOM = 32 };

static inline void limbs_copy(uint64_t *to, const uint64_t *from, size_t limbs)
{
    for (size_t i = 0; i < limbs; i++)
        to[i] = from[i];
}

static inline void limbs_zero(uint64_t *to, size_t limbs)
{
    for (size_t i = 0; i < limbs; i++)
        to[i] = 0;
}

/* sum = a + b; sum may be a or b. */
static inline void limbs_add(uint64_t *sum, const uint64_t *a, const uint64_t *b, size_t limbs)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < limbs; i++) {
        uint64_t first = a[i] + b[i];
        uint64_t second = first + carry;
        carry = (uint64_t)(first < a[i]) | (uint64_t)(second < first);
        sum[i] = second;
    }
}

/* difference = a - b; difference may be a or b. */
static inline void limbs_subtract(uint64_t *difference, const uint64_t *a, const uint64_t *b,
                                  size_t limbs)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs; i++) {
        uint64_t first = a[i] - b[i];
        uint64_t second = first - borrow;
        borrow = (uint64_t)(first > a[i]) | (uint64_t)(second > first);
        difference[i] = second;
    }
}

/* Negative, 0 or positive as a is less than, equal to or greater than b. */
static inline int limbs_compare(const uint64_t *a, const uint64_t *b, size_t limbs)
{
    const uint64_t sign = UINT64_C(1) << 63;
    if (a[limbs - 1] != b[limbs - 1])
        return (a[limbs - 1] ^ sign) < (b[limbs - 1] ^ sign) ? -1 : 1;
    for (size_t i = limbs - 1; i-- > 0;) {
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

static inline bool limbs_is_zero(const uint64_t *a, size_t limbs)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < limbs; i++)
        bits |= a[i];
    return bits == 0;
}

/* half = a / 2 for an even a; half may be a. */
static inline void limbs_halve(uint64_t *half, const uint64_t *a, size_t limbs)
{
    for (size_t i = 0; i + 1 < limbs; i++)
        half[i] = a[i] >> 1 | a[i + 1] << 63;
    half[limbs - 1] = a[limbs - 1] >> 1 | (a[limbs - 1] & UINT64_C(1) << 63);
}

/* Adds 2^bit. */
static inline void limbs_add_bit(uint64_t *a, unsigned bit, size_t limbs)
{
    uint64_t carry = UINT64_C(1) << bit % 64;
    for (size_t i = bit / 64; i < limbs && carry != 0; i++) {
        a[i] += carry;
        carry = (uint64_t)(a[i] < carry);
    }
}

#endif
