#include "api/cli/monitor/alarm_post.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curl/curl.h>
#include <jansson.h>

#include "api/channels/post.h"
#include "api/channels/target.h"
#include "api/channels/webhook_message.h"
#include "api/cli/cli.h"
#include "api/cli/witness/witness_state.h"
#include "api/mail/message.h"
#include "api/mail/smtp.h"
#include "api/request/call.h"
#include "api/work/ticker.h"
#include "db/link/now.h"

enum {
    LOOK_MS = 1000,
    RETRY_MS = 1000, /* before the second attempt */
    RETRY_MOST_MS = 3600000,
    DOUBLINGS_MOST = 12,
    MAIL_TIMEOUT_MS = 30000,
    BODY_MAX = 8192, /* bytes, of a webhook's body and of a mail */
    RANDOM_BYTES = 16,
    ID_TEXT = 6 + 2 * RANDOM_BYTES + 1 /* `alarm-` and hex, with a NUL */
};

/* A way of delivery: webhook or mail. */
struct way {
    struct alarm_post *post;
    const char *name; /* the member of a waiting alarm that is true while it waits for this way */
    /* Delivers an alarm. False with a sentence in `reason`; then *after_s is the delay in seconds
     * that the receiver asks for, or 0. */
    bool (*send)(struct alarm_post *post, struct ticker *ticker, const json_t *alarm,
                 struct text *reason, unsigned *after_s);
    struct ticker *ticker; /* NULL = this way is not used */
    unsigned failures;     /* since the last success */
    int64_t next_ms;       /* CLOCK_MONOTONIC: earliest time of the next attempt */
};

enum { BY_WEBHOOK, BY_MAIL, WAYS };

struct alarm_post {
    char path[WITNESS_PATH_MAX];
    const char *service; /* the service's address */
    const char *webhook, *form;
    uint8_t key[WEBHOOK_KEY];
    bool keyed;
    struct poster *poster;
    struct smtp_server server;
    const char *from, *to;
    char *password;
    pthread_mutex_t lock; /* protects `waiting`, and the ways' failures and next_ms */
    /* Alarms as {"id", "at", "alarm", "text", "origin", "webhook", "mail"}; each of the last two is
     * true while the alarm waits for that way. */
    json_t *waiting;
    struct way way[WAYS];
};

static const char *member(const json_t *alarm, const char *name)
{
    return json_string_value(json_object_get(alarm, name));
}

static bool waits_for(const json_t *alarm, const char *way)
{
    return json_is_true(json_object_get(alarm, way));
}

/* ---- Webhook ---- */

static bool write_body(const struct alarm_post *post, const json_t *alarm, struct text *body)
{
    char title[WITNESS_PATH_MAX];
    struct text words = TEXT_OVER(title);
    text_add_all(&words, "Alarm about the log ", member(alarm, "origin"), ": ",
                 member(alarm, "alarm"));
    const struct webhook_message message = {
        .kind = "log-alarm",
        .at = member(alarm, "at"),
        .title = title,
        .text = member(alarm, "text"),
        .url = post->service,
        .data = json_pack("{s:O, s:O}", "alarm", json_object_get(alarm, "alarm"), "origin",
                          json_object_get(alarm, "origin"))};
    bool good = webhook_body(body, post->form, &message);
    json_decref(message.data);
    return good;
}

