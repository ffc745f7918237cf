/* What a player needs to decide: his view of a game, and his legal moves. Both are answered from
 * memory where that is up to date, on the loop thread, or else by a worker.
 */
#ifndef TILLROLL_API_VIEWS_H
#define TILLROLL_API_VIEWS_H

#include "api/call.h"
#include "db/games.h"
#include "engine/replay.h"

/* Finds the game whose id comes first in the path, as the caller may see it (api/sight.h), and its
 * state. False with a problem. */
bool views_load_game(struct call *call, struct game_row *game, struct replay **replay);

/* The quick ways (api/routes.h) of GET /v1/games/{id}/view and /legal-moves, for a player of the
 * game: QUICK_NO for others, who may share an answer, and where the database has to be asked. Loop
 * thread. */
enum http_quick views_quick(struct call *call, struct http_pending *pending);
enum http_quick legal_moves_quick(struct call *call, struct http_pending *pending);

#endif
