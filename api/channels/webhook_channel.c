#include "api/channels/webhook_channel.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/channels/channel_parts.h"
#include "api/channels/webhook_message.h"
#include "api/request/call.h"
#include "db/link/now.h"
#include "db/store/people/notices.h"
#include "db/store/people/webhooks.h"
#include "db/store/service/outbox.h"

/* The recipient of a message, and the result. */
struct webhook_found {
    struct webhook webhook;
    const char *kind;
    const char *body;
    bool tried;
    struct post_result result;
};

/* ---- Bodies ---- */

static void add_id(json_t *object, const char *key, const struct id *id)
{
    if (id->text[0] != '\0')
        json_object_set_new(object, key, json_string(id->text));
}

static void add_number(json_t *object, const char *key, unsigned number)
{
    if (number > 0)
        json_object_set_new(object, key, json_integer(number));
}

/* The subject of a notice as an object: its event, table, game, dispute and so on. */
static json_t *subject_of(const struct notice *notice)
{
    json_t *subject = json_object();
    add_id(subject, "event_id", &notice->event);
    if (notice->event_name != NULL)
        json_object_set_new(subject, "event_name", json_string(notice->event_name));
    add_number(subject, "round", notice->round);
    add_number(subject, "table", notice->table);
    if (notice->seat >= 0)
        json_object_set_new(subject, "seat", json_integer(notice->seat));
    add_id(subject, "game_id", &notice->game);
    add_id(subject, "dispute_id", &notice->dispute);
    add_id(subject, "lobby_table_id", &notice->lobby_table);
    add_id(subject, "by_player_id", &notice->by);
    if (notice->by_name != NULL)
        json_object_set_new(subject, "by_name", json_string(notice->by_name));
    return subject;
}

static json_t *member_of(const struct notice *notice)
{
    char at[TIME_TEXT];
    json_t *member = subject_of(notice);
    time_print(notice->at_ms, at);
    json_object_set_new(member, "kind", json_string(notice->kind));
    json_object_set_new(member, "at", json_string(at));
    json_object_set_new(member, "title", json_string(notice->title));
    json_object_set_new(member, "text", json_string(notice->text));
    json_object_set_new(member, "url", json_string(notice->url));
    return member;
}

static json_t *data_of(const struct notice_delivery *delivery)
{
    json_t *data = delivery->count == 1 ? subject_of(&delivery->notices[0]) : json_object();
    json_object_set_new(data, "player_id", json_string(delivery->player.text));
    if (delivery->count == 1)
        return data;
    json_t *list = json_array();
    for (size_t i = 0; i < delivery->count; i++)
        json_array_append_new(list, member_of(&delivery->notices[i]));
    json_object_set_new(data, "notices", list);
    return data;
}

/* The body, or NULL if the form has no room for it. */
static const char *write_body(const struct notice_delivery *delivery, const char *form,
                              const struct channel_summary *summary, struct arena *arena)
{
    char at[TIME_TEXT];
    struct text body = {arena_room(arena, WEBHOOK_BODY_MAX + 1), 0, WEBHOOK_BODY_MAX + 1, false};
    time_print(summary->at_ms, at);
    const struct webhook_message message = {.kind = summary->kind,
                                            .at = at,
                                            .title = summary->title,
                                            .text = summary->text,
                                            .url = summary->url,
                                            .data = data_of(delivery)};
    bool written = webhook_body(&body, form, &message);
    json_decref(message.data);
    return written ? body.at : NULL;
}

/* ---- One message ---- */

/* Signs with the secret, and for a while also with the previous one. False if neither can be
 * opened. */