static bool call_webhook(struct alarm_post *post, struct ticker *ticker, const json_t *alarm,
                         struct text *reason, unsigned *after_s)
{
    char body_bytes[BODY_MAX];
    char lines[3][160];
    struct text body = TEXT_OVER(body_bytes);
    const char *headers[] = {"Content-Type: application/json", lines[0], lines[1],
                             post->keyed ? lines[2] : NULL, NULL};
    int64_t sent_s = now_ms(CLOCK_REALTIME) / 1000;
    if (!write_body(post, alarm, &body)) {
        text_add(reason, "The message is too long for this form.");
        return false;
    }
    snprintf(lines[0], sizeof lines[0], "webhook-id: %s", member(alarm, "id"));
    snprintf(lines[1], sizeof lines[1], "webhook-timestamp: %lld", (long long)sent_s);
    if (post->keyed) {
        char signature[WEBHOOK_SIGNATURE_TEXT];
        webhook_signature(post->key, member(alarm, "id"), sent_s, text_span(&body), signature);
        snprintf(lines[2], sizeof lines[2], "webhook-signature: %s", signature);
    }
    const struct post request = {.url = post->webhook,
                                 .headers = headers,
                                 .body = text_span(&body),
                                 .stop = ticker_stops,
                                 .context = ticker};
    struct post_result result = poster_send(post->poster, &request, reason);
    *after_s = result.retry_after_s;
    return result.outcome == POST_ANSWERED && result.status < 300;
}

/* ---- Mail ---- */

static bool send_mail(struct alarm_post *post, struct ticker *ticker, const json_t *alarm,
                      struct text *reason, unsigned *after_s)
{
    char subject_bytes[MESSAGE_SUBJECT_MAX];
    char body_bytes[BODY_MAX / 2];
    char mail_bytes[BODY_MAX];
    struct text subject = TEXT_OVER(subject_bytes);
    struct text body = TEXT_OVER(body_bytes);
    struct text mail = TEXT_OVER(mail_bytes);
    struct smtp_server server = post->server;
    server.context = ticker;
    (void)after_s;
    text_add(&subject, "Log alarm: ");
    text_add(&subject, member(alarm, "alarm"));
    text_add_all(&body, member(alarm, "text"), "\n\nAlarm: ", member(alarm, "alarm"),
                 "\nLog: ", member(alarm, "origin"), "\nService: ", post->service,
                 "\nTime: ", member(alarm, "at"),
                 "\n\nThis is from tillroll monitor, which follows the log.\n");
    const struct message message = {.key = member(alarm, "id"),
                                    .from = post->from,
                                    .to = post->to,
                                    .language = "en",
                                    .subject = subject_bytes,
                                    .body = body_bytes,
                                    .written_s = time_read(member(alarm, "at")) / 1000};
    if (subject.overflow || body.overflow || !message_write(&mail, &message)) {
        text_add(reason, "The mail could not be written.");
        return false;
    }
    return smtp_send(&server, post->from, post->to, text_span(&mail), reason) == SMTP_SENT;
}

/* ---- Waiting alarms ---- */

/* Stores the waiting alarms. The lock is held. False with a message. */
static bool store_waiting(const struct alarm_post *post)
{
    json_t *document = json_pack("{s:O}", "waiting", post->waiting);
    char *bytes = json_dumps(document, JSON_INDENT(1));
    bool good = bytes != NULL && witness_replace_file(post->path, span_of(bytes));
    free(bytes);
    json_decref(document);
    return good;
}

static bool is_alarm(const json_t *alarm)
{
    static const char *const texts[] = {"id", "at", "alarm", "text", "origin"};
    int64_t at_ms;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (member(alarm, texts[i]) == NULL)
            return false;
    return strlen(member(alarm, "id")) < ID_TEXT &&
           time_parse(span_of(member(alarm, "at")), &at_ms) &&
           strlen(member(alarm, "at")) == TIME_TEXT - 1;
}

static bool read_waiting(struct alarm_post *post)
{
    size_t length;
    size_t i;
    json_t *alarm;
    post->waiting = json_array();
    if (access(post->path, F_OK) != 0)
        return true;
    char *bytes = cli_read_file(post->path, &length);
    if (bytes == NULL)
        return false;
    json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    json_t *list = json_object_get(document, "waiting");
    bool good = json_is_array(list) && json_array_size(list) <= ALARM_POST_WAITING_MAX;
    json_array_foreach(list, i, alarm)
    {
        good = good && is_alarm(alarm);
    }
    if (good)
        json_array_extend(post->waiting, list);
    else
        fprintf(stderr, "tillroll: %s: this is damaged\n", post->path);
    json_decref(document);
    free(bytes);
    return good;
}

