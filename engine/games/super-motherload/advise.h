/* What the adviser makes of a seat's view. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_ADVISE_H
#define TILLROLL_SUPER_MOTHERLOAD_ADVISE_H

#include <jansson.h>

#include "engine/games/super-motherload/state.h"

/* Reads the active seat's own view back into a position, so that the rules' own geometry can be
 * used to look ahead. What the view does not tell is as on an empty table; fields that are missing
 * or have no meaning are left out. */
void motherload_read_view(const json_t *view, struct motherload_state *state);

#endif
