#include "api/channels/push_channel.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/channels/channel_parts.h"
#include "db/link/now.h"
#include "db/store/people/notices.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/service/outbox.h"
#include "engine/base/sha256.h"

/* PADDED: notices of usual length all get this size. */
enum { PADDED = 1536, DAY_S = 86400, EXPIRES_S = DAY_S / 2, PASS_S = EXPIRES_S / 2, TOPIC = 32 };

/* The recipient of a message, and the result. */
struct push_target {
    struct push_subscription subscription;
    bool tried;
    struct post_result result;
};

/* The content of a message. */
struct push_text {
    const char *id; /* the same for each attempt */
    struct channel_summary summary;
    char topic[TOPIC + 1]; /* a later message with the same topic replaces it; "" = none does */
};

/* ---- The key ---- */

enum { SEALED_KEY = KEYS_SEAL_BYTES + sizeof(struct push_key) };

static enum db_status make_key(struct channels *channels, struct db *db, struct arena *arena,
                               const uint8_t **sealed, size_t *size)
{
    struct push_key made;
    uint8_t bytes[SEALED_KEY];
    if (!push_key_make(&made))
        return DB_UNAVAILABLE;
    keys_seal(channels->config.keys, (const uint8_t *)&made, sizeof made, bytes);
    sodium_memzero(&made, sizeof made);
    enum db_status status = push_key_add(db, bytes, sizeof bytes);
    return status == DB_OK ? push_key_get(db, arena, sealed, size) : status;
}

static bool open_key(const struct channels *channels, const uint8_t *sealed, size_t size,
                     struct push_key *key)
{
    return keys_open(channels->config.keys, sealed, size, (uint8_t *)key, sizeof *key);
}

/* Reads the key. If it was sealed with keys that the service no longer has, it is useless, and so
 * are the subscriptions made for it. */
static enum db_status load_key(struct channels *channels, struct db *db, struct arena *arena,
                               struct push_key *key)
{
    const uint8_t *sealed;
    size_t size;
    enum db_status status = push_key_get(db, arena, &sealed, &size);
    if (status == DB_OK && !open_key(channels, sealed, size, key)) {
        status = push_key_drop(db);
        if (status == DB_OK)
            status = DB_NONE;
    }
    if (status == DB_NONE)
        status = make_key(channels, db, arena, &sealed, &size);
    if (status == DB_OK && !open_key(channels, sealed, size, key))
        status = DB_ERROR;
    return status == DB_OK ? db_commit(db) : status;
}

void push_channel_find_key(struct channels *channels, struct db *db)
{
    struct arena arena = {NULL};
    struct push_key key;
    if (channels->config.may != NULL && !channels->config.may(channels->config.context))
        return;
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = load_key(channels, db, &arena, &key);
    db_rollback(db);
    arena_free(&arena);
    if (status != DB_OK)
        return;
    pthread_mutex_lock(&channels->lock);
    channels->key = key;
    channels->has_key = true;
    pthread_mutex_unlock(&channels->lock);
    sodium_memzero(&key, sizeof key);
}

bool push_channel_key(struct channels *channels, uint8_t public[static PUSH_PUBLIC])
{
    pthread_mutex_lock(&channels->lock);
    bool has = channels->has_key;
    if (has)
        memcpy(public, channels->key.public, PUSH_PUBLIC);
    pthread_mutex_unlock(&channels->lock);
    return has;
}

/* ---- One message ---- */

/* The JSON that web-static/service-worker.js shows, in the arena. Lengths are bounded, so it
 * fits. */
static struct span write_plain(const struct push_text *text, struct arena *arena)
{
    const struct channel_summary *summary = &text->summary;
    struct json_text json;
    json_text_begin(&json, arena, PADDED);
    json_text_open(&json, NULL, '{');
    json_text_string(&json, "id", text->id);
    json_text_string(&json, "kind", summary->kind);
    json_text_string(&json, "title", summary->title);
    json_text_string(&json, "text", summary->text);
    json_text_string(&json, "path", summary->path);
    json_text_close(&json, '}');
    return json_text_span(&json);
}