/* A copy of the first alarm that waits for a way; NULL if there is none, or it is not time yet. */
static json_t *next_of(const struct way *way)
{
    struct alarm_post *post = way->post;
    json_t *found = NULL;
    pthread_mutex_lock(&post->lock);
    bool due = now_ms(CLOCK_MONOTONIC) >= way->next_ms;
    for (size_t i = 0; due && found == NULL && i < json_array_size(post->waiting); i++) {
        const json_t *alarm = json_array_get(post->waiting, i);
        if (waits_for(alarm, way->name))
            found = json_deep_copy(alarm);
    }
    pthread_mutex_unlock(&post->lock);
    return found;
}

/* Removes an alarm from a way. The lock is held. */
static void remove_from_way(const struct way *way, const char *id)
{
    json_t *list = way->post->waiting;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *alarm = json_array_get(list, i);
        if (strcmp(member(alarm, "id"), id) != 0)
            continue;
        json_object_del(alarm, way->name);
        if (!waits_for(alarm, "webhook") && !waits_for(alarm, "mail"))
            json_array_remove(list, i);
        break;
    }
    (void)store_waiting(way->post);
}

/* Delays the next attempt, and reports only the first of several failures. The lock is held. */
static void delay_way(struct way *way, unsigned after_s, const char *reason)
{
    int64_t delay_ms = (int64_t)RETRY_MS
                       << (way->failures < DOUBLINGS_MOST ? way->failures : DOUBLINGS_MOST);
    if (delay_ms < (int64_t)after_s * 1000)
        delay_ms = (int64_t)after_s * 1000;
    if (way->failures++ == 0)
        fprintf(stderr, "tillroll: an alarm was not taken by %s, and waits: %s\n", way->name,
                reason);
    way->next_ms = now_ms(CLOCK_MONOTONIC) + (delay_ms < RETRY_MOST_MS ? delay_ms : RETRY_MOST_MS);
}

static void hand_over(struct ticker *ticker, void *context)
{
    struct way *way = context;
    json_t *alarm;
    while (!ticker_is_ending(ticker) && (alarm = next_of(way)) != NULL) {
        char bytes[256];
        struct text reason = TEXT_OVER(bytes);
        unsigned after_s = 0;
        text_add(&reason, "");
        bool taken = way->send(way->post, ticker, alarm, &reason, &after_s);
        pthread_mutex_lock(&way->post->lock);
        if (taken) {
            way->failures = 0;
            remove_from_way(way, member(alarm, "id"));
        } else if (!ticker_is_ending(ticker)) {
            delay_way(way, after_s, bytes);
        }
        pthread_mutex_unlock(&way->post->lock);
        json_decref(alarm);
    }
}

/* ---- Alarms ---- */

/* True if the same alarm is waiting for a way. The lock is held. */
static bool waits_already(const struct way *way, const char *sentence, const char *origin)
{
    const json_t *alarm;
    size_t i;
    bool found = false;
    json_array_foreach(way->post->waiting, i, alarm)
    {
        found =
            found || (waits_for(alarm, way->name) && strcmp(member(alarm, "text"), sentence) == 0 &&
                      strcmp(member(alarm, "origin"), origin) == 0);
    }
    return found;
}

static json_t *make_alarm(const char *kind, const char *sentence, const char *origin)
{
    uint8_t random[RANDOM_BYTES];
    char id_bytes[ID_TEXT];
    char at[TIME_TEXT];
    struct text id = TEXT_OVER(id_bytes);
    randombytes_buf(random, sizeof random);
    text_add(&id, "alarm-");
    text_add_hex(&id, random, sizeof random);
    time_print(now_ms(CLOCK_REALTIME), at);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "id", id_bytes, "at", at, "alarm", kind, "text",
                     sentence, "origin", origin);
}

