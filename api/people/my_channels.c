#include "api/people/my_channels.h"

json_t *push_subscription_document(const struct push_subscription *subscription)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s?}", "id", subscription->id.text, "device",
                     subscription->device, "endpoint", subscription->endpoint, "since",
                     time_json(subscription->since_ms), "last_at",
                     time_json(subscription->last_at_ms), "reason", subscription->reason);
}

json_t *push_subscriptions_document(struct call *call)
{
    struct push_subscription *subscriptions;
    size_t count;
    if (!call_found(call, push_subscription_list(call->db, call->arena, &call->player.id,
                                                 &subscriptions, &count)))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, push_subscription_document(&subscriptions[i]));
    return items;
}

json_t *webhook_document(const struct webhook *webhook)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "id", webhook->id.text, "name",
                     webhook->name, "url", webhook->url, "form", webhook->form, "state",
                     webhook->state, "since", time_json(webhook->since_ms));
}

json_t *webhooks_document(struct call *call)
{
    struct webhook *webhooks;
    size_t count;
    if (!call_found(call, webhook_list(call->db, call->arena, &call->player.id, &webhooks, &count)))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, webhook_document(&webhooks[i]));
    return items;
}
