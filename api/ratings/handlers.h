/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_RATINGS_HANDLERS_H
#define TILLROLL_API_RATINGS_HANDLERS_H

#include "api/request/call.h"

/* ratings.c */
void players_ratings(struct call *call);
void players_rating_history(struct call *call);
void leaderboard_get(struct call *call);
void players_opponents(struct call *call);
void rulesets_seat_advantage(struct call *call);

/* ratings_again.c */
void rating_revisions_list(struct call *call);
void rating_revisions_get(struct call *call);

#endif
