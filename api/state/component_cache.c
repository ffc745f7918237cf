#include "api/state/component_cache.h"

#include <pthread.h>
#include <stdlib.h>

#include "db/store/service/component_sets.h"
#include "engine/game/component_set.h"

struct component_cache {
    pthread_mutex_t mutex; /* guards the other members */
    struct game *game[COMPONENT_CACHE_MAX];
    size_t count;
};

struct component_cache *component_cache_new(void)
{
    struct component_cache *cache = must(calloc(1, sizeof *cache));
    pthread_mutex_init(&cache->mutex, NULL);
    return cache;
}

void component_cache_free(struct component_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < cache->count; i++)
        component_set_free(cache->game[i]);
    pthread_mutex_destroy(&cache->mutex);
    free(cache);
}

/* The mutex is held. */
static struct game *find_loaded(struct component_cache *cache, const struct game *rules,
                                const uint8_t hash[static 32])
{
    for (size_t i = 0; i < cache->count; i++)
        if (component_set_is(cache->game[i], rules, hash))
            return cache->game[i];
    return NULL;
}

static struct game *load(struct component_lookup *lookup, const struct game *rules,
                         const uint8_t hash[static 32])
{
    struct arena arena = {NULL};
    struct stored_set set;
    struct span body;
    struct component_fault fault;
    struct game *game = NULL;
    lookup->status = component_set_find(lookup->db, &arena, hash, &set, &body);
    if (lookup->status == DB_OK) {
        game = component_set_game(rules, body, &fault);
        lookup->status = game == NULL ? DB_NONE : DB_OK;
    }
    arena_free(&arena);
    return game;
}

/* Adds the game to the cache, unless another thread has added it already. */
static struct game *keep(struct component_lookup *lookup, struct game *game,
                         const struct game *rules, const uint8_t hash[static 32])
{
    struct component_cache *cache = lookup->cache;
    pthread_mutex_lock(&cache->mutex);
    struct game *kept = find_loaded(cache, rules, hash);
    if (kept == NULL && cache->count < COMPONENT_CACHE_MAX) {
        cache->game[cache->count++] = game;
        kept = game;
    }
    pthread_mutex_unlock(&cache->mutex);
    if (kept != game)
        component_set_free(game);
    if (kept == NULL)
        lookup->status = DB_UNAVAILABLE;
    return kept;
}

static const struct game *find(void *context, const struct game *rules,
                               const uint8_t hash[static 32])
{
    struct component_lookup *lookup = context;
    if (lookup->cache == NULL)
        return NULL;
    pthread_mutex_lock(&lookup->cache->mutex);
    struct game *game = find_loaded(lookup->cache, rules, hash);
    pthread_mutex_unlock(&lookup->cache->mutex);
    if (game != NULL)
        return game;
    game = load(lookup, rules, hash);
    return game == NULL ? NULL : keep(lookup, game, rules, hash);
}

const struct component_sets *component_cache_sets(struct component_cache *cache, struct db *db,
                                                  struct component_lookup *lookup)
{
    *lookup = (struct component_lookup){{find, lookup}, cache, db, DB_NONE};
    return &lookup->sets;
}
