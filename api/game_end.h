/* The end of a game: its record is proved, scores and ranks are taken from it, ratings follow. All
 * of these answer with a problem and return false where something stands in the way.
 */
#ifndef TILLROLL_API_GAME_END_H
#define TILLROLL_API_GAME_END_H

#include "api/call.h"
#include "db/games.h"
#include "engine/replay.h"

/* Proves the finished record as it is stored, not as it is in memory, and fills in scores and
 * ranks.
 */
bool game_prove(struct call *call, struct game_row *game);

/* Fills in scores and ranks of a game that has been played to its end. */
void game_take_outcome(struct game_row *game, const struct replay *replay);

/* Rates a game whose ranks are filled in. One-seat games are not rated: there is nobody to compare
 * with. */
bool game_rate(struct call *call, const struct game_row *game);

#endif
