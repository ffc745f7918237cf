/* The parts of the adviser: reading a view, a rule of thumb, and trials of what might happen. */
#ifndef TILLROLL_SUPERMARCHE_ADVISE_H
#define TILLROLL_SUPERMARCHE_ADVISE_H

#include <jansson.h>

#include "engine/games/supermarche/state.h"

/* Reads a view into a possible position: unseen cards lie in table order. Missing fields count as
 * empty. */
void supermarche_read_view(struct supermarche_state *state, const json_t *view);

/* Writes a legal move by rule of thumb, without using face-down cards. */
void supermarche_plan(const struct supermarche_state *state, struct text *move);

#endif
