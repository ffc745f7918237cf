/* Full views of games, and the log of those taken while a game ran. */
#ifndef TILLROLL_API_DISPUTES_AUDIT_VIEWS_H
#define TILLROLL_API_DISPUTES_AUDIT_VIEWS_H

#include "api/request/call.h"
#include "db/store/games/games.h"

/* The logged views as a new list, for the document of a finished game. False with a problem. */
bool audit_views_document(struct call *call, const struct game_row *game, json_t **list);

/* ---- The full view ---- */

/* A position with everything in it, for auditors and those who decide disputes; never for
 * players or spectators of a running game. No view contains the order of shuffled piles or the
 * secret. */

#endif
