/* Moves that are played from memory and written in groups, as nearly all moves are.
 *
 *      loop      token, game and position are in memory; the move is played on a copy: QUICK_LATER
 *      writer    one transaction for all waiting moves (db/writer/writer.h)
 *      loop      meanwhile: one signature for all of them
 *      loop      the copy becomes the game; the requests are answered
 *
 * A token or game that is not in memory is fetched first; a late or repeated request is answered
 * from the last rows if they are in memory. All other moves get a transaction of their own
 * (api/play/moves.c), before anything has been changed: refusals, sealed decisions, the end of a
 * game, moves of a seat with a signing key, and moves that lost a race.
 */
#ifndef TILLROLL_API_PLAY_QUICK_MOVES_H
#define TILLROLL_API_PLAY_QUICK_MOVES_H

#include "api/request/call.h"

/* The quick handler of POST /v1/games/{id}/moves (api/request/route.h). Loop thread. */
enum http_quick moves_quick(struct call *call, struct http_pending *pending);

/* Loads the games of `count` calls into memory, so that moves_quick() can be tried again
 * (api/request/route.h). */
void moves_fetch(struct call *calls, size_t count);

/* Hands the moves played in this turn of the loop to the writers; `context` is the struct service.
 * Loop thread. */
void moves_hand_over(void *context);

/* Answers the moves that a writer has finished; `context` is the struct moves_writer. Loop
 * thread. */
void moves_written(void *context);

#endif
