#include "api/channels/channels.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/channels/channel_parts.h"
#include "api/channels/push_channel.h"
#include "api/channels/target.h"
#include "api/channels/webhook_channel.h"
#include "api/request/call.h"
#include "db/link/now.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/people/webhooks.h"

/* LOOK_MS: the interval of looking for tests and repeats. */
enum { LOOK_MS = 2000, POOL_WAIT_MS = 1000 };

/* ---- Addresses ---- */

bool channels_read_address(struct call *call, const char *field, const char **address)
{
    if (!call_text(call, field, 1, TARGET_URL_MAX, NULL, address))
        return false;
    const char *fault = target_fault(*address, call->service->channels->config.private_too);
    return fault == NULL || call_bad_field(call, field, fault);
}

/* ---- Threads ---- */

static bool has_key(struct channels *channels)
{
    uint8_t unused[PUSH_PUBLIC];
    return push_channel_key(channels, unused);
}

/* True if a test or a repeat is due. */
static bool is_any_due(struct db *db)
{
    bool test = false;
    bool repeat = false;
    enum db_status status = db_begin(db, true);
    if (status == DB_OK)
        status = push_test_due(db, &test);
    if (status == DB_OK && !test)
        status = webhook_delivery_due(db, &repeat);
    db_rollback(db);
    return status == DB_OK && (test || repeat);
}

/* Sends all tests and repeats that are due. The number of threads that look is one more than the
 * number that are sending. */
static void send_due(struct ticker *ticker, void *context)
{
    struct channels_sender *sender = context;
    struct channels *channels = sender->channels;
    if (sender - channels->senders > (ptrdiff_t)atomic_load(&channels->sending))
        return;
    struct db *db = db_pool_take(channels->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    if (!has_key(channels))
        push_channel_find_key(channels, db);
    atomic_fetch_add(&channels->sending, 1);
    while (
        !ticker_is_ending(ticker) && has_key(channels) && is_any_due(db) &&
        (push_channel_test(channels, ticker, db) || webhook_channel_repeat(channels, ticker, db)))
        ;
    atomic_fetch_sub(&channels->sending, 1);
    db_pool_give(channels->pool, db);
}

struct channels *channels_new(const struct channels_config *config)
{
    struct channels *channels = must(calloc(1, sizeof *channels));
    pthread_mutex_init(&channels->lock, NULL);
    condition_init(&channels->free);
    channels->config = *config;
    channels->poster = poster_new(config->private_too);
    channels->pool = db_pool_new(config->database, true, CHANNEL_SENDERS);
    for (size_t i = 0; i < CHANNEL_SENDERS; i++) {
        channels->senders[i].channels = channels;
        channels->senders[i].ticker = ticker_new(LOOK_MS, send_due, &channels->senders[i]);
        if (channels->senders[i].ticker == NULL) {
            channels_free(channels);
            return NULL;
        }
    }
    return channels;
}

void channels_free(struct channels *channels)
{
    if (channels == NULL)
        return;
    for (size_t i = 0; i < CHANNEL_SENDERS; i++)
        ticker_free(channels->senders[i].ticker);
    db_pool_free(channels->pool);
    poster_free(channels->poster);
    pthread_cond_destroy(&channels->free);
    pthread_mutex_destroy(&channels->lock);
    sodium_memzero(&channels->key, sizeof channels->key);
    free(channels);
}
