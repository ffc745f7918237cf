/* The webhooks of a player, and the log of their deliveries. */
#include "db/store/people/webhooks.h"

#include <sodium.h>
#include <string.h>

#include "api/channels/channels.h"
#include "api/channels/handlers.h"
#include "api/channels/webhook_message.h"
#include "api/people/my_channels.h"
#include "db/store/people/notices.h"

/* ---- Documents ---- */

static json_t *delivery_document(const struct webhook_delivery *delivery)
{
    return json_pack(
        "{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:i, s:s?, s:s}", "id", delivery->id.text, "kind",
        delivery->kind, "state", delivery->state, "attempts", (int)delivery->attempts, "created_at",
        time_json(delivery->created_ms), "tried_at", time_json(delivery->tried_ms), "status",
        delivery->status == 0 ? json_null() : json_integer(delivery->status), "took_ms",
        (int)delivery->took_ms, "reason", delivery->reason, "body", delivery->body);
}

/* ---- Secrets ---- */

/* Makes a new secret: sealed, and in the form shown to its owner. */
static void make_secret(struct call *call, uint8_t sealed[static WEBHOOK_SEALED_BYTES],
                        char text[static WEBHOOK_SECRET_TEXT])
{
    uint8_t key[WEBHOOK_KEY];
    randombytes_buf(key, sizeof key);
    keys_seal(&call->service->keys, key, sizeof key, sealed);
    webhook_secret_text(key, text);
    sodium_memzero(key, sizeof key);
}

/* Answers with the webhook and its secret, which is never shown again. */
static void answer_secret(struct call *call, int status, const struct webhook *webhook,
                          const char *secret)
{
    json_t *document = webhook_document(webhook);
    json_object_set_new(document, "secret", json_string(secret));
    call_answer(call, status, document);
}

/* ---- Webhooks ---- */

void webhooks_list(struct call *call)
{
    json_t *items = webhooks_document(call);
    if (items != NULL)
        call_answer(call, 200, json_pack("{s:o}", "items", items));
}

void webhooks_create(struct call *call)
{
    static const char *const keys[] = {"name", "url", "form", NULL};
    uint8_t sealed[WEBHOOK_SEALED_BYTES];
    char secret[WEBHOOK_SECRET_TEXT];
    struct webhook webhook = {.id = id_new(call->now_ms),
                              .player = call->player.id,
                              .sealed = {(const char *)sealed, sizeof sealed}};
    if (!call_check_keys(call, keys) ||
        !call_text(call, "name", 1, WEBHOOK_NAME_MAX, "Webhook", &webhook.name) ||
        !channels_read_address(call, "url", &webhook.url) ||
        !call_choice(call, "form", webhook_forms, &webhook.form))
        return;
    make_secret(call, sealed, secret);
    if (call_db(call, webhook_add(call->db, &webhook), "too-many-targets",
                "An account has at most 5 webhooks; remove one first.") &&
        call_found(call, notice_watch_player(call->db, &call->player.id)) &&
        call_found(call,
                   webhook_get(call->db, call->arena, &call->player.id, &webhook.id, &webhook)))
        answer_secret(call, 201, &webhook, secret);
    sodium_memzero(secret, sizeof secret);
}

void webhooks_delete(struct call *call)
{
    if (call_found(call, webhook_remove(call->db, &call->player.id, &call->id[0])))
        call->response->status = 204;
}

/* Finds the webhook whose id comes first in the path. False with a problem. */
static bool find_webhook(struct call *call, struct webhook *webhook)
{
    return call_found(call,
                      webhook_get(call->db, call->arena, &call->player.id, &call->id[0], webhook));
}

void webhooks_rotate(struct call *call)
{
    uint8_t sealed[WEBHOOK_SEALED_BYTES];
    char secret[WEBHOOK_SECRET_TEXT];
    struct webhook webhook;
    if (!call_check_keys(call, NULL) || !find_webhook(call, &webhook))
        return;
    make_secret(call, sealed, secret);
    if (call_found(call, webhook_rotate(call->db, &webhook.id, sealed)))
        answer_secret(call, 200, &webhook, secret);
    sodium_memzero(secret, sizeof secret);
}

/* ---- Deliveries ---- */

static const char waits[] = "This delivery, or an earlier test or repeat, is still waiting; look "
                            "at the list of deliveries in a moment.";

static void answer_delivery(struct call *call, int status, const struct id *id)
{
    struct webhook_delivery delivery;
    if (call_found(call, webhook_delivery_get(call->db, call->arena, &call->id[0], id, &delivery)))
        call_answer(call, status, delivery_document(&delivery));
}

void webhooks_test(struct call *call)
{
    char at[TIME_TEXT];
    char bytes[1024];
    struct text body = TEXT_OVER(bytes);
    struct webhook webhook;
    if (!call_check_keys(call, NULL) || !find_webhook(call, &webhook))
        return;
    time_print(call->now_ms, at);
    const struct webhook_message message = {.kind = "test",
                                            .at = at,
                                            .title = "Tillroll",
                                            .text = "This is a test of your webhook.",
                                            .url = call->service->site_address};
    const struct webhook_delivery delivery = {
        .webhook = webhook.id, .id = id_new(call->now_ms), .kind = "test", .body = bytes};
    if (!webhook_body(&body, webhook.form, &message)) {
        call_problem(call, "internal-error", "The test could not be written.");
        return;
    }
    if (call_db(call, webhook_test_add(call->db, &call->player.id, &delivery), "delivery-waiting",
                waits))
        answer_delivery(call, 201, &delivery.id);
}

void webhook_deliveries_list(struct call *call)
{
    struct list_range range;
    struct webhook webhook;
    struct webhook_delivery *deliveries;
    size_t count;
    if (!call_list_range(call, NULL, &range) || !find_webhook(call, &webhook) ||
        !call_found(call, webhook_delivery_list(call->db, call->arena, &webhook.id, &range.after,
                                                range.limit, &deliveries, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, delivery_document(&deliveries[i]));
    call_answer(call, 200,
                list_with_next(items, count == range.limit ? deliveries[count - 1].id.text : NULL));
}

void webhook_deliveries_repeat(struct call *call)
{
    struct webhook webhook;
    struct webhook_delivery delivery;
    if (call_check_keys(call, NULL) && find_webhook(call, &webhook) &&
        call_found(call, webhook_delivery_get(call->db, call->arena, &webhook.id, &call->id[1],
                                              &delivery)) &&
        call_db(call, webhook_repeat(call->db, &call->player.id, &webhook.id, &delivery.id),
                "delivery-waiting", waits))
        answer_delivery(call, 200, &delivery.id);
}
