/* Handlers of this folder's routes (api/routes.c), by source file. api/openapi/ describes their
 * requests and responses. */
#ifndef TILLROLL_API_CHANNELS_HANDLERS_H
#define TILLROLL_API_CHANNELS_HANDLERS_H

#include "api/request/call.h"

/* push_subscriptions.c */
void push_key_show(struct call *call);
void push_subscriptions_list(struct call *call);
void push_subscriptions_create(struct call *call);
void push_subscriptions_delete(struct call *call);
void push_subscriptions_test(struct call *call);

/* webhooks.c */
void webhooks_list(struct call *call);
void webhooks_create(struct call *call);
void webhooks_delete(struct call *call);
void webhooks_rotate(struct call *call);
void webhooks_test(struct call *call);
void webhook_deliveries_list(struct call *call);
void webhook_deliveries_repeat(struct call *call);

#endif
