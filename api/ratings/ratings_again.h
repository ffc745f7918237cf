/* Ratings made again after a correction. */
#ifndef TILLROLL_API_RATINGS_RATINGS_AGAIN_H
#define TILLROLL_API_RATINGS_RATINGS_AGAIN_H

#include "api/request/call.h"

/* Rates everything again that may have become different because the results of a game that count
 * (the view counted_result) have changed: this game and all rated after it, each ruleset's and
 * overall, and in Glicko-2 its event, if that has been rated, and those after it. The order of
 * games and events stays as it was. What is different becomes a revision, with the `reason`, a
 * sentence of 1 to 500 characters, and the caller as the one who has made it, if somebody is signed
 * in; nothing that was stored is changed but the current ratings. A game of no ratings (one seat,
 * no results yet) makes no revision.
 *
 * To be called in the transaction that corrects, after the correction. Games that end meanwhile
 * wait for it. False with a problem. */
bool ratings_again(struct call *call, const struct id *game, const char *reason);

#endif
