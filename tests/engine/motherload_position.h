/* For the tests of Super Motherload: a position from the set-up lines of a worked case. */
#ifndef TILLROLL_TESTS_MOTHERLOAD_POSITION_H
#define TILLROLL_TESTS_MOTHERLOAD_POSITION_H

#include "engine/games/super-motherload/rules.h"
#include "tests/engine/support/position.h"

static inline void load_position(struct motherload_state *state, const char *text)
{
    load_state(motherload_load, state, sizeof *state, text);
}

#endif
