/* Full views of games, and the log of those taken while a game ran. A full view is a position with
 * all hidden parts, for auditors and for officials who decide disputes; never for players or
 * spectators of a running game. No view contains the order of shuffled piles or the secret. */
#ifndef TILLROLL_API_DISPUTES_AUDIT_VIEWS_H
#define TILLROLL_API_DISPUTES_AUDIT_VIEWS_H

#include "api/request/call.h"
#include "db/store/games/games.h"

/* Lists the logged views in a new list, for the document of a finished game. False with a
 * problem. */
bool audit_views_document(struct call *call, const struct game_row *game, json_t **list);

/* Logs that the caller sees the full view of the game as it is in `replay`. False with the problem
 * `too-many-looks` or another. */
bool audit_views_store(struct call *call, const struct id *game, const struct replay *replay,
                       const char *reason);

#endif
