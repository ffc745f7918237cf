/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_PUSH_HANDLERS_H
#define TILLROLL_API_PUSH_HANDLERS_H

#include "api/request/call.h"

/* follow.c */
void games_stream(struct call *call);
void games_watching(struct call *call);
void events_stream(struct call *call);
void recordings_stream(struct call *call);
void log_stream(struct call *call);

#endif
