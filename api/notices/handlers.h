/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_NOTICES_HANDLERS_H
#define TILLROLL_API_NOTICES_HANDLERS_H

#include "api/request/call.h"

/* unsubscribe.c */
void page_unsubscribe(struct call *call);
void page_unsubscribed(struct call *call);

#endif
