/* For the tests of Shinjuku: a position from the set-up lines of a worked case. */
#ifndef TILLROLL_TESTS_SHINJUKU_POSITION_H
#define TILLROLL_TESTS_SHINJUKU_POSITION_H

#include "engine/games/shinjuku/rules.h"
#include "tests/engine/support/position.h"

static inline void load_position(struct shinjuku_state *state, const char *text)
{
    load_state(shinjuku_load, state, sizeof *state, text);
}

#endif
