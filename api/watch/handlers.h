/* Handlers of this folder's routes (api/routes.c), by the file that holds them. api/openapi/
 * describes their requests and responses. */
#ifndef TILLROLL_API_WATCH_HANDLERS_H
#define TILLROLL_API_WATCH_HANDLERS_H

#include "api/request/call.h"

/* metrics.c */
void metrics_get(struct call *call);

/* metrics_listener.c */
void health_get(struct call *call);
void ready_get(struct call *call);

#endif
