/* Starting and ending games, and reading their stored records. */
#ifndef TILLROLL_API_TABLES_GAMES_H
#define TILLROLL_API_TABLES_GAMES_H

#include "api/event/event_load.h"
#include "api/request/call.h"
#include "api/state/game_cache.h"
#include "db/store/games/games.h"
#include "db/store/games/waiting_games.h"
#include "engine/record/replay.h"

/* ---- Starting ---- */

/* The row of a game that starts now at a table, with the event's settings. If `people` is NULL, the
 * caller sets the players of the seats. Texts belong to the event, to `people` or to the call's
 * arena. */
struct game_row game_of_table(struct call *call, const struct loaded_event *loaded,
                              const struct event_people *people,
                              const struct tournament_table *table);

/* Reads the stored options of an event or a game, a JSON object that was checked before it was
 * stored. */
struct game_options game_stored_options(const struct game *game, const char *stored);

/* True if the component set of the settings is registered, and their version of the ruleset can be
 * played with it. False with a problem: `bad-field`. */
bool game_knows_components(struct call *call, const struct tournament_settings *settings);

/* Creates the game and its record inside the open transaction. `game` has the ruleset, options,
 * seats, event, round, table and start. False with a problem. */
bool game_start(struct call *call, const struct game_row *game);

/* Starts several games of a round, without boards, like game_start(), with four statements for all
 * of them. */
bool game_start_all(struct call *call, const struct game_row *games, size_t count);

/* Starts a game on a board like game_start(), with its round's secret; if `dealt`, also with the
 * co-dealers' outputs for the round. */
bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES], bool dealt);

/* Starts a game that has waited like game_start(), with the contributions of its players and
 * co-dealers. */
bool game_start_after_wait(struct call *call, const struct game_row *game,
                           const struct waiting_game *waiting);

/* Makes a game wait for its players' entropy, for at most `seconds`: creates its secret, and seals
 * and commits to it. False with a problem. */
bool game_wait(struct call *call, const struct game_row *game, unsigned seconds);

/* ---- Stored records ---- */

/* Answers with a problem for a result of game_cache_load() that is not STORED_RECORD_OK. Returns
 * false. */
bool game_live_problem(struct call *call, const struct record_result *result);

/* Reads the whole record from the database, not from memory. Owned by the call's arena. */
bool game_read_record(struct call *call, const struct id *game, struct span *record);

/* ---- Ending ---- */

/* At the end of a game, its record is proved, scores and ranks are taken from the record, and
 * ratings follow. On failure, these functions answer with a problem and return false. */

/* Proves the finished record, which must come from the database and not from memory, and sets
 * scores and ranks. */
bool game_prove(struct call *call, struct span record, struct game_row *game);

/* Sets scores and ranks of a game that has been played to its end. */
void game_take_outcome(struct game_row *game, const struct replay *replay);

/* Rates a game whose ranks are set: among people, or, if `apart`, on the list of house players.
 * One-seat games are not rated, since there is no opponent. */
bool game_rate(struct call *call, const struct game_row *game, bool apart);

#endif
