/* Sets of positions among 32 bytes: which of them equal a value, or reach it. A table of at most 32
 * things that keeps each of their properties in an array of its own is searched at once. Bytes and
 * values are below 128. Also how arrays are cleared in blocks. Any thread. */
#ifndef TILLROLL_ENGINE_BASE_BYTES_H
#define TILLROLL_ENGINE_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BYTES = 32 };

/* The same as below, on any processor: eight bytes at a time. */

/* Bit 7 of each byte of `marks` as one bit each. */
static inline uint32_t bytes_gather(uint64_t marks)
{
    return (uint32_t)((marks >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >>
                      56);
}

/* Eight bytes, the first one lowest: on most machines a single load. */
static inline uint64_t bytes_eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline uint32_t bytes_at_least_portable(const uint8_t bytes[static BYTES], uint8_t value)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint32_t found = 0;
    for (unsigned i = 0; i < BYTES; i += 8)
        found |= bytes_gather((bytes_eight(bytes + i) | 0x80 * each) - value * each) << i;
    return found;
}

static inline uint32_t bytes_equal_portable(const uint8_t bytes[static BYTES], uint8_t value)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint32_t found = 0;
    for (unsigned i = 0; i < BYTES; i += 8) /* a difference of 0 gets no bit 7 */
        found |= bytes_gather(~((bytes_eight(bytes + i) ^ value * each) + 0x7f * each)) << i;
    return found;
}

/* Bit i: bytes[i] == value. */
static inline uint32_t bytes_equal(const uint8_t bytes[static BYTES], uint8_t value)
{
#ifdef __SSE2__
    const __m128i sought = _mm_set1_epi8((char)value);
    const __m128i *at = (const __m128i *)(const void *)bytes;
    const int low = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(at), sought));
    const int high = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(at + 1), sought));
    return (uint32_t)low | (uint32_t)high << 16;
#else
    return bytes_equal_portable(bytes, value);
#endif
}

/* Bit i: bytes[i] >= value. */
static inline uint32_t bytes_at_least(const uint8_t bytes[static BYTES], uint8_t value)
{
#ifdef __SSE2__
    const __m128i least = _mm_set1_epi8((char)value);
    const __m128i *at = (const __m128i *)(const void *)bytes;
    const __m128i first = _mm_loadu_si128(at), second = _mm_loadu_si128(at + 1);
    const int low = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(first, least), first));
    const int high = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(second, least), second));
    return (uint32_t)low | (uint32_t)high << 16;
#else
    return bytes_at_least_portable(bytes, value);
#endif
}

/* Clears the first `used` of an array's things, each of `size` bytes, in whole blocks, of which the
 * array consists; those that follow are empty. `size` is known when this is compiled, so a block is
 * cleared by single instructions. */
enum { BYTES_BLOCK = 8 };

static inline void bytes_clear(void *things, unsigned used, size_t size)
{
    for (unsigned i = 0; i < used; i += BYTES_BLOCK)
        memset((char *)things + i * size, 0, BYTES_BLOCK * size);
}

/* How many bits are set. */
static inline unsigned bytes_count(uint32_t set)
{
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return ((set + (set >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

#endif