static bool encrypt(const struct push_subscription *subscription, const struct push_text *text,
                    const struct push_key *once, uint8_t message[static PUSH_MESSAGE_MAX],
                    size_t *size)
{
    uint8_t salt[PUSH_SALT];
    struct push_recipient recipient;
    struct arena arena = {NULL};
    struct span plain = write_plain(text, &arena);
    randombytes_buf(salt, sizeof salt);
    memcpy(recipient.public, subscription->public_key, PUSH_PUBLIC);
    memcpy(recipient.auth, subscription->auth, PUSH_AUTH);
    bool good = push_encrypt(&recipient, once, salt, plain, PADDED, message, size);
    arena_free(&arena);
    return good;
}

/* The address at which a push service can reach the operators. */
static const char *contact_of(const struct channels *channels, char bytes[static 300])
{
    const char *site = channels->config.site;
    if (channels->config.mail_from != NULL) {
        snprintf(bytes, 300, "mailto:%s", channels->config.mail_from);
        return bytes;
    }
    return site != NULL && strncmp(site, "https://", 8) == 0 ? site : NULL;
}

/* Scheme, host and port as written in the address. */
static struct span origin_of(const char *endpoint)
{
    const char *host = strstr(endpoint, "://");
    size_t length = host == NULL ? 0 : (size_t)(host + 3 - endpoint);
    return (struct span){endpoint, length + strcspn(endpoint + length, "/?#")};
}

/* Copies a pass that is still valid into `header`. The lock is held. */
static bool find_pass(const struct channels *channels, struct span origin, int64_t now_s,
                      struct text *header)
{
    for (size_t i = 0; i < CHANNEL_PASSES; i++) {
        const struct channels_pass *pass = &channels->passes[i];
        if (now_s < pass->until_s && span_is(origin, pass->origin)) {
            text_add(header, pass->header);
            return true;
        }
    }
    return false;
}

/* Keeps a pass. The lock is held. */
static void keep_pass(struct channels *channels, struct span origin, int64_t now_s,
                      struct span header)
{
    struct channels_pass *pass = &channels->passes[channels->next_pass];
    if (origin.length >= sizeof pass->origin || header.length >= sizeof pass->header)
        return;
    channels->next_pass = (channels->next_pass + 1) % CHANNEL_PASSES;
    pass->until_s = now_s + PASS_S;
    snprintf(pass->origin, sizeof pass->origin, "%.*s", (int)origin.length, origin.at);
    snprintf(pass->header, sizeof pass->header, "%.*s", (int)header.length, header.at);
}

/* Writes the header Authorization. RFC 8292 allows a token for many messages. */
static bool authorize(struct channels *channels, const char *endpoint, struct text *header)
{
    char contact[300];
    struct push_key key;
    struct span origin = origin_of(endpoint);
    int64_t now_s = now_ms(CLOCK_REALTIME) / 1000;
    pthread_mutex_lock(&channels->lock);
    bool has = channels->has_key;
    bool found = has && find_pass(channels, origin, now_s, header);
    key = channels->key;
    pthread_mutex_unlock(&channels->lock);
    if (found) {
        sodium_memzero(&key, sizeof key);
        return true;
    }
    text_add(header, "Authorization: ");
    bool good = has && push_authorization(&key, endpoint, contact_of(channels, contact),
                                          now_s + EXPIRES_S, header);
    sodium_memzero(&key, sizeof key);
    if (!good)
        return false;
    pthread_mutex_lock(&channels->lock);
    keep_pass(channels, origin, now_s, text_span(header));
    pthread_mutex_unlock(&channels->lock);
    return true;
}

/* The outcome according to RFC 8030 section 5. */
static enum notice_outcome outcome_of(const struct post_result *result)
{
    if (result->outcome == POST_REFUSED)
        return NOTICE_REFUSED;
    if (result->outcome != POST_ANSWERED)
        return NOTICE_LATER;
    if (result->status < 300)
        return NOTICE_DELIVERED;
    if (result->status == 404 || result->status == 410)
        return NOTICE_GONE;
    if (result->status == 408 || result->status == 429 || result->status >= 500)
        return NOTICE_LATER;
    return NOTICE_REFUSED;
}

/* A message while it is being sent. */
struct push_sending {
    struct push_target *target;
    const struct push_text *text;
    const struct push_key *once; /* key pair for this message only; NULL = create one */
    uint8_t message[PUSH_MESSAGE_MAX];
    char authorization[CHANNEL_PASS];
    char topic[64];
    const char *headers[7];
};