static bool sign(const struct channels *channels, const struct webhook *webhook, const char *id,
                 int64_t now_s, struct span body, struct text *header)
{
    uint8_t key[WEBHOOK_KEY];
    char signature[WEBHOOK_SIGNATURE_TEXT];
    const struct span sealed[] = {webhook->sealed, webhook->before};
    size_t made = 0;
    text_add(header, "webhook-signature: ");
    for (size_t i = 0; i < 2; i++) {
        if (!keys_open(channels->config.keys, (const uint8_t *)sealed[i].at, sealed[i].length, key,
                       sizeof key))
            continue;
        webhook_signature(key, id, now_s, body, signature);
        text_add(header, made++ == 0 ? "" : " ");
        text_add(header, signature);
    }
    sodium_memzero(key, sizeof key);
    return made > 0;
}

static enum notice_outcome outcome_of(const struct post_result *result)
{
    if (result->outcome == POST_REFUSED)
        return NOTICE_REFUSED;
    if (result->outcome != POST_ANSWERED)
        return NOTICE_LATER;
    if (result->status < 300)
        return NOTICE_DELIVERED;
    return result->status == 410 ? NOTICE_GONE : NOTICE_LATER;
}

static enum notice_outcome post_message(struct channels *channels, struct webhook_found *found,
                                        const char *id, bool (*stop)(void *stop_context),
                                        void *stop_context, struct text *reason)
{
    int64_t now_s = now_ms(CLOCK_REALTIME) / 1000;
    struct span body = span_of(found->body);
    char name[64];
    char sent[64];
    char signatures[160];
    struct text header = TEXT_OVER(signatures);
    if (!sign(channels, &found->webhook, id, now_s, body, &header)) {
        text_add(reason, "The webhook's secret cannot be read any more: replace it.");
        return NOTICE_REFUSED;
    }
    snprintf(name, sizeof name, "webhook-id: %s", id);
    snprintf(sent, sizeof sent, "webhook-timestamp: %lld", (long long)now_s);
    const char *const headers[] = {"Content-Type: application/json", name, sent, signatures, NULL};
    const struct post post = {.url = found->webhook.url,
                              .headers = headers,
                              .body = body,
                              .stop = stop,
                              .context = stop_context};
    found->result = poster_send(channels->poster, &post, reason);
    found->tried = found->result.outcome != POST_STOPPED;
    return outcome_of(&found->result);
}

static enum notice_outcome send_message(struct channels *channels, struct webhook_found *found,
                                        const char *id, bool (*stop)(void *stop_context),
                                        void *stop_context, struct text *reason)
{
    if (!channel_enter(channels, &found->webhook.id, CHANNEL_TURN_MS)) {
        text_add(reason, "Another message to this webhook is under way.");
        return NOTICE_LATER;
    }
    enum notice_outcome outcome = post_message(channels, found, id, stop, stop_context, reason);
    channel_leave(channels, &found->webhook.id);
    return outcome;
}

/* Stores the outcome. `again`: after a temporary failure, the message is tried again. */
static enum db_status store_outcome(struct db *db, const struct webhook_found *found,
                                    const struct id *id, unsigned attempts,
                                    enum notice_outcome outcome, const char *reason, bool again)
{
    const struct webhook_delivery delivery = {
        .webhook = found->webhook.id,
        .id = *id,
        .kind = found->kind,
        .body = found->body,
        .state = outcome == NOTICE_DELIVERED        ? "delivered"
                 : outcome == NOTICE_LATER && again ? "waiting"
                                                    : "failed",
        .attempts = attempts,
        .status = found->result.status,
        .took_ms = found->result.took_ms,
        .reason = outcome == NOTICE_DELIVERED ? NULL : reason};
    enum webhook_target target = !found->tried                 ? WEBHOOK_SAME
                                 : outcome == NOTICE_DELIVERED ? WEBHOOK_WORKS
                                 : outcome == NOTICE_GONE      ? WEBHOOK_GONE
                                                               : WEBHOOK_FAILS;
    enum db_status status = webhook_delivery_note(db, &delivery);
    return status == DB_OK
               ? webhook_note(db, &found->webhook.id, target, found->result.retry_after_s)
               : status;
}

