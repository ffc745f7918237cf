/* Recomputing ratings after a correction. */
#ifndef TILLROLL_API_RATINGS_RATINGS_AGAIN_H
#define TILLROLL_API_RATINGS_RATINGS_AGAIN_H

#include "api/request/call.h"

/* Recomputes every rating that may have changed because the result that counts has changed, for a
 * game (the view counted_result) or for a table with a reported result
 * (db/store/people/rated_tables.h). Starts at `game`, or this table, of `event` ("" = none), for
 * its ruleset and overall; in Glicko-2, at its event, if that has been rated. The order of games
 * and events stays the same. Differences become a revision with the `reason`, a sentence of 1 to
 * 500 characters, and the caller, if signed in; of the stored data, only the current ratings
 * change. An unrated game (one seat, no results yet) makes no revision. `apart`: the game is rated
 * on the list of house players (tournament_rates_apart()).
 *
 * Call it in the correcting transaction, after the correction. Games that end meanwhile wait for
 * it. False with a problem. */
bool ratings_again(struct call *call, const struct id *game, const struct id *event, bool apart,
                   const char *reason);

#endif
