/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_DEADLINES_HANDLERS_H
#define TILLROLL_API_DEADLINES_HANDLERS_H

#include "api/request/call.h"

/* entropy.c */
void games_entropy(struct call *call);
void games_give_entropy(struct call *call);
void me_waiting(struct call *call);

/* presence.c */
void fallback_create(struct call *call);
void recall_create(struct call *call);
void return_create(struct call *call);
void leave_create(struct call *call);
void house_create(struct call *call);
void forfeit_create(struct call *call);
void substitute_create(struct call *call);

#endif
