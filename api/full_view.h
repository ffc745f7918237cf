/* A position with everything in it: for who decides disputes and for auditors, never for players or
 * spectators of a running game. What lies shuffled in piles is in no view, and the secret neither.
 */
#ifndef TILLROLL_API_FULL_VIEW_H
#define TILLROLL_API_FULL_VIEW_H

#include "api/call.h"
#include "db/games.h"
#include "engine/replay.h"

/* `seq`, `deciders`, `full` (what an auditor sees), for each seat its own view and its legal moves,
 * and the moves that were refused in this game. A new document; false with a problem. */
bool full_view(struct call *call, const struct game_row *game, const struct replay *replay,
               json_t **document);

#endif
