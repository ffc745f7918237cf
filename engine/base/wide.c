#include "engine/base/wide.h"

#include <assert.h>

enum {
    EXPONENT_MAX = 40, /* e^-40 is below one unit of WIDE_FRACTION bits */
    SERIES_TERMS = 20  /* ln(2)^20 / 20! is below 2^-60 */
};

#define LN2 UINT64_C(195103586505167) /* ln 2 * 2^48 */

struct wide wide_product(uint64_t a, uint64_t b)
{
    uint64_t a_high = a >> 32, a_low = a & UINT32_MAX;
    uint64_t b_high = b >> 32, b_low = b & UINT32_MAX;
    uint64_t low = a_low * b_low;
    uint64_t first = a_high * b_low + (low >> 32);
    uint64_t second = a_low * b_high + (first & UINT32_MAX);
    return (struct wide){a_high * b_high + (first >> 32) + (second >> 32),
                         second << 32 | (low & UINT32_MAX)};
}

uint64_t wide_quotient(struct wide a, uint64_t b)
{
    assert(a.high < b);
    uint64_t rest = a.high, quotient = 0;
    for (unsigned bit = 64; bit-- > 0;) {
        uint64_t carry = rest >> 63;
        rest = rest << 1 | (a.low >> bit & 1);
        quotient <<= 1;
        if (carry != 0 || rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    return quotient;
}

uint64_t wide_shift(struct wide a, unsigned bits)
{
    assert(bits >= 1 && bits <= 127);
    uint64_t half = bits <= 64 ? a.low >> (bits - 1) & 1 : a.high >> (bits - 65) & 1;
    uint64_t shifted = 0;
    if (bits < 64) {
        assert(a.high >> bits == 0);
        shifted = a.high << (64 - bits) | a.low >> bits;
    } else {
        shifted = a.high >> (bits - 64);
    }
    return shifted + half;
}

/* Bit by bit from the top: the candidate is kept while its square does not exceed `a`. */
uint64_t wide_root(struct wide a)
{
    uint64_t root = 0;
    for (unsigned bit = 64; bit-- > 0;) {
        uint64_t candidate = root | UINT64_C(1) << bit;
        if (wide_compare(wide_product(candidate, candidate), a) <= 0)
            root = candidate;
    }
    return root;
}

uint64_t wide_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t c)
{
    return wide_quotient(wide_product(a, b), c);
}

struct wide wide_difference(struct wide a, struct wide b)
{
    assert(wide_compare(a, b) >= 0);
    return (struct wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

uint64_t wide_multiply(uint64_t a, uint64_t b)
{
    return wide_shift(wide_product(a, b), WIDE_FRACTION);
}

/* Halvings for the multiples of ln 2, a series for the rest, innermost bracket first. */
uint64_t wide_exponential(uint64_t x)
{
    if (x >= (uint64_t)EXPONENT_MAX << WIDE_EXPONENT_FRACTION)
        return 0;
    uint64_t halvings = x / LN2;
    uint64_t rest = (x % LN2) << (WIDE_FRACTION - WIDE_EXPONENT_FRACTION);
    uint64_t value = WIDE_ONE;
    for (uint64_t term = SERIES_TERMS; term >= 1; term--)
        value = WIDE_ONE - wide_multiply(rest, value) / term;
    return value >> halvings;
}

int wide_compare(struct wide a, struct wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return (a.low > b.low) - (a.low < b.low);
}
