#include "api/work/odds_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

struct odds_cache {
    pthread_mutex_t lock;
    struct odds kept[ODDS_CACHE_MAX]; /* a ring */
    size_t count, next;
    struct cache_uses uses;
};

struct odds_cache *odds_cache_new(void)
{
    struct odds_cache *cache = must(calloc(1, sizeof *cache));
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void odds_cache_free(struct odds_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->count; i++)
        odds_free(&cache->kept[i]);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct odds *find(struct odds_cache *cache, const uint8_t seed[static 32])
{
    for (size_t i = 0; i < cache->count; i++)
        if (memcmp(cache->kept[i].seed, seed, sizeof cache->kept[i].seed) == 0)
            return &cache->kept[i];
    return NULL;
}

static bool copy(const struct odds *odds, struct odds *into)
{
    const size_t size = odds->count * sizeof *odds->entries;
    struct odds_entry *entries = malloc(size > 0 ? size : 1);
    if (entries == NULL)
        return false;
    memcpy(entries, odds->entries, size);
    *into = *odds;
    into->entries = entries;
    return true;
}

bool odds_cache_find(struct odds_cache *cache, const uint8_t seed[static 32], struct odds *odds)
{
    pthread_mutex_lock(&cache->lock);
    const struct odds *kept = find(cache, seed);
    *(kept != NULL ? &cache->uses.found : &cache->uses.missed) += 1;
    const bool found = kept != NULL && copy(kept, odds);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void odds_cache_keep(struct odds_cache *cache, const struct odds *odds)
{
    struct odds copied;
    if (!copy(odds, &copied))
        return;
    pthread_mutex_lock(&cache->lock);
    if (find(cache, odds->seed) != NULL) {
        odds_free(&copied);
    } else {
        if (cache->count < ODDS_CACHE_MAX)
            cache->count++;
        else
            odds_free(&cache->kept[cache->next]);
        cache->kept[cache->next] = copied;
        cache->next = (cache->next + 1) % ODDS_CACHE_MAX;
    }
    pthread_mutex_unlock(&cache->lock);
}

struct cache_uses odds_cache_uses(struct odds_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    const struct cache_uses uses = cache->uses;
    pthread_mutex_unlock(&cache->lock);
    return uses;
}
