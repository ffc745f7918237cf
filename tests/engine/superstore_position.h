/* For the tests of Superstore 3000: a position from the set-up lines of a worked case. */
#ifndef TILLROLL_TESTS_SUPERSTORE_POSITION_H
#define TILLROLL_TESTS_SUPERSTORE_POSITION_H

#include "engine/games/superstore-3000/position.h"
#include "engine/games/superstore-3000/rules.h"
#include "tests/engine/support/position.h"

static inline void load_position(struct superstore_state *state, const char *text)
{
    load_state(superstore_load_position, state, sizeof *state, text);
}

#endif
