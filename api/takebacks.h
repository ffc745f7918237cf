/* Moves that their own player may take back. */
#ifndef TILLROLL_API_TAKEBACKS_H
#define TILLROLL_API_TAKEBACKS_H

#include "db/games.h"
#include "engine/replay.h"

/* The first entry of the seat's turn that it may take back, with all after it; 0 for none. Tells
 * what the seat itself knows, and is for nobody else. */
unsigned takeback_from(const struct game_row *game, const struct replay *replay, unsigned seat);

#endif