/* False, with a reason, if the message cannot be made. */
static bool make_post(struct channels *channels, struct push_sending *sending, struct post *post,
                      struct text *reason)
{
    size_t size;
    const struct push_subscription *subscription = &sending->target->subscription;
    struct text header = TEXT_OVER(sending->authorization);
    if (!encrypt(subscription, sending->text, sending->once, sending->message, &size) ||
        !authorize(channels, subscription->endpoint, &header)) {
        text_add(reason, "The message could not be encrypted or signed.");
        return false;
    }
    snprintf(sending->topic, sizeof sending->topic, "Topic: %s", sending->text->topic);
    const char *const headers[] = {sending->authorization,
                                   "Content-Type: application/octet-stream",
                                   "Content-Encoding: aes128gcm",
                                   "TTL: 86400",
                                   "Urgency: normal",
                                   sending->text->topic[0] == '\0' ? NULL : sending->topic,
                                   NULL};
    memcpy(sending->headers, headers, sizeof headers);
    *post = (struct post){.url = subscription->endpoint,
                          .headers = sending->headers,
                          .body = {(const char *)sending->message, size}};
    return true;
}

static enum notice_outcome note_result(struct push_target *target, const struct post_result *result)
{
    target->result = *result;
    target->tried = result->outcome != POST_STOPPED;
    return outcome_of(result);
}

/* Stores the outcome of a message that was tried. */
static enum db_status store_outcome(struct db *db, const struct push_target *target,
                                    enum notice_outcome outcome, const char *reason)
{
    const struct push_subscription *subscription = &target->subscription;
    if (outcome == NOTICE_DELIVERED)
        return push_subscriptions_delivered(db, &subscription->id, 1);
    if (outcome == NOTICE_GONE) {
        enum db_status status =
            push_subscription_remove(db, &subscription->player, &subscription->id);
        return status == DB_NONE ? DB_OK : status;
    }
    return push_subscription_note(db, &subscription->id, reason, outcome == NOTICE_LATER,
                                  target->result.retry_after_s);
}

/* ---- The channel ---- */

/* Finds the delivery's target. A browser that another player uses now is no target of the previous
 * player. */
static void find_target(const struct push_subscription *subscriptions, size_t found,
                        const struct notice_delivery *delivery, struct arena *arena, void **target)
{
    size_t i = 0;
    while (i < found && !(id_equal(&subscriptions[i].id, &delivery->target) &&
                          id_equal(&subscriptions[i].player, &delivery->player)))
        i++;
    if (i == found)
        return;
    struct push_target *made = arena_take(arena, sizeof *made);
    made->subscription = subscriptions[i];
    *target = made;
}

static enum db_status find(void *context, struct db *db, struct arena *arena,
                           const struct notice_delivery *const *deliveries, size_t count,
                           void **targets)
{
    uint8_t key[PUSH_PUBLIC];
    struct push_subscription *subscriptions;
    size_t found;
    struct id *ids = arena_array(arena, count, sizeof *ids);
    if (!push_channel_key(context, key)) /* for a moment after the start */
        return DB_UNAVAILABLE;
    for (size_t i = 0; i < count; i++)
        ids[i] = deliveries[i]->target;
    enum db_status status = push_targets_get(db, arena, ids, count, &subscriptions, &found);
    for (size_t i = 0; i < count && status == DB_OK; i++)
        find_target(subscriptions, found, deliveries[i], arena, &targets[i]);
    return status;
}

/* Notices of turns in a game get its topic, so that each replaces the one before. */
static void name_topic(const struct notice_delivery *delivery, char topic[static TOPIC + 1])
{
    const struct notice *notice = &delivery->notices[0];
    bool replaces = delivery->count == 1 && notice->game.text[0] != '\0' &&
                    (strcmp(notice->kind, NOTICE_YOUR_TURN) == 0 ||
                     strcmp(notice->kind, NOTICE_CLOCK_LOW) == 0);
    uint8_t hash[SHA256_BYTES];
    struct text text = {topic, 0, TOPIC + 1, (topic[0] = '\0', false)};
    if (!replaces)
        return;
    sha256(hash, span_of(notice->game.text), (struct span){NULL, 0});
    text_add_hex(&text, hash, TOPIC / 2);
}

