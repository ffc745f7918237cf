/* The two halves of the adviser: reading its view, and judging a position. */
#ifndef TILLROLL_SUPERSTORE_ADVISE_H
#define TILLROLL_SUPERSTORE_ADVISE_H

#include <jansson.h>

#include "engine/games/superstore-3000/state.h"

/* Rebuilds the table from a seat's view. Unknown things get a stand-in: other seats' cards are the
 * first card, the tiles of the supply are all the same. */
void superstore_read_view(const json_t *view, struct superstore_state *state);

/* The value of the position for the seat, in hundredths of a point. */
int32_t superstore_worth(const struct superstore_state *state, unsigned seat);

#endif
