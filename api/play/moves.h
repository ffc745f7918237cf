/* What else there is of moves: those that may be taken back, and those that the rules refused. */
#ifndef TILLROLL_API_PLAY_MOVES_H
#define TILLROLL_API_PLAY_MOVES_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* ---- Taking back ---- */

/* The first entry of the seat's turn that it may take back, with all after it; 0 for none. Tells
 * what the seat itself knows, and is for nobody else. */
unsigned takeback_from(const struct game_row *game, const struct replay *replay, unsigned seat);

/* ---- Moves that were refused ---- */

/* Moves that the rules refused, of seats that had to decide: kept so that a dispute can tell who
 * tried what. They are written when the request has been answered as refused, in a transaction of
 * its own, and are no part of the record.
 */

/* Stores what was noted, when the call's own transaction has been rolled back. What cannot be
 * stored is not: the answer does not depend on it. */
void refused_moves_store(struct call *call);

/* Those of one seat, or of all with -1, as a new list. False with a problem. */
bool refused_moves_document(struct call *call, const struct id *game, int seat, json_t **list);

#endif