/* Messages that are sent at the same time. */
struct push_round {
    struct channels *channels;
    struct arena arena;
    struct notice_part *of[NOTICE_TOGETHER]; /* the part of each of `posts` */
    struct post_part posts[NOTICE_TOGETHER];
    size_t count;
    bool (*stop)(void *context);
    void (*ended)(void *context, struct notice_part *part);
    void *context;
};

static void end_part(struct push_round *round, struct notice_part *part,
                     enum notice_outcome outcome, const char *reason)
{
    text_add(part->reason, reason);
    part->outcome = outcome;
    round->ended(round->context, part);
}

/* The reason for not sending now, or NULL. */
static const char *fault_of(struct channels *channels, const struct push_target *target)
{
    uint8_t unused[PUSH_PUBLIC];
    if (!push_channel_key(channels, unused))
        return "The service has only just started, and has not read its key yet.";
    return target->subscription.rests ? "The push service has asked for a pause, or did not answer."
                                      : NULL;
}

/* Encrypts a message for a target that has been reserved with channel_enter(). `once`: see
 * push_sending. */
static void add_post(struct push_round *round, struct notice_part *part,
                     const struct push_key *once)
{
    struct push_target *target = part->target;
    struct push_sending *sending = arena_take(&round->arena, sizeof *sending);
    struct push_text *text = arena_take(&round->arena, sizeof *text);
    *text = (struct push_text){.id = part->delivery->id.text,
                               .summary = channel_summarize(part->delivery, &round->arena)};
    name_topic(part->delivery, text->topic);
    sending->target = target;
    sending->text = text;
    sending->once = once;
    struct post_part *post = &round->posts[round->count];
    *post = (struct post_part){.reason = part->reason};
    if (make_post(round->channels, sending, &post->post, part->reason)) {
        round->of[round->count++] = part;
        return;
    }
    channel_leave(round->channels, &target->subscription.id);
    end_part(round, part, NOTICE_REFUSED, "");
}

static void end_post(void *context, struct post_part *post)
{
    struct push_round *round = context;
    struct notice_part *part = round->of[post - round->posts];
    struct push_target *target = part->target;
    enum notice_outcome outcome = note_result(target, &post->result);
    channel_leave(round->channels, &target->subscription.id);
    end_part(round, part, outcome, "");
}

static bool round_stops(void *context)
{
    const struct push_round *round = context;
    return round->stop(round->context);
}

/* Adds several messages. All keys are made first: making one reads a table of 150 KiB, which is
 * then still in the processor's cache for the next. */
static void add_posts(struct push_round *round, struct notice_part *const *parts, size_t count)
{
    struct push_key keys[NOTICE_TOGETHER];
    bool made[NOTICE_TOGETHER];
    for (size_t i = 0; i < count; i++)
        made[i] = push_key_make(&keys[i]);
    for (size_t i = 0; i < count; i++)
        add_post(round, parts[i], made[i] ? &keys[i] : NULL);
    sodium_memzero(keys, sizeof keys);
}

/* Targets with another message under way come last, if that message has ended soon enough. */
static void deliver_all(void *context, struct notice_part *parts, size_t count,
                        bool (*stop)(void *context),
                        void (*ended)(void *context, struct notice_part *part), void *caller)
{
    struct push_round round = {
        .channels = context, .stop = stop, .ended = ended, .context = caller};
    struct notice_part *entered[NOTICE_TOGETHER];
    struct notice_part *busy[NOTICE_TOGETHER];
    size_t entered_count = 0;
    size_t busy_count = 0;
    int64_t end_ms = now_ms(CLOCK_MONOTONIC) + CHANNEL_TURN_MS;
    for (size_t i = 0; i < count; i++) {
        const struct push_target *target = parts[i].target;
        const char *fault = fault_of(context, target);
        if (fault != NULL)
            end_part(&round, &parts[i], NOTICE_LATER, fault);
        else if (channel_enter(context, &target->subscription.id, 0))
            entered[entered_count++] = &parts[i];
        else
            busy[busy_count++] = &parts[i];
    }
    add_posts(&round, entered, entered_count);
    poster_send_all(round.channels->poster, round.posts, round.count, round_stops, end_post,
                    &round);
    round.count = 0;
    for (size_t i = 0; i < busy_count; i++) {
        const struct push_target *target = busy[i]->target;
        int64_t left_ms = end_ms - now_ms(CLOCK_MONOTONIC);
        if (left_ms > 0 && channel_enter(context, &target->subscription.id, (unsigned)left_ms))
            add_post(&round, busy[i], NULL);
        else
            end_part(&round, busy[i], NOTICE_LATER,
                     "Another message to this browser is under way.");
    }
    poster_send_all(round.channels->poster, round.posts, round.count, round_stops, end_post,
                    &round);
    arena_free(&round.arena);
}

