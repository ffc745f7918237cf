/* A table of chains by a keyed hash of the key, and a list in the order of last use. Clients choose
 * the keys, so the hash is one whose collisions they cannot find. */
#include "api/state/response_cache.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS = 4096, PLACES = 16384 };

struct kept {
    struct kept *next;          /* in its chain */
    struct kept *newer, *older; /* in the order of last use */
    size_t chain;
    uint64_t clock;
    size_t place[ANSWER_SUBJECTS]; /* slots of the subjects' changes; PLACES = no subject */
    struct shared_answer *answer;
    size_t bytes;
    size_t key_length;
    char key[];
};

struct response_cache {
    pthread_mutex_t lock;
    uint8_t hash_key[crypto_shorthash_KEYBYTES];
    size_t bytes_max;
    uint64_t clock;       /* the number of the last change */
    uint64_t all_changed; /* the number of the last response_cache_all_changed() */
    struct response_cache_counts counts;
    struct kept *newest, *oldest;
    struct kept *chain[CHAINS];
    uint64_t changed[PLACES + 1]; /* last change by slot; the one past the end is 0 */
};

struct response_cache *response_cache_new(size_t bytes_max)
{
    struct response_cache *cache = must(calloc(1, sizeof *cache));
    cache->bytes_max = bytes_max;
    randombytes_buf(cache->hash_key, sizeof cache->hash_key);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static uint64_t hash(const struct response_cache *cache, struct span bytes)
{
    uint64_t number;
    static_assert(sizeof number == crypto_shorthash_BYTES, "SipHash-2-4 gives 64 bits");
    crypto_shorthash((unsigned char *)&number, (const unsigned char *)bytes.at, bytes.length,
                     cache->hash_key);
    return number;
}

/* ---- The lists. The lock is held ---- */

static void unlink_use(struct response_cache *cache, struct kept *kept)
{
    *(kept->newer == NULL ? &cache->newest : &kept->newer->older) = kept->older;
    *(kept->older == NULL ? &cache->oldest : &kept->older->newer) = kept->newer;
}

static void link_newest(struct response_cache *cache, struct kept *kept)
{
    kept->newer = NULL;
    kept->older = cache->newest;
    *(kept->older == NULL ? &cache->oldest : &kept->older->newer) = kept;
    cache->newest = kept;
}

static void remove_kept(struct response_cache *cache, struct kept *kept)
{
    struct kept **place = &cache->chain[kept->chain];
    while (*place != kept)
        place = &(*place)->next;
    *place = kept->next;
    unlink_use(cache, kept);
    cache->counts.answers--;
    cache->counts.bytes -= kept->bytes;
    shared_answer_drop(kept->answer);
    free(kept);
}

static struct kept *find_key(const struct response_cache *cache, size_t chain, struct span key)
{
    struct kept *kept = cache->chain[chain];
    while (kept != NULL && !span_equal((struct span){kept->key, kept->key_length}, key))
        kept = kept->next;
    return kept;
}

static void add_kept(struct response_cache *cache, struct kept *kept)
{
    kept->next = cache->chain[kept->chain];
    cache->chain[kept->chain] = kept;
    link_newest(cache, kept);
    cache->counts.answers++;
    cache->counts.bytes += kept->bytes;
    cache->counts.kept++;
    while (cache->counts.bytes > cache->bytes_max)
        remove_kept(cache, cache->oldest);
}

void response_cache_free(struct response_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->oldest != NULL)
        remove_kept(cache, cache->oldest);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* ---- Changes ---- */

static size_t place_of(const struct response_cache *cache, const struct id *subject)
{
    return subject->text[0] == '\0' ? PLACES
                                    : (size_t)(hash(cache, span_of(subject->text)) % PLACES);
}

void response_cache_changed(struct response_cache *cache, const struct id *subject)
{
    size_t place = place_of(cache, subject);
    if (place == PLACES)
        return;
    pthread_mutex_lock(&cache->lock);
    cache->changed[place] = ++cache->clock;
    pthread_mutex_unlock(&cache->lock);
}

void response_cache_all_changed(struct response_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    cache->all_changed = ++cache->clock;
    pthread_mutex_unlock(&cache->lock);
}

/* The lock is held. */
static bool is_good(const struct response_cache *cache, uint64_t clock,
                    const size_t place[static ANSWER_SUBJECTS])
{
    bool good = cache->all_changed <= clock;
    for (size_t i = 0; i < ANSWER_SUBJECTS; i++)
        good = good && cache->changed[place[i]] <= clock;
    return good;
}

/* ---- Responses ---- */

uint64_t response_cache_clock(struct response_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    uint64_t clock = cache->clock;
    pthread_mutex_unlock(&cache->lock);
    return clock;
}

static struct kept *new_kept(const struct response_cache *cache, struct span key, uint64_t clock,
                             const struct id subject[static ANSWER_SUBJECTS],
                             struct shared_answer *answer)
{
    struct kept *kept = malloc(sizeof *kept + key.length);
    if (kept == NULL)
        return NULL;
    *kept = (struct kept){.chain = (size_t)(hash(cache, key) % CHAINS),
                          .clock = clock,
                          .answer = shared_answer_hold(answer),
                          .bytes = sizeof *kept + key.length + shared_answer_bytes(answer),
                          .key_length = key.length};
    for (size_t i = 0; i < ANSWER_SUBJECTS; i++)
        kept->place[i] = place_of(cache, &subject[i]);
    memcpy(kept->key, key.at, key.length);
    return kept;
}

bool response_cache_keep(struct response_cache *cache, struct span key, uint64_t clock,
                         const struct id subject[static ANSWER_SUBJECTS],
                         struct shared_answer *answer)
{
    if (key.length > ANSWER_KEY_MAX)
        return false;
    struct kept *kept = new_kept(cache, key, clock, subject, answer);
    if (kept == NULL)
        return false;
    pthread_mutex_lock(&cache->lock);
    bool good = is_good(cache, clock, kept->place) && kept->bytes <= cache->bytes_max / 4;
    if (good) {
        struct kept *before = find_key(cache, kept->chain, key);
        if (before != NULL)
            remove_kept(cache, before);
        add_kept(cache, kept);
    }
    pthread_mutex_unlock(&cache->lock);
    if (!good) {
        shared_answer_drop(kept->answer);
        free(kept);
    }
    return good;
}

struct shared_answer *response_cache_find(struct response_cache *cache, struct span key)
{
    struct shared_answer *answer = NULL;
    size_t chain = (size_t)(hash(cache, key) % CHAINS);
    pthread_mutex_lock(&cache->lock);
    struct kept *kept = find_key(cache, chain, key);
    if (kept != NULL && !is_good(cache, kept->clock, kept->place)) {
        remove_kept(cache, kept);
    } else if (kept != NULL) {
        unlink_use(cache, kept);
        link_newest(cache, kept);
        cache->counts.found++;
        answer = shared_answer_hold(kept->answer);
    }
    pthread_mutex_unlock(&cache->lock);
    return answer;
}

struct response_cache_counts response_cache_count(struct response_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    struct response_cache_counts counts = cache->counts;
    pthread_mutex_unlock(&cache->lock);
    return counts;
}
