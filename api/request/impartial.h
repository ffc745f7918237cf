/* The one rule for all that officials do to a game, a table or a dispute: not where they are a
 * party to it (db/store/games/parties.h). Who plays there, whose bot does or whose owner's other
 * bot does, who has played there before a substitute came, or who may still have the board of a
 * duplicate round before them, decides nothing, whatever their office; somebody else of the event
 * or of the site does. The column `office` of the table of routes says which routes these are, and
 * api/request/access.c asks here for each of them.
 *
 * What concerns a whole event (drawing, changing and starting rounds, entries, settings) is left to
 * officials who play in it: it stands in the event's log with who did it.
 */
#ifndef TILLROLL_API_REQUEST_IMPARTIAL_H
#define TILLROLL_API_REQUEST_IMPARTIAL_H

#include "api/request/route.h"

/* Refuses with `party-to-the-game`, or in disputes and looks `party-to-dispute`, a caller who is a
 * party to what the path names; of a dispute over a board that they may have before them, with
 * `not-found`. A game or dispute to be changed is locked until the end of the transaction, so that
 * nobody becomes a party meanwhile. True without a problem for routes without an office. */
bool impartial_check(struct call *call, const struct route *route);

/* True if the caller, who is signed in, is no party to the game. False with a problem where the
 * database fails, `impartial` set otherwise. */
bool impartial_to_game(struct call *call, const struct id *game, bool *impartial);

/* Refuses with `party-to-the-game` to do for the caller themself, or for a bot of theirs, what an
 * official grants: a seat as a substitute, a bye with points. `sentence` says so. */
bool impartial_to_player(struct call *call, const struct id *player, const char *sentence);

#endif