void alarm_post_add(struct alarm_post *post, const char *kind, const char *sentence,
                    const char *origin)
{
    json_t *alarm = make_alarm(kind, sentence, origin);
    bool waits = false;
    pthread_mutex_lock(&post->lock);
    for (size_t i = 0; i < WAYS; i++) {
        const struct way *way = &post->way[i];
        if (way->ticker == NULL || waits_already(way, sentence, origin))
            continue;
        json_object_set_new(alarm, way->name, json_true());
        waits = true;
    }
    if (waits && json_array_size(post->waiting) >= ALARM_POST_WAITING_MAX) {
        fprintf(stderr, "tillroll: %d alarms wait to be handed over: this one is not kept\n",
                ALARM_POST_WAITING_MAX);
    } else if (waits) {
        json_array_append(post->waiting, alarm);
        (void)store_waiting(post);
    }
    pthread_mutex_unlock(&post->lock);
    json_decref(alarm);
    for (size_t i = 0; i < WAYS; i++)
        if (waits && post->way[i].ticker != NULL)
            ticker_wake(post->way[i].ticker);
}

size_t alarm_post_waiting(struct alarm_post *post)
{
    pthread_mutex_lock(&post->lock);
    size_t waiting = json_array_size(post->waiting);
    pthread_mutex_unlock(&post->lock);
    return waiting;
}

bool alarm_post_settled(struct alarm_post *post)
{
    const json_t *alarm;
    size_t i;
    bool settled = true;
    pthread_mutex_lock(&post->lock);
    json_array_foreach(post->waiting, i, alarm)
    {
        for (size_t j = 0; j < WAYS; j++)
            settled = settled && (post->way[j].ticker == NULL || post->way[j].failures > 0 ||
                                  !waits_for(alarm, post->way[j].name));
    }
    pthread_mutex_unlock(&post->lock);
    return settled;
}

/* ---- Options ---- */

