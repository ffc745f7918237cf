/* The start and the end of a game. */
#ifndef TILLROLL_API_TABLES_GAMES_H
#define TILLROLL_API_TABLES_GAMES_H

#include "api/event/event_load.h"
#include "api/request/call.h"
#include "db/store/games/games.h"
#include "db/store/games/waiting_games.h"
#include "engine/record/replay.h"

/* ---- Starting ---- */

/* A game at a table that starts now, as the event's settings say. `people` NULL: the caller adds
 * who sits where. Its texts are the event's, those of `people`, or in the arena. */
struct game_row game_of_table(struct call *call, const struct loaded_event *loaded,
                              const struct event_people *people,
                              const struct tournament_table *table);

/* The chosen values of an event's or a game's options as they are stored, a JSON object, which was
 * checked when it was stored. */
struct game_options game_stored_options(const struct game *game, const char *stored);

/* Whether the component set that the settings choose is registered, and their version of the
 * ruleset can be played with it. False with a problem: `bad-field`. */
bool game_knows_components(struct call *call, const struct tournament_settings *settings);

/* Creates the game and its record inside the open transaction. `game` names the ruleset, options,
 * seats, event, round, table and start. False with a problem. */
bool game_start(struct call *call, const struct game_row *game);

/* The same for games of one round, without boards, together: with four questions to the database
 * for all of them. */
bool game_start_all(struct call *call, const struct game_row *games, size_t count);

/* The same for a game with a board, which is played with its round's secret. `dealt`: and with what
 * co-dealers have answered for the round. */
bool game_start_on_board(struct call *call, const struct game_row *game,
                         const uint8_t secret[static KEYS_SECRET_BYTES], bool dealt);

/* The same for a game that has waited, with what its players and co-dealers have given. */
bool game_start_after_wait(struct call *call, const struct game_row *game,
                           const struct waiting_game *waiting);

/* Has a game that is to be started wait for its players' entropy first, for `seconds` at most: its
 * secret is drawn, sealed and committed to. False with a problem. */
bool game_wait(struct call *call, const struct game_row *game, unsigned seconds);

/* ---- Ending ---- */

/* The end of a game: its record is proved, scores and ranks are taken from it, ratings follow. All
 * of these answer with a problem and return false where something stands in the way.
 */

/* The whole record as it is stored, not as it is in memory; in the arena. */
bool game_read_record(struct call *call, const struct id *game, struct span *record);

/* Proves the finished record, read from where it is stored and not as it is in memory, and fills in
 * scores and ranks.
 */
bool game_prove(struct call *call, struct span record, struct game_row *game);

/* Fills in scores and ranks of a game that has been played to its end. */
void game_take_outcome(struct game_row *game, const struct replay *replay);

/* Rates a game whose ranks are filled in: among people, or `apart`, on the list of house players.
 * One-seat games are not rated: there is nobody to compare with. */
bool game_rate(struct call *call, const struct game_row *game, bool apart);

#endif
