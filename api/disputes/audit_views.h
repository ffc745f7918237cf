/* Who has looked at everything in a game while it ran. */
#ifndef TILLROLL_API_DISPUTES_AUDIT_VIEWS_H
#define TILLROLL_API_DISPUTES_AUDIT_VIEWS_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* The looks as a new list, for the document of a game that is over. False with a problem. */
bool audit_views_document(struct call *call, const struct game_row *game, json_t **list);

/* ---- The full view ---- */

/* A position with everything in it: for who decides disputes and for auditors, never for players or
 * spectators of a running game. What lies shuffled in piles is in no view, and the secret neither.
 */

/* `seq`, `deciders`, `full` (what an auditor sees), for each seat its own view and its legal moves,
 * and the moves that were refused in this game. A new document; false with a problem. */
bool full_view(struct call *call, const struct game_row *game, const struct replay *replay,
               json_t **document);

#endif