/* ---- The channel ---- */

static enum db_status find_one(struct db *db, struct arena *arena,
                               const struct notice_delivery *delivery, void **target)
{
    struct webhook_found *found = arena_take(arena, sizeof *found);
    enum db_status status =
        webhook_get(db, arena, &delivery->player, &delivery->target, &found->webhook);
    if (status != DB_OK || strcmp(found->webhook.state, "on") != 0)
        return status == DB_NONE ? DB_OK : status;
    const struct channel_summary summary = channel_summarize(delivery, arena);
    found->kind = summary.kind;
    found->body = write_body(delivery, found->webhook.form, &summary, arena);
    *target = found;
    return DB_OK;
}

static enum db_status find(void *context, struct db *db, struct arena *arena,
                           const struct notice_delivery *const *deliveries, size_t count,
                           void **targets)
{
    enum db_status status = DB_OK;
    (void)context;
    for (size_t i = 0; i < count && status == DB_OK; i++)
        status = find_one(db, arena, deliveries[i], &targets[i]);
    return status;
}

static enum notice_outcome deliver(void *context, const struct notice_delivery *delivery,
                                   void *target, bool (*stop)(void *stop_context),
                                   void *stop_context, struct text *reason)
{
    struct webhook_found *found = target;
    if (found->body == NULL) {
        text_add(reason, "The message is too long for this form.");
        return NOTICE_REFUSED;
    }
    if (found->webhook.rests) {
        text_add(reason, "The last message to this webhook failed; sending is paused.");
        return NOTICE_LATER;
    }
    return send_message(context, found, delivery->id.text, stop, stop_context, reason);
}

/* Messages that were not tried are not logged. */
static enum db_status ended(void *context, struct db *db, const struct notice_end *ends,
                            size_t count)
{
    enum db_status status = DB_OK;
    (void)context;
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        const struct webhook_found *found = ends[i].target;
        if (found->tried)
            status = store_outcome(db, found, &ends[i].delivery->id, ends[i].delivery->attempts,
                                   ends[i].outcome, ends[i].reason, true);
    }
    return status;
}

struct notice_channel webhook_channel(struct channels *channels)
{
    return channel_make(channels, "webhook", find, deliver, ended);
}

/* ---- Tests and repeats ---- */

static enum db_status take(struct db *db, struct arena *arena, struct webhook_delivery *delivery,
                           struct webhook_found *found)
{
    static const struct id anybody = {""};
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = webhook_delivery_take(db, arena, CHANNEL_LEASE_MS, delivery);
    if (status == DB_OK)
        status = webhook_get(db, arena, &anybody, &delivery->webhook, &found->webhook);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    if (status == DB_OK) {
        found->kind = delivery->kind;
        found->body = delivery->body;
    }
    return status;
}

static void end(struct db *db, const struct webhook_found *found,
                const struct webhook_delivery *delivery, enum notice_outcome outcome,
                const char *reason)
{
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status =
            store_outcome(db, found, &delivery->id, delivery->attempts, outcome, reason, false);
    if (status == DB_OK && outcome == NOTICE_DELIVERED)
        status = notice_watch_player(db, &found->webhook.player); /* it may have been off */
    if (status == DB_OK)
        db_commit(db);
    db_rollback(db);
}

bool webhook_channel_repeat(struct channels *channels, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct webhook_delivery delivery;
    struct webhook_found found = {.tried = false};
    char bytes[OUTBOX_REASON_MAX];
    struct text reason = TEXT_OVER(bytes);
    bool taken = take(db, &arena, &delivery, &found) == DB_OK;
    if (taken) {
        enum notice_outcome outcome =
            send_message(channels, &found, delivery.id.text, ticker_stops, ticker, &reason);
        if (!ticker_is_ending(ticker))
            end(db, &found, &delivery, outcome, bytes);
    }
    arena_free(&arena);
    return taken;
}
