/* The caller's browsers and webhooks, as documents. */
#ifndef TILLROLL_API_CHANNELS_MY_CHANNELS_H
#define TILLROLL_API_CHANNELS_MY_CHANNELS_H

#include "api/request/call.h"

/* A list of them, as the routes give it, without secrets. NULL with a problem. */
json_t *push_subscriptions_document(struct call *call);
json_t *webhooks_document(struct call *call);

#endif
