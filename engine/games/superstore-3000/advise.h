/* The two halves of the player: what it reads from its view, and what it thinks of a position. */
#ifndef TILLROLL_SUPERSTORE_ADVISE_H
#define TILLROLL_SUPERSTORE_ADVISE_H

#include <jansson.h>

#include "engine/games/superstore-3000/state.h"

/* Sets the table up again from a seat's view. What the view does not tell gets a stand-in: other
 * seats' cards are the first one, the tiles of the supply are all alike. */
void superstore_read_view(const json_t *view, struct superstore_state *state);

/* How good the position is for the seat, in hundredths of a point. */
int32_t superstore_worth(const struct superstore_state *state, unsigned seat);

#endif
