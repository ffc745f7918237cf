/* What worked cases of Super Motherload can expect of a position. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_EXPECTATIONS_H
#define TILLROLL_SUPER_MOTHERLOAD_EXPECTATIONS_H

#include "engine/text.h"

/* See `read` of struct game_cases in engine/game.h. */
bool motherload_read_expectation(const void *state, struct span key, struct span rest,
                                 struct text *actual);

#endif
