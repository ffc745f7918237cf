#include "engine/wasm/blake2b.h"

#include <string.h>

enum { ROUNDS = 12 };

/* RFC 7693, 2.6: the initial words are those of SHA-512. */
static const uint64_t initial[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                    0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                    0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/* 2.7: the words of the block that a round takes; rounds 10 and 11 repeat rounds 0 and 1. */
static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* 3.1: columns of the four rows of v, then diagonals. */
static const uint8_t mixed[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                                    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};

static uint64_t turn(uint64_t word, unsigned bits)
{
    return word >> bits | word << (64 - bits);
}

static uint64_t read_word(const uint8_t *at)
{
    uint64_t word = 0;
    for (size_t i = 8; i-- > 0;)
        word = word << 8 | at[i];
    return word;
}

static void mix(uint64_t v[static 16], const uint8_t at[static 4], uint64_t x, uint64_t y)
{
    uint64_t *a = &v[at[0]];
    uint64_t *b = &v[at[1]];
    uint64_t *c = &v[at[2]];
    uint64_t *d = &v[at[3]];
    *a += *b + x;
    *d = turn(*d ^ *a, 32);
    *c += *d;
    *b = turn(*b ^ *c, 24);
    *a += *b + y;
    *d = turn(*d ^ *a, 16);
    *c += *d;
    *b = turn(*b ^ *c, 63);
}

/* 3.2, over the block. Lengths are below 2^64, so the upper half of the offset stays 0. */
static void take_block(struct blake2b *hash, uint64_t last)
{
    uint64_t word[16];
    uint64_t v[16];
    hash->length += hash->filled;
    for (size_t i = 0; i < 16; i++)
        word[i] = read_word(hash->block + 8 * i);
    memcpy(v, hash->word, sizeof hash->word);
    memcpy(v + 8, initial, sizeof initial);
    v[12] ^= hash->length;
    v[14] ^= last;
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < 8; i++)
            mix(v, mixed[i], word[order[round % 10][2 * i]], word[order[round % 10][2 * i + 1]]);
    for (size_t i = 0; i < 8; i++)
        hash->word[i] ^= v[i] ^ v[i + 8];
    hash->filled = 0;
}

void blake2b_begin(struct blake2b *hash, const uint8_t *key, size_t key_size, size_t result_size)
{
    static const uint8_t zeros[BLAKE2B_BLOCK];
    *hash = (struct blake2b){.length = 0};
    memcpy(hash->word, initial, sizeof initial);
    hash->word[0] ^= UINT64_C(0x01010000) ^ (uint64_t)key_size << 8 ^ (uint64_t)result_size;
    if (key_size == 0)
        return;
    blake2b_add(hash, key, key_size);
    blake2b_add(hash, zeros, BLAKE2B_BLOCK - key_size);
}

/* A full block is processed only when more bytes follow, because the last block is processed
 * differently. */
void blake2b_add(struct blake2b *hash, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        if (hash->filled == BLAKE2B_BLOCK)
            take_block(hash, 0);
        size_t part = size < BLAKE2B_BLOCK - hash->filled ? size : BLAKE2B_BLOCK - hash->filled;
        memcpy(hash->block + hash->filled, bytes, part);
        hash->filled += part;
        bytes += part;
        size -= part;
    }
}

void blake2b_end(struct blake2b *hash, uint8_t *result, size_t result_size)
{
    memset(hash->block + hash->filled, 0, BLAKE2B_BLOCK - hash->filled);
    take_block(hash, UINT64_MAX);
    for (size_t i = 0; i < result_size; i++)
        result[i] = (uint8_t)(hash->word[i / 8] >> (8 * (i % 8)));
}
