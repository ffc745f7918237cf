/* The two halves of `struct game_cases`: positions in, expectations out. */
#ifndef TILLROLL_SUPERSTORE_POSITION_H
#define TILLROLL_SUPERSTORE_POSITION_H

#include "engine/game.h"

/* See `load` and `read` in engine/game.h; tests/cases/superstore-3000/README.md explains the keys.
 */
bool superstore_load_position(void *state, const struct case_line *lines, size_t count,
                              struct chance_stacks *stacks, const struct chance *chance,
                              struct text *error);
bool superstore_read_position(const void *state, struct span key, struct span rest,
                              struct text *actual);

#endif
