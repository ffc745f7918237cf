/* Who sees what of a game: the one place that decides it, for all routes.
 *
 * A player of a game sees what that seat sees, everybody else what a spectator sees. A duplicate
 * game without results yet is hidden: others have yet to play the same board, so for all but its
 * own players it is as if there were no such game, and lists show only that its table exists and
 * whether it has finished.
 *
 * An event may have its games shown late: who does not play in one sees it, while it runs, as it
 * was before the last entries of its record, `delay_entries` of them. So every route asks here how
 * much of a record its caller may see; officials are no exception, but see the positions of
 * disputes.
 *
 * Each question is noted in the call (struct call_visibility), so that it is known for whom else
 * the answer is the same.
 */
#ifndef TILLROLL_API_REQUEST_VISIBILITY_H
#define TILLROLL_API_REQUEST_VISIBILITY_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/game/game.h"
#include "engine/record/replay.h"

/* The seat of the caller in this game, or a spectator. */
struct viewer visibility_viewer(struct call *call, const struct game_row *game);

/* The same for a game in memory: true if the caller, who is signed in, has a seat in it. */
bool visibility_own_seat(const struct call *call, const struct replay *replay, unsigned *seat);

/* True if the caller may know no more of the game than that it is there. */
bool visibility_is_hidden(struct call *call, const struct game_row *game);

/* True if those who do not play in it may not. */
bool visibility_is_hidden_from_others(const struct game_row *game);

/* True if everybody may see all of the game, to its end. */
bool visibility_is_open(const struct game_row *game);

/* The number of the last row of a game's record that the caller may see, of which `last` is the
 * newest. */
unsigned visibility_last_row(struct call *call, const struct game_row *game, unsigned last);

/* The same for a spectator. */
unsigned visibility_open_row(const struct game_row *game, unsigned last);

/* Finds a game. False with a problem: `not-found` for a hidden one as for none. */
bool visibility_find_game(struct call *call, const struct id *id, struct game_row *game);

/* The same for what is done to a game without looking at it: hidden ones are found as well. */
bool visibility_find_any_game(struct call *call, const struct id *id, struct game_row *game);

/* The game as it stands in lists, as the caller may know it. */
json_t *visibility_game_document(struct call *call, const struct game_row *game);

/* The list of these games, likewise. */
json_t *visibility_game_documents(struct call *call, const struct game_row *games, size_t count);

/* The game as everybody may know it. */
json_t *visibility_open_document(const struct game_row *game);

#endif
