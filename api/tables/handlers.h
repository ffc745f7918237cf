/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_TABLES_HANDLERS_H
#define TILLROLL_API_TABLES_HANDLERS_H

#include "api/request/call.h"

/* standings.c */
void standings_get(struct call *call);

/* tables.c */
void queues_get(struct call *call);
void queues_join(struct call *call);
void queues_leave(struct call *call);

#endif
