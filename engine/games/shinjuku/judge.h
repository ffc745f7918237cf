/* What a position is worth to a player: the customers it has, and those in reach of its Stores. */
#ifndef TILLROLL_SHINJUKU_JUDGE_H
#define TILLROLL_SHINJUKU_JUDGE_H

#include "engine/games/shinjuku/state.h"

/* The value of a collection to a player who may add to it: four for each point. */
int32_t shinjuku_worth(const uint8_t earned[static KINDS], unsigned bonus);

/* How well the customers on the map and in the Queue can reach the seat's Stores. */
int32_t shinjuku_reach(const struct shinjuku_state *state, unsigned seat);

#endif
