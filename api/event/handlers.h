/* Handlers of this folder's routes (api/routes.c), by the file that holds them. What each takes and
 * answers is in api/openapi/. */
#ifndef TILLROLL_API_EVENT_HANDLERS_H
#define TILLROLL_API_EVENT_HANDLERS_H

#include "api/request/call.h"

/* signing_keys.c */
void signing_keys_get(struct call *call);
void signing_keys_register(struct call *call);
void signing_keys_change(struct call *call);
void signing_keys_revoke(struct call *call);

#endif
