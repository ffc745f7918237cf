/* Moves that the rules refused, of seats that had to decide: kept so that a dispute can tell who
 * tried what. They are written when the request has been answered as refused, in a transaction of
 * its own, and are no part of the record.
 */
#ifndef TILLROLL_API_REFUSED_MOVES_H
#define TILLROLL_API_REFUSED_MOVES_H

#include "api/call.h"
#include "engine/replay.h"

/* Notes in the call that this move was refused; refused_moves_store() keeps it. Nothing if the seat
 * did not have to decide: then it was no matter of the rules. */
void refused_moves_note(struct call *call, const struct id *game, const struct replay *replay,
                        unsigned seat, struct span move, const struct refusal *refusal);

/* Stores what was noted, when the call's own transaction has been rolled back. What cannot be
 * stored is not: the answer does not depend on it. */
void refused_moves_store(struct call *call);

/* Those of one seat, or of all with -1, as a new list. False with a problem. */
bool refused_moves_document(struct call *call, const struct id *game, int seat, json_t **list);

#endif
