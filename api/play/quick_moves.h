/* Moves that are played from memory and written in groups: the way of nearly every move.
 *
 *      loop    token, game and position are at hand; the move is played on a copy   QUICK_LATER
 *      writer  one transaction for all that wait db/writer/writer.h loop    meanwhile: one
 * signature for all of them loop    the copy becomes the game; answers
 *
 * A token or game that is not at hand is fetched first; a request that comes late, or again, is
 * answered from the last rows if they are at hand. Whatever else is not plain goes the way of a
 * transaction of its own (api/play/moves.c) instead, before anything has happened: a refusal,
 * sealed decisions, the end of a game, moves of a seat with a signing key. So does a move that lost
 * a race.
 */
#ifndef TILLROLL_API_PLAY_QUICK_MOVES_H
#define TILLROLL_API_PLAY_QUICK_MOVES_H

#include "api/request/call.h"

/* The quick way of POST /v1/games/{id}/moves (api/request/route.h). Loop thread. */
enum http_quick moves_quick(struct call *call, struct http_pending *pending);

/* Brings the games of `count` calls to hand, for moves_quick() to be asked again
 * (api/request/route.h). */
void moves_fetch(struct call *calls, size_t count);

/* Hands the moves on that were played in this turn of the loop; `context` is the struct service.
 * Loop thread. */
void moves_hand_over(void *context);

/* Answers the moves that a writer is done with; `context` is the struct moves_writer. Loop thread.
 */
void moves_written(void *context);

#endif
