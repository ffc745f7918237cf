/* The browsers and webhooks that receive a player's notices (api/channels/channels.h), as
 * documents. */
#ifndef TILLROLL_API_PEOPLE_MY_CHANNELS_H
#define TILLROLL_API_PEOPLE_MY_CHANNELS_H

#include "api/request/call.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/people/webhooks.h"

/* The document has no keys and no secrets. */
json_t *push_subscription_document(const struct push_subscription *subscription);
json_t *webhook_document(const struct webhook *webhook);

/* Lists all of the caller's browsers. NULL with a problem. */
json_t *push_subscriptions_document(struct call *call);
json_t *webhooks_document(struct call *call);

#endif
