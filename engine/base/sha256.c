#include "engine/base/sha256.h"

#include <sodium.h>
#include <string.h>

void sha256_portable(uint8_t hash[static SHA256_BYTES], struct span first, struct span second)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)first.at, first.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)second.at, second.length);
    crypto_hash_sha256_final(&state, hash);
}

void sha256_chain_portable(uint8_t hash[static SHA256_BYTES], struct span line)
{
    char bytes[2 * SHA256_BYTES + 2];
    struct text text = TEXT_OVER(bytes);
    crypto_hash_sha256_state state;
    text_add_hex(&text, hash, SHA256_BYTES);
    text_add_char(&text, ' ');
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)bytes, text.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)line.at, line.length);
    crypto_hash_sha256_update(&state, (const unsigned char *)"\n", 1);
    crypto_hash_sha256_final(&state, hash);
}

/* clang does not accept this feature name in __builtin_cpu_supports. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

#include "engine/base/sha256_rounds.h"

enum { BLOCK = 64, QUARTERS = 16 };

/* The words a .. h in the order that the instructions use. */
struct state {
    __m128i abef, cdgh;
};

/* 4.2.1 and 6.2.2, four rounds at a time; `word` holds the last sixteen words of the schedule. */
__attribute__((target("sha,sse4.1"))) static void take_block(struct state *state,
                                                             const uint8_t block[static BLOCK])
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const struct state before = *state;
    __m128i abef = before.abef;
    __m128i cdgh = before.cdgh;
    __m128i word[4];
#pragma GCC unroll 16
    for (int i = 0; i < QUARTERS; i++) {
        __m128i *oldest = &word[i % 4];
        const __m128i newest = word[(i + 3) % 4];
        if (i < 4) {
            *oldest = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i)), big_endian);
        } else {
            __m128i sum = _mm_sha256msg1_epu32(*oldest, word[(i + 1) % 4]);
            sum = _mm_add_epi32(sum, _mm_alignr_epi8(newest, word[(i + 2) % 4], 4));
            *oldest = _mm_sha256msg2_epu32(sum, newest);
        }
        __m128i input = _mm_add_epi32(
            *oldest,
            _mm_loadu_si128((const __m128i *)(const void *)(sha256_round_constant + 4 * i)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0e));
    }
    state->abef = _mm_add_epi32(abef, before.abef);
    state->cdgh = _mm_add_epi32(cdgh, before.cdgh);
}

/* 5.3.3. */
__attribute__((target("sha,sse4.1"))) static void begin(struct state *state)
{
    state->abef = _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c);
    state->cdgh = _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
}

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (24 - 8 * i));
    return at + 4;
}

__attribute__((target("sha,sse4.1"))) static void write_hash(const struct state *state,
                                                             uint8_t hash[static SHA256_BYTES])
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i feba = _mm_shuffle_epi32(state->abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(state->cdgh, 0xb1);
    const __m128i dcba = _mm_blend_epi16(feba, dchg, 0xf0);
    const __m128i hgfe = _mm_alignr_epi8(dchg, feba, 8);
    _mm_storeu_si128((__m128i *)(void *)hash, _mm_shuffle_epi8(dcba, big_endian));
    _mm_storeu_si128((__m128i *)(void *)(hash + 16), _mm_shuffle_epi8(hgfe, big_endian));
}

/* The bytes collected for a block, and the state. */
struct filling {
    struct state state;
    size_t length;
    uint8_t block[BLOCK];
};

static void take_span(struct filling *filling, struct span bytes)
{
    while (bytes.length > 0) {
        if (filling->length == 0 && bytes.length >= BLOCK) {
            take_block(&filling->state, (const uint8_t *)bytes.at);
            bytes.at += BLOCK;
            bytes.length -= BLOCK;
            continue;
        }
        size_t part = BLOCK - filling->length;
        if (part > bytes.length)
            part = bytes.length;
        memcpy(filling->block + filling->length, bytes.at, part);
        filling->length += part;
        bytes.at += part;
        bytes.length -= part;
        if (filling->length == BLOCK) {
            take_block(&filling->state, filling->block);
            filling->length = 0;
        }
    }
}

/* 5.1.1: a 1 bit, zeros, and the length in bits. */
static void take_padding(struct filling *filling, uint64_t size)
{
    enum { LENGTH_AT = BLOCK - 8 };
    filling->block[filling->length++] = 0x80;
    memset(filling->block + filling->length, 0, BLOCK - filling->length);
    if (filling->length > LENGTH_AT) {
        take_block(&filling->state, filling->block);
        memset(filling->block, 0, LENGTH_AT);
    }
    uint8_t *at = put_word(filling->block + LENGTH_AT, (uint32_t)(size >> 29));
    put_word(at, (uint32_t)(size << 3));
    take_block(&filling->state, filling->block);
}

static void sha256_native(uint8_t hash[static SHA256_BYTES], struct span first, struct span second)
{
    struct filling filling = {.length = 0};
    begin(&filling.state);
    take_span(&filling, first);
    take_span(&filling, second);
    take_padding(&filling, (uint64_t)first.length + second.length);
    write_hash(&filling.state, hash);
}

/* A hash in hex fills the first block of its own. */
__attribute__((target("sha,sse4.1"))) static void write_hex(const uint8_t hash[static SHA256_BYTES],
                                                            uint8_t block[static BLOCK])
{
    const __m128i digits = _mm_loadu_si128((const __m128i *)(const void *)"0123456789abcdef");
    const __m128i low = _mm_set1_epi8(15);
    for (int i = 0; i < SHA256_BYTES; i += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(hash + i));
        const __m128i first = _mm_and_si128(_mm_srli_epi16(bytes, 4), low);
        const __m128i second = _mm_and_si128(bytes, low);
        __m128i *at = (__m128i *)(void *)(block + 2 * (size_t)i);
        _mm_storeu_si128(at, _mm_shuffle_epi8(digits, _mm_unpacklo_epi8(first, second)));
        _mm_storeu_si128(at + 1, _mm_shuffle_epi8(digits, _mm_unpackhi_epi8(first, second)));
    }
}

static void sha256_chain_native(uint8_t hash[static SHA256_BYTES], struct span line)
{
    struct filling filling = {.length = 0};
    begin(&filling.state);
    write_hex(hash, filling.block);
    take_block(&filling.state, filling.block);
    filling.block[filling.length++] = ' ';
    take_span(&filling, line);
    take_span(&filling, (struct span){"\n", 1});
    take_padding(&filling, (uint64_t)BLOCK + 1 + line.length + 1);
    write_hash(&filling.state, hash);
}

static bool is_native(void)
{
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
}

void sha256(uint8_t hash[static SHA256_BYTES], struct span first, struct span second)
{
    if (is_native())
        sha256_native(hash, first, second);
    else
        sha256_portable(hash, first, second);
}

void sha256_chain(uint8_t hash[static SHA256_BYTES], struct span line)
{
    if (is_native())
        sha256_chain_native(hash, line);
    else
        sha256_chain_portable(hash, line);
}

#else

void sha256(uint8_t hash[static SHA256_BYTES], struct span first, struct span second)
{
    sha256_portable(hash, first, second);
}

void sha256_chain(uint8_t hash[static SHA256_BYTES], struct span line)
{
    sha256_chain_portable(hash, line);
}

#endif
