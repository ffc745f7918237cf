#include "engine/wasm/chacha20.h"

#include <string.h>

enum { DOUBLE_ROUNDS = 10 };

static uint32_t turn(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t read_word(const uint8_t *at)
{
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* RFC 8439, 2.1. */
static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b;
    *d = turn(*d ^ *a, 16);
    *c += *d;
    *b = turn(*b ^ *c, 12);
    *a += *b;
    *d = turn(*d ^ *a, 8);
    *c += *d;
    *b = turn(*b ^ *c, 7);
}

/* Columns, then diagonals. */
static void double_round(uint32_t v[static 16])
{
    for (size_t i = 0; i < 4; i++)
        quarter_round(&v[i], &v[4 + i], &v[8 + i], &v[12 + i]);
    for (size_t i = 0; i < 4; i++)
        quarter_round(&v[i], &v[4 + (i + 1) % 4], &v[8 + (i + 2) % 4], &v[12 + (i + 3) % 4]);
}

/* 2.3. */
void chacha20_block(uint8_t block[static CHACHA20_BLOCK], const uint8_t key[static CHACHA20_KEY],
                    const uint8_t nonce[static CHACHA20_NONCE], uint32_t counter)
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    uint32_t v[16];
    for (size_t i = 0; i < 8; i++)
        start[4 + i] = read_word(key + 4 * i);
    start[12] = counter;
    for (size_t i = 0; i < 3; i++)
        start[13 + i] = read_word(nonce + 4 * i);
    memcpy(v, start, sizeof v);
    for (size_t i = 0; i < DOUBLE_ROUNDS; i++)
        double_round(v);
    for (size_t i = 0; i < CHACHA20_BLOCK; i++)
        block[i] = (uint8_t)((v[i / 4] + start[i / 4]) >> (8 * (i % 4)));
}
