/* Full views of games, and the log of those taken while a game ran. */
#ifndef TILLROLL_API_DISPUTES_AUDIT_VIEWS_H
#define TILLROLL_API_DISPUTES_AUDIT_VIEWS_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/record/replay.h"

/* The logged views as a new list, for the document of a finished game. False with a problem. */
bool audit_views_document(struct call *call, const struct game_row *game, json_t **list);

/* ---- The full view ---- */

/* A position with everything in it, for auditors and those who decide disputes; never for
 * players or spectators of a running game. No view contains the order of shuffled piles or the
 * secret. */

/* `seq`, `deciders`, `full` (what an auditor sees), each seat's own view and legal moves, and
 * the moves refused in this game. A new document; false with a problem. */
bool full_view(struct call *call, const struct game_row *game, const struct replay *replay,
               json_t **document);

#endif
