/* The browsers that receive a player's notices. */
#include "db/store/people/push_subscriptions.h"

#include <sodium.h>
#include <string.h>

#include "api/channels/channels.h"
#include "api/channels/handlers.h"
#include "api/channels/push_channel.h"
#include "api/people/my_channels.h"
#include "db/store/people/notices.h"

enum { KEY_TEXT = 88 /* length of a public key in base64, with a NUL */ };

/* ---- The service's key ---- */

void push_key_show(struct call *call)
{
    uint8_t public[PUSH_PUBLIC];
    char text[KEY_TEXT];
    if (!push_channel_key(call->service->channels, public)) {
        call_problem(call, "unavailable",
                     "The key is not known yet, because the database did not answer; try again "
                     "soon.");
        return;
    }
    sodium_bin2base64(text, sizeof text, public, sizeof public,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    call_answer(call, 200, json_pack("{s:s}", "public_key", text));
}

/* ---- Input ---- */

/* Reads a field of `keys`, in base64 for URLs, with or without padding. */
static bool read_bytes(struct call *call, const char *key, uint8_t *bytes, size_t size)
{
    const char *text = json_string_value(json_object_get(json_object_get(call->body, "keys"), key));
    size_t length = text == NULL ? 0 : strlen(text);
    size_t found = 0;
    while (length > 0 && text[length - 1] == '=')
        length--;
    if (text != NULL &&
        sodium_base642bin(bytes, size, text, length, NULL, &found, NULL,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
        found == size)
        return true;
    return call_bad_field(call, "keys", "must hold `p256dh` and `auth` as the browser gives them.");
}

static bool read_keys(struct call *call, struct push_subscription *subscription)
{
    uint8_t *public = arena_take(call->arena, PUSH_PUBLIC);
    uint8_t *auth = arena_take(call->arena, PUSH_AUTH);
    if (!json_is_object(json_object_get(call->body, "keys")))
        return json_object_get(call->body, "keys") == NULL
                   ? call_problem(call, "missing-field", "`keys` is missing.")
                   : call_bad_field(call, "keys", "must be an object with `p256dh` and `auth`.");
    if (json_object_size(json_object_get(call->body, "keys")) > 2)
        return call_bad_field(call, "keys", "must hold `p256dh` and `auth` only.");
    if (!read_bytes(call, "p256dh", public, PUSH_PUBLIC) ||
        !read_bytes(call, "auth", auth, PUSH_AUTH))
        return false;
    if (!push_public_good(public))
        return call_bad_field(call, "keys", "must hold a point of P-256 as `p256dh`.");
    subscription->public_key = public;
    subscription->auth = auth;
    return true;
}

/* ---- Routes ---- */

void push_subscriptions_list(struct call *call)
{
    json_t *items = push_subscriptions_document(call);
    if (items != NULL)
        call_answer(call, 200, json_pack("{s:o}", "items", items));
}

void push_subscriptions_create(struct call *call)
{
    static const char *const keys[] = {"endpoint", "keys",           "device",
                                       "language", "expirationTime", NULL};
    static const char *const languages[] = {"en", "de", NULL};
    struct push_subscription subscription = {.id = id_new(call->now_ms), .player = call->player.id};
    if (!call_check_keys(call, keys) ||
        !channels_read_address(call, "endpoint", &subscription.endpoint) ||
        !read_keys(call, &subscription) ||
        !call_text(call, "device", 1, PUSH_DEVICE_MAX, "Browser", &subscription.device) ||
        !call_choice(call, "language", languages, &subscription.language) ||
        !call_db(call, push_subscription_add(call->db, &subscription), "too-many-targets",
                 "Notices go to at most 10 browsers of an account; remove one first.") ||
        !call_found(call, notice_watch_player(call->db, &call->player.id)))
        return;
    struct push_subscription stored;
    if (call_found(call, push_subscription_get(call->db, call->arena, &call->player.id,
                                               &subscription.id, &stored)))
        call_answer(call, 201, push_subscription_document(&stored));
}

void push_subscriptions_delete(struct call *call)
{
    if (call_found(call, push_subscription_remove(call->db, &call->player.id, &call->id[0])))
        call->response->status = 204;
}

void push_subscriptions_test(struct call *call)
{
    if (call_check_keys(call, NULL) &&
        call_found(call, push_test_add(call->db, &call->player.id, &call->id[0])))
        call->response->status = 204;
}
