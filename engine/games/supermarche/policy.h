/* A shopkeeper's rule of thumb. */
#ifndef TILLROLL_SUPERMARCHE_POLICY_H
#define TILLROLL_SUPERMARCHE_POLICY_H

#include "engine/games/supermarche/state.h"

/* Writes a legal move by rule of thumb, without using face-down cards. */
void supermarche_plan(const struct supermarche_components *set,
                      const struct supermarche_state *state, struct text *move);

#endif
