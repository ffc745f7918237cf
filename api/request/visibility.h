/* Visibility: the only code that decides how much of a game a caller may see, for all routes.
 *
 * A player of a game sees what the player's seat sees, everybody else what a spectator sees. A
 * duplicate game without results yet is hidden: other players have yet to play the same board, so
 * for all but its own players the game seems not to exist, and lists show only that its table
 * exists and whether it has finished.
 *
 * An event may show its games late: while a game runs, everybody except its players sees it as it
 * was before the last `delay_entries` entries of its record. So every route asks here how much of a
 * record its caller may see; officials are no exception, but see the positions of disputes.
 *
 * Each question is noted in the call (struct call_visibility), so that it is known for which other
 * callers the response is the same.
 */
#ifndef TILLROLL_API_REQUEST_VISIBILITY_H
#define TILLROLL_API_REQUEST_VISIBILITY_H

#include "api/request/call.h"
#include "db/store/games/games.h"
#include "engine/game/game.h"
#include "engine/record/replay.h"

/* The caller's seat in this game, or a spectator. */
struct viewer visibility_viewer(struct call *call, const struct game_row *game);

/* The same for a game in memory: true if the caller, who is signed in, has a seat in it. */
bool visibility_own_seat(const struct call *call, const struct replay *replay, unsigned *seat);

/* True if the caller may know only that the game exists. */
bool visibility_is_hidden(struct call *call, const struct game_row *game);

/* The same for callers who do not play in the game. */
bool visibility_is_hidden_from_others(const struct game_row *game);

/* True if everybody may see the whole game, to its end. */
bool visibility_is_open(const struct game_row *game);

/* The number of the last row of a game's record that the caller may see; `last` is the newest. */
unsigned visibility_last_row(struct call *call, const struct game_row *game, unsigned last);

/* The same for a spectator. */
unsigned visibility_open_row(const struct game_row *game, unsigned last);

/* Finds a game. False with a problem: `not-found` for a hidden game as for a missing one. */
bool visibility_find_game(struct call *call, const struct id *id, struct game_row *game);

/* The same for acts on a game that do not show it: finds hidden games as well. */
bool visibility_find_any_game(struct call *call, const struct id *id, struct game_row *game);

/* The game as lists show it to the caller. */
json_t *visibility_game_document(struct call *call, const struct game_row *game);

/* The list of these games, likewise. */
json_t *visibility_game_documents(struct call *call, const struct game_row *games, size_t count);

/* The game as lists show it to everybody. */
json_t *visibility_open_document(const struct game_row *game);

#endif
