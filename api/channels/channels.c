#include "api/channels/channels.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/channels/channel_parts.h"
#include "api/channels/target.h"
#include "api/request/call.h"
#include "db/link/now.h"
#include "db/store/people/push_subscriptions.h"
#include "db/store/people/webhooks.h"

enum {
    LOOK_MS = 2000, /* interval of looking for tests and repeats */
    POOL_WAIT_MS = 1000,
    SEALED_KEY = KEYS_SEAL_BYTES + sizeof(struct push_key)
};

/* ---- The key of web push ---- */

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

static void find_key(struct channels *channels, struct db *db)
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

bool channels_public_key(struct channels *channels, uint8_t public[static PUSH_PUBLIC])
{
    pthread_mutex_lock(&channels->lock);
    bool has = channels->has_key;
    if (has)
        memcpy(public, channels->key.public, PUSH_PUBLIC);
    pthread_mutex_unlock(&channels->lock);
    return has;
}

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
    return channels_public_key(channels, unused);
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
        find_key(channels, db);
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
