/* Randomness for tests: a chance stream named by a number, so that a failure is repeated by its
 * number. */
#ifndef TILLROLL_TESTS_DICE_H
#define TILLROLL_TESTS_DICE_H

#include "engine/game/chance.h"

struct dice {
    struct chance_stream stream;
};

void dice_open(struct dice *dice, const char *purpose, uint32_t number);

/* 0 .. n - 1, n >= 1. */
uint32_t dice_below(struct dice *dice, size_t n);

/* True once in `n` throws. */
bool dice_one_in(struct dice *dice, uint32_t n);

/* The seed of game `number`. */
void dice_seed(uint32_t number, uint8_t seed[static CHANCE_SEED_BYTES]);

#endif