/* The value of a variable, or NULL if it is not set, or empty. */
static const char *from_environment(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* The first line of the file named by an option, or else the value of an environment variable, in
 * malloc()ed memory. NULL if neither is given; also NULL, with a message and *good false, on an
 * error. */
static char *read_secret(const struct cli_given *given, const char *option, const char *variable,
                         bool *good)
{
    const char *path = cli_value(given, option);
    size_t length;
    const char *value = from_environment(variable);
    char *secret = NULL;
    if (path != NULL)
        secret = cli_read_file(path, &length);
    else if (value != NULL)
        secret = strdup(value);
    *good = *good && (secret != NULL || path == NULL);
    if (secret != NULL)
        secret[strcspn(secret, "\r\n")] = '\0';
    return secret;
}

/* Reads `whsec_` and 32 bytes in base64. */
static bool read_key(const char *secret, uint8_t key[static WEBHOOK_KEY])
{
    size_t length;
    const char *end;
    return strncmp(secret, "whsec_", 6) == 0 &&
           sodium_base642bin(key, WEBHOOK_KEY, secret + 6, strlen(secret + 6), NULL, &length, &end,
                             sodium_base64_VARIANT_ORIGINAL) == 0 &&
           length == WEBHOOK_KEY && *end == '\0';
}

/* Reads the options of the webhook. Returns a sentence that says what is wrong, or NULL. */
static const char *read_webhook(struct alarm_post *post, const struct cli_given *given)
{
    const char *form = cli_value(given, "webhook-form");
    const char *const *known = webhook_forms;
    bool good = true;
    post->webhook = cli_value(given, "webhook");
    if (post->webhook == NULL)
        post->webhook = from_environment("TILLROLL_WEBHOOK");
    post->form = form == NULL ? webhook_forms[0] : form;
    if (post->webhook == NULL)
        return form != NULL || cli_value(given, "webhook-secret-file") != NULL
                   ? "needs --webhook URL, which is called with each alarm"
                   : NULL;
    if (strlen(post->webhook) > TARGET_URL_MAX || target_fault(post->webhook, true) != NULL)
        return "takes as --webhook a complete https:// or http:// address, without user and "
               "password";
    while (*known != NULL && strcmp(*known, post->form) != 0)
        known++;
    if (*known == NULL)
        return "takes as --webhook-form standard, discord, slack or matrix";
    char *secret = read_secret(given, "webhook-secret-file", "TILLROLL_WEBHOOK_SECRET", &good);
    post->keyed = secret != NULL && read_key(secret, post->key);
    good = good && post->keyed == (secret != NULL);
    if (secret != NULL)
        sodium_memzero(secret, strlen(secret));
    free(secret);
    return good ? NULL : "takes as the webhook's secret whsec_ and 32 bytes in base 64";
}

static const char *read_mail(struct alarm_post *post, const struct cli_given *given)
{
    const char *from = cli_value(given, "smtp-from");
    bool good = true;
    post->to = cli_value(given, "mail-to");
    post->from = from == NULL ? post->to : from;
    post->server = (struct smtp_server){.url = cli_value(given, "smtp-url"),
                                        .user = cli_value(given, "smtp-user"),
                                        .timeout_ms = MAIL_TIMEOUT_MS,
                                        .stop = ticker_stops};
    if ((post->to == NULL) != (post->server.url == NULL))
        return "needs --mail-to ADDRESS and --smtp-url URL both, or neither";
    if (post->to == NULL)
        return post->server.user != NULL || from != NULL ||
                       cli_value(given, "smtp-password-file") != NULL
                   ? "needs --mail-to ADDRESS, which each alarm is mailed to"
                   : NULL;
    if (!message_address(span_of(post->to)) || !message_address(span_of(post->from)))
        return "takes as --mail-to and --smtp-from addresses such as keeper@club.example";
    if (!smtp_url_good(post->server.url))
        return "takes as --smtp-url smtp://host:port or smtps://host:port, without user and "
               "password";
    if (post->server.user != NULL)
        post->password = read_secret(given, "smtp-password-file", "TILLROLL_SMTP_PASSWORD", &good);
    post->server.password = post->password;
    return good && (post->server.user == NULL) == (post->password == NULL) &&
                   (post->server.user != NULL || cli_value(given, "smtp-password-file") == NULL)
               ? NULL
               : "needs --smtp-user and a password (--smtp-password-file or "
                 "$TILLROLL_SMTP_PASSWORD) both, or neither";
}

/* ---- From start to end ---- */

static bool start(struct alarm_post *post, unsigned which, const char *target)
{
    struct way *way = &post->way[which];
    if (target == NULL)
        return true;
    way->ticker = ticker_new(LOOK_MS, hand_over, way);
    if (way->ticker == NULL)
        fprintf(stderr, "tillroll: the system has no threads left\n");
    return way->ticker != NULL;
}

struct alarm_post *alarm_post_new(const struct cli_given *given)
{
    struct alarm_post *post = must(calloc(1, sizeof *post));
    pthread_mutex_init(&post->lock, NULL);
    struct text path = TEXT_OVER(post->path);
    text_add(&path, given->word[1]);
    text_add(&path, "/unsent");
    post->service = given->word[0];
    post->poster = poster_new(true);
    post->way[BY_WEBHOOK] = (struct way){.post = post, .name = "webhook", .send = call_webhook};
    post->way[BY_MAIL] = (struct way){.post = post, .name = "mail", .send = send_mail};
    const char *wrong = read_webhook(post, given);
    if (wrong == NULL)
        wrong = read_mail(post, given);
    if (wrong != NULL)
        (void)cli_wrong_usage(given, wrong);
    else if (path.overflow)
        fprintf(stderr, "tillroll: %s: the path is too long\n", given->word[1]);
    if (wrong == NULL && !path.overflow && read_waiting(post) &&
        start(post, BY_WEBHOOK, post->webhook) && start(post, BY_MAIL, post->to))
        return post;
    alarm_post_free(post);
    return NULL;
}

void alarm_post_free(struct alarm_post *post)
{
    if (post == NULL)
        return;
    for (size_t i = 0; i < WAYS; i++)
        ticker_free(post->way[i].ticker);
    poster_free(post->poster);
    json_decref(post->waiting);
    if (post->password != NULL)
        sodium_memzero(post->password, strlen(post->password));
    free(post->password);
    sodium_memzero(post->key, sizeof post->key);
    pthread_mutex_destroy(&post->lock);
    free(post);
}
