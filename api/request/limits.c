/* Sets of eight buckets, chosen by a keyed hash of the client: a lookup touches one set. */
#include "api/request/limits.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/counter.h"

enum { SETS = 1024, WAYS = 8, CLIENT_MOST = 63 };

struct bucket {
    uint8_t client[16]; /* keyed hash of class and client; all zero = unused */
    int64_t used_ms;
    int64_t tokens; /* in 1/60000 of a token: a millisecond at 1 token per minute adds 1 */
};

static const int64_t token = 60000;

struct limits {
    struct limit limit[LIMIT_CLASSES];
    uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
    pthread_mutex_t mutex;
    struct counter refused[LIMIT_CLASSES];
    struct bucket bucket[SETS][WAYS];
};

struct limits *limits_new(const struct limit limit[static LIMIT_CLASSES])
{
    struct limits *limits = must(calloc(1, sizeof *limits));
    memcpy(limits->limit, limit, sizeof limits->limit);
    randombytes_buf(limits->key, sizeof limits->key);
    pthread_mutex_init(&limits->mutex, NULL);
    return limits;
}

void limits_free(struct limits *limits)
{
    if (limits == NULL)
        return;
    pthread_mutex_destroy(&limits->mutex);
    free(limits);
}

/* The client's bucket; if there is none, the least recently used one of the set is taken. */
static struct bucket *find_bucket(struct limits *limits, const uint8_t client[static 16],
                                  int64_t full, int64_t now_ms)
{
    size_t set = ((size_t)client[0] << 8 | client[1]) % SETS;
    struct bucket *oldest = &limits->bucket[set][0];
    for (size_t way = 0; way < WAYS; way++) {
        struct bucket *bucket = &limits->bucket[set][way];
        if (memcmp(bucket->client, client, sizeof bucket->client) == 0)
            return bucket;
        if (bucket->used_ms < oldest->used_ms)
            oldest = bucket;
    }
    memcpy(oldest->client, client, sizeof oldest->client);
    oldest->tokens = full;
    oldest->used_ms = now_ms;
    return oldest;
}

static void refill(struct bucket *bucket, const struct limit *limit, int64_t now_ms)
{
    int64_t full = limit->burst * token;
    int64_t waited = now_ms > bucket->used_ms ? now_ms - bucket->used_ms : 0;
    if (waited > 2 * full)
        waited = 2 * full;
    bucket->tokens += waited * limit->per_minute;
    if (bucket->tokens > full)
        bucket->tokens = full;
    bucket->used_ms = now_ms;
}

/* Seconds until there is one token. */
static unsigned wait_for_token(const struct bucket *bucket, const struct limit *limit)
{
    if (bucket->tokens >= token)
        return 0;
    int64_t missing_ms = (token - bucket->tokens + limit->per_minute - 1) / limit->per_minute;
    return (unsigned)((missing_ms + 999) / 1000);
}

/* SipHash: its key is secret and the input short, so clients cannot choose whose bucket they
 * share. */
static void hash_client(const struct limits *limits, enum limit_class class, const void *client,
                        size_t client_size, uint8_t hash[static 16])
{
    uint8_t bytes[1 + CLIENT_MOST];
    assert(client_size <= CLIENT_MOST);
    bytes[0] = (uint8_t) class;
    memcpy(bytes + 1, client, client_size);
    crypto_shorthash_siphashx24(hash, bytes, 1 + client_size, limits->key);
}

/* Returns the client's bucket, refilled, with the lock held; NULL, without the lock, if there is no
 * limit. */
static struct bucket *open_bucket(struct limits *limits, enum limit_class class, const void *client,
                                  size_t client_size, int64_t now_ms)
{
    const struct limit *limit = &limits->limit[class];
    uint8_t hash[16];
    if (limit->per_minute == 0)
        return NULL;
    hash_client(limits, class, client, client_size, hash);
    pthread_mutex_lock(&limits->mutex);
    struct bucket *bucket = find_bucket(limits, hash, limit->burst * token, now_ms);
    refill(bucket, limit, now_ms);
    return bucket;
}

static unsigned close_bucket(struct limits *limits, enum limit_class class, struct bucket *bucket,
                             bool takes)
{
    unsigned wait_s = wait_for_token(bucket, &limits->limit[class]);
    if (wait_s > 0)
        counter_add(&limits->refused[class], 1);
    else if (takes)
        bucket->tokens -= token;
    pthread_mutex_unlock(&limits->mutex);
    return wait_s;
}

unsigned limits_take(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms)
{
    struct bucket *bucket = open_bucket(limits, class, client, client_size, now_ms);
    return bucket == NULL ? 0 : close_bucket(limits, class, bucket, true);
}

unsigned limits_wait(struct limits *limits, enum limit_class class, const void *client,
                     size_t client_size, int64_t now_ms)
{
    struct bucket *bucket = open_bucket(limits, class, client, client_size, now_ms);
    return bucket == NULL ? 0 : close_bucket(limits, class, bucket, false);
}

void limits_charge(struct limits *limits, enum limit_class class, const void *client,
                   size_t client_size, unsigned count, int64_t now_ms)
{
    struct bucket *bucket = open_bucket(limits, class, client, client_size, now_ms);
    if (bucket == NULL)
        return;
    int64_t full = limits->limit[class].burst * token;
    bucket->tokens -= count * token;
    if (bucket->tokens < -full)
        bucket->tokens = -full;
    pthread_mutex_unlock(&limits->mutex);
}

uint64_t limits_refused(const struct limits *limits, enum limit_class class)
{
    return counter_read(&limits->refused[class]);
}

const char *limit_class_name(enum limit_class class)
{
    static const char *const name[LIMIT_CLASSES] = {
        [LIMIT_READ] = "read",     [LIMIT_WRITE] = "write",    [LIMIT_PASSWORD] = "password",
        [LIMIT_GUEST] = "guest",   [LIMIT_MAIL] = "mail",      [LIMIT_UNKNOWN] = "unknown-token",
        [LIMIT_REPORT] = "report", [LIMIT_REPORTS] = "reports"};
    return name[class];
}
