/* The parts of the adviser: what it reads from a view, what it would do by rule of thumb, and
 * trying out what might happen. */
#ifndef TILLROLL_SUPERMARCHE_ADVISE_H
#define TILLROLL_SUPERMARCHE_ADVISE_H

#include <jansson.h>

#include "engine/games/supermarche/state.h"

/* Reads a view into a position that the player could be in: cards that it has not seen lie in table
 * order. Fields that are missing count as empty. */
void supermarche_read_view(struct supermarche_state *state, const json_t *view);

/* Writes what a shopkeeper would do by rule of thumb, without looking at cards that lie face down.
 * A legal move. */
void supermarche_plan(const struct supermarche_state *state, struct text *move);

#endif
