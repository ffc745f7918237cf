/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_SEASONS_HANDLERS_H
#define TILLROLL_API_SEASONS_HANDLERS_H

#include "api/request/call.h"

/* seasons.c */
void seasons_create(struct call *call);
void seasons_list(struct call *call);
void seasons_get(struct call *call);
void seasons_log(struct call *call);
void seasons_add_event(struct call *call);
void seasons_remove_event(struct call *call);
void seasons_close(struct call *call);

/* season_standings.c */
void season_standings_get(struct call *call);

#endif
