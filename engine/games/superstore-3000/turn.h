/* What runs by itself between two decisions. */
#ifndef TILLROLL_SUPERSTORE_TURN_H
#define TILLROLL_SUPERSTORE_TURN_H

#include "engine/games/superstore-3000/wishes.h"

/* Settles the wishes of the active seat's mall (rulebook, Move Customers): lone customers go to
 * lone stores by themselves. Stops at SERVE if the seat has a choice; else fills up the dispenser
 * column that waits for it and passes the turn on. */
void superstore_settle(struct superstore_state *state);

/* Takes the tile from a slot of the dispenser, closes the column up, and marks it for a new tile.
 * Returns the tile. */
uint8_t superstore_take(struct superstore_state *state, unsigned column, unsigned row);

/* The game ends with this round. `supply` says which of the two reasons it is. */
void superstore_trigger_end(struct superstore_state *state, bool supply);

#endif
