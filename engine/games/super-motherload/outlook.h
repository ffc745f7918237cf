/* What the adviser makes of a seat's view: the view read back into a position in which everything
 * the seat cannot know is empty, so that the rules' own geometry can be used to look ahead. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_OUTLOOK_H
#define TILLROLL_SUPER_MOTHERLOAD_OUTLOOK_H

#include <jansson.h>

#include "engine/games/super-motherload/state.h"

/* The active seat's own view as a position. What the view does not tell is as in an empty one. */
void motherload_read_view(const json_t *view, struct motherload_state *state);

#endif
