/* The browsers and webhooks that a player is told in (api/channels/channels.h), as documents. */
#ifndef TILLROLL_API_PEOPLE_MY_CHANNELS_H
#define TILLROLL_API_PEOPLE_MY_CHANNELS_H

#include "api/request/call.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/people/webhooks.h"

/* Without keys and secrets. */
json_t *push_subscription_document(const struct push_subscription *subscription);
json_t *webhook_document(const struct webhook *webhook);

/* A list of all of the caller's. NULL with a problem. */
json_t *push_subscriptions_document(struct call *call);
json_t *webhooks_document(struct call *call);

#endif