static enum db_status ended(void *context, struct db *db, const struct notice_end *ends,
                            size_t count)
{
    struct arena arena = {NULL};
    struct id *delivered = arena_array(&arena, count, sizeof *delivered);
    size_t delivered_count = 0;
    enum db_status status = DB_OK;
    (void)context;
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        const struct push_target *target = ends[i].target;
        if (!target->tried)
            continue;
        if (ends[i].outcome != NOTICE_DELIVERED)
            status = store_outcome(db, target, ends[i].outcome, ends[i].reason);
        else if (!target->subscription.noted)
            delivered[delivered_count++] = target->subscription.id;
    }
    if (status == DB_OK && delivered_count > 0)
        status = push_subscriptions_delivered(db, delivered, delivered_count);
    arena_free(&arena);
    return status;
}

struct notice_channel push_channel(struct channels *channels)
{
    struct notice_channel channel = channel_make(channels, "push", find, NULL, ended);
    channel.deliver_all = deliver_all;
    return channel;
}

/* ---- Tests ---- */

static enum notice_outcome send_test(struct channels *channels, struct push_target *target,
                                     const struct push_text *text, struct ticker *ticker,
                                     struct text *reason)
{
    struct push_sending sending = {.target = target, .text = text};
    struct post post;
    enum notice_outcome outcome = NOTICE_REFUSED;
    if (!channel_enter(channels, &target->subscription.id, CHANNEL_TURN_MS)) {
        text_add(reason, "Another message to this browser is under way.");
        return NOTICE_LATER;
    }
    if (make_post(channels, &sending, &post, reason)) {
        post.stop = ticker_stops;
        post.context = ticker;
        const struct post_result result = poster_send(channels->poster, &post, reason);
        outcome = note_result(target, &result);
    }
    channel_leave(channels, &target->subscription.id);
    return outcome;
}

static enum db_status take_test(struct db *db, struct arena *arena, struct push_target *target)
{
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = push_test_take(db, arena, CHANNEL_LEASE_MS, &target->subscription);
    if (status == DB_OK)
        status = db_commit(db);
    db_rollback(db);
    return status;
}

/* A test that was interrupted is sent again. */
static void end_test(struct db *db, const struct push_target *target, enum notice_outcome outcome,
                     const char *reason)
{
    enum db_status status = db_begin(db, false);
    if (status == DB_OK && target->tried)
        status = store_outcome(db, target, outcome, reason);
    if (status == DB_OK)
        status = push_test_end(db, &target->subscription.id);
    if (status == DB_OK)
        db_commit(db);
    db_rollback(db);
}

bool push_channel_test(struct channels *channels, struct ticker *ticker, struct db *db)
{
    struct arena arena = {NULL};
    struct push_target target = {.tried = false};
    char bytes[OUTBOX_REASON_MAX];
    struct text reason = TEXT_OVER(bytes);
    bool taken = take_test(db, &arena, &target) == DB_OK;
    if (taken) {
        const struct push_text text = {
            .id = target.subscription.id.text,
            .summary = {.kind = "test",
                        .title = "Tillroll",
                        .text = strcmp(target.subscription.language, "de") == 0
                                    ? "Benachrichtigungen kommen auf diesem Gerät an."
                                    : "Notices arrive on this device.",
                        .path = "/notices"}};
        enum notice_outcome outcome = send_test(channels, &target, &text, ticker, &reason);
        if (!ticker_is_ending(ticker))
            end_test(db, &target, outcome, bytes);
    }
    arena_free(&arena);
    return taken;
}
