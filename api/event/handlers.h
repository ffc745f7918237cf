/* Handlers of this folder's routes (api/routes.c), grouped by file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_EVENT_HANDLERS_H
#define TILLROLL_API_EVENT_HANDLERS_H

#include "api/request/call.h"

/* signing_keys.c */
void signing_keys_get(struct call *call);
void signing_keys_register(struct call *call);
void signing_keys_change(struct call *call);
void signing_keys_revoke(struct call *call);

#endif
