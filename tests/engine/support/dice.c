#include "tests/engine/support/dice.h"

#include <string.h>

void dice_seed(uint32_t number, uint8_t seed[static CHANCE_SEED_BYTES])
{
    memset(seed, 0, CHANCE_SEED_BYTES);
    for (size_t i = 0; i < sizeof number; i++)
        seed[i] = (uint8_t)(number >> 8 * i);
}

void dice_open(struct dice *dice, const char *purpose, uint32_t number)
{
    struct chance chance = {.stacks = NULL};
    dice_seed(number, chance.seed);
    chance_open(&dice->stream, &chance, purpose, 0);
}

uint32_t dice_below(struct dice *dice, size_t n)
{
    return chance_uniform(&dice->stream, (uint32_t)n);
}

bool dice_one_in(struct dice *dice, uint32_t n)
{
    return dice_below(dice, n) == 0;
}
