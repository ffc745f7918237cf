/* Recomputing ratings after a correction. */
#ifndef TILLROLL_API_RATINGS_RATINGS_AGAIN_H
#define TILLROLL_API_RATINGS_RATINGS_AGAIN_H

#include "api/request/call.h"

/* Recomputes every rating that may have changed because the results of a game that count (the
 * view counted_result), or of a table with a reported result (db/store/people/rated_tables.h), have
 * changed: from `game`, or this table, of `event` ("" = none) on, for its ruleset and overall, and
 * in Glicko-2 from its event on, if that has been rated. The order of games and events stays the
 * same. Differences become a revision with the `reason`, a sentence of 1 to 500 characters, and
 * the caller, if signed in; of the stored data, only the current ratings change. An unrated game
 * (one seat, no results yet) makes no revision. `apart`: it is one of those that are rated on the
 * list of house players (tournament_rates_apart()).
 *
 * Call it in the correcting transaction, after the correction. Games that end meanwhile wait for
 * it. False with a problem. */
bool ratings_again(struct call *call, const struct id *game, const struct id *event, bool apart,
                   const char *reason);

#endif
