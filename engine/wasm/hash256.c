#include "engine/wasm/hash256.h"

#include <string.h>

#include "engine/base/sha256_rounds.h"

enum { BLOCK = 64, LENGTH_AT = BLOCK - 8, ROUNDS = 64 };

static uint32_t turn(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t read_word(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void write_word(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* 6.2.2, step 1. */
static void make_schedule(const uint8_t block[static BLOCK], uint32_t word[static ROUNDS])
{
    for (size_t i = 0; i < 16; i++)
        word[i] = read_word(block + 4 * i);
    for (size_t i = 16; i < ROUNDS; i++) {
        uint32_t late = turn(word[i - 2], 17) ^ turn(word[i - 2], 19) ^ word[i - 2] >> 10;
        uint32_t early = turn(word[i - 15], 7) ^ turn(word[i - 15], 18) ^ word[i - 15] >> 3;
        word[i] = late + word[i - 7] + early + word[i - 16];
    }
}

/* 6.2.2, step 3: `v` are the words a .. h. */
static void take_round(uint32_t v[static 8], uint32_t input)
{
    uint32_t sum_of_e = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
    uint32_t sum_of_a = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
    uint32_t chosen = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    uint32_t first = v[7] + sum_of_e + chosen + input;
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += first;
    v[0] = first + sum_of_a + majority;
}

static void take_block(struct hash256 *hash, const uint8_t block[static BLOCK])
{
    uint32_t word[ROUNDS];
    uint32_t v[8];
    make_schedule(block, word);
    memcpy(v, hash->word, sizeof v);
    for (size_t i = 0; i < ROUNDS; i++)
        take_round(v, sha256_round_constant[i] + word[i]);
    for (size_t i = 0; i < 8; i++)
        hash->word[i] += v[i];
}

/* 5.3.3. */
void hash256_begin(struct hash256 *hash)
{
    *hash = (struct hash256){.word = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                      0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void hash256_add(struct hash256 *hash, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        size_t filled = (size_t)(hash->length % BLOCK);
        size_t part = size < BLOCK - filled ? size : BLOCK - filled;
        memcpy(hash->block + filled, bytes, part);
        hash->length += part;
        bytes += part;
        size -= part;
        if (hash->length % BLOCK == 0)
            take_block(hash, hash->block);
    }
}

/* 5.1.1: a bit that is set, zeros, and the length in bits. */
void hash256_end(struct hash256 *hash, uint8_t result[static 32])
{
    static const uint8_t padding[BLOCK] = {0x80};
    const uint64_t bits = hash->length * 8;
    size_t filled = (size_t)(hash->length % BLOCK);
    hash256_add(hash, padding,
                filled < LENGTH_AT ? LENGTH_AT - filled : BLOCK + LENGTH_AT - filled);
    write_word(hash->block + LENGTH_AT, (uint32_t)(bits >> 32));
    write_word(hash->block + LENGTH_AT + 4, (uint32_t)bits);
    take_block(hash, hash->block);
    for (size_t i = 0; i < 8; i++)
        write_word(result + 4 * i, hash->word[i]);
}
