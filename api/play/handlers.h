/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_PLAY_HANDLERS_H
#define TILLROLL_API_PLAY_HANDLERS_H

#include "api/request/call.h"

/* views.c */
void games_view(struct call *call);
void games_legal_moves(struct call *call);

/* sample.c */
void games_sample(struct call *call);

/* moves.c */
void moves_create(struct call *call);
void takebacks_create(struct call *call);
void games_refused_moves(struct call *call);

/* move_request.c */
void games_signatures(struct call *call);

#endif
