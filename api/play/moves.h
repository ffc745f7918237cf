/* Moves that may be taken back, and moves that the rules refused. */
#ifndef TILLROLL_API_PLAY_MOVES_H
#define TILLROLL_API_PLAY_MOVES_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* ---- Taking back ---- */

/* The entry from which the seat may take back its turn (that entry and all later ones), or 0 if it
 * may not. Reveals what only the seat may know: never show it to another caller. */
unsigned takeback_from(const struct game_row *game, const struct replay *replay, unsigned seat);

/* ---- Moves that were refused ---- */

/* Moves that the rules refused, of seats that had to decide. They are kept as evidence for
 * disputes. Each is written after its request has been answered as refused, in a transaction of its
 * own, and is not part of the record. */

/* Stores the refused move noted in the call, once the call's own transaction has been rolled back.
 * Errors are ignored: the response does not depend on it. */
void refused_moves_store(struct call *call);

/* Lists the refused moves of one seat, or of all with -1, in a new list. False with a problem. */
bool refused_moves_document(struct call *call, const struct id *game, int seat, json_t **list);

#endif
