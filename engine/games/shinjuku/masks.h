/* Rows of bytes looked at eight at a time, and sets of bits that are made of them. */
#ifndef TILLROLL_SHINJUKU_MASKS_H
#define TILLROLL_SHINJUKU_MASKS_H

#include <stdint.h>

#include "engine/base/bytes.h"

/* Bit i for every byte i of eight that is not 0. */
static inline uint64_t shinjuku_filled(uint64_t eight)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    const uint64_t tops = (((eight & low) + low) | eight) & ~low;
    return bytes_gather(tops);
}

/* The sum of eight bytes, below 256. */
static inline unsigned shinjuku_sum(uint64_t eight)
{
    return (unsigned)(eight * UINT64_C(0x0101010101010101) >> 56);
}

/* Bit i for every byte i of `count`, 8 to 64, that differs from `value`. The last eight are looked
 * at together, whether or not some of them have been looked at before. */
static inline uint64_t shinjuku_others(const uint8_t *bytes, unsigned count, uint8_t value)
{
    const uint64_t same = value * UINT64_C(0x0101010101010101);
    uint64_t others = shinjuku_filled(bytes_eight(bytes + count - 8) ^ same) << (count - 8);
    for (unsigned at = 0; at + 8 < count; at += 8)
        others |= shinjuku_filled(bytes_eight(bytes + at) ^ same) << at;
    return others;
}

/* The lowest bit of a set that is not empty. */
static inline unsigned shinjuku_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

#endif
