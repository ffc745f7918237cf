/* A list in the order of last use, the latest first. There are few large folds or many small ones,
 * and those in use are near the front. A fold that is being copied is held, and freed by its last
 * holder; the list is a holder too. */
#include "api/state/event_cache.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MOST = 1000 };

struct fold {
    struct fold *next;
    struct id event;
    struct event_mark mark;
    struct tournament *tournament;
    size_t bytes;
    unsigned holds;
};

struct event_cache {
    pthread_mutex_t mutex;
    struct fold *first;
    size_t count;
    size_t bytes, bytes_most;
    struct cache_uses uses;
};

struct event_cache *event_cache_new(size_t bytes)
{
    struct event_cache *event_cache = must(calloc(1, sizeof *event_cache));
    pthread_mutex_init(&event_cache->mutex, NULL);
    event_cache->bytes_most = bytes;
    return event_cache;
}

/* ---- The mutex is held ---- */

static void release(struct fold *fold)
{
    if (--fold->holds > 0)
        return;
    tournament_free(fold->tournament);
    free(fold->tournament);
    free(fold);
}

/* Removes the fold at this place from the list, and returns it with the list's hold. */
static struct fold *unlink_fold(struct event_cache *event_cache, struct fold **place)
{
    struct fold *fold = *place;
    *place = fold->next;
    event_cache->count--;
    event_cache->bytes -= fold->bytes;
    return fold;
}

static void put_first(struct event_cache *event_cache, struct fold *fold)
{
    fold->next = event_cache->first;
    event_cache->first = fold;
    event_cache->count++;
    event_cache->bytes += fold->bytes;
}

static struct fold *take_out(struct event_cache *event_cache, const struct id *event)
{
    for (struct fold **place = &event_cache->first; *place != NULL; place = &(*place)->next)
        if (id_equal(&(*place)->event, event))
            return unlink_fold(event_cache, place);
    return NULL;
}

static void drop_last(struct event_cache *event_cache)
{
    struct fold **place = &event_cache->first;
    while ((*place)->next != NULL)
        place = &(*place)->next;
    release(unlink_fold(event_cache, place));
}

/* ---- Without the mutex ---- */

void event_cache_free(struct event_cache *event_cache)
{
    if (event_cache == NULL)
        return;
    while (event_cache->count > 0)
        drop_last(event_cache);
    pthread_mutex_destroy(&event_cache->mutex);
    free(event_cache);
}

struct event_mark event_mark_of(const struct event_step *step)
{
    struct event_mark mark;
    crypto_generichash_state state;
    const uint64_t numbers[] = {step->seq, (uint64_t)step->at_ms};
    const char *const texts[] = {step->actor.text, step->kind, step->detail};
    crypto_generichash_init(&state, NULL, 0, sizeof mark.hash);
    crypto_generichash_update(&state, (const unsigned char *)numbers, sizeof numbers);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        crypto_generichash_update(&state, (const unsigned char *)texts[i], strlen(texts[i]) + 1);
    crypto_generichash_final(&state, mark.hash, sizeof mark.hash);
    return mark;
}

static struct fold *hold(struct event_cache *event_cache, const struct id *event)
{
    pthread_mutex_lock(&event_cache->mutex);
    struct fold *fold = take_out(event_cache, event);
    if (fold != NULL) {
        put_first(event_cache, fold);
        fold->holds++;
        event_cache->uses.found++;
    } else {
        event_cache->uses.missed++;
    }
    pthread_mutex_unlock(&event_cache->mutex);
    return fold;
}

struct tournament *event_cache_copy(struct event_cache *event_cache, const struct id *event,
                                    struct event_mark *mark)
{
    struct fold *fold = hold(event_cache, event);
    if (fold == NULL)
        return NULL;
    struct tournament *copy = tournament_copy(fold->tournament);
    *mark = fold->mark;
    pthread_mutex_lock(&event_cache->mutex);
    release(fold);
    pthread_mutex_unlock(&event_cache->mutex);
    return copy;
}

static struct fold *make(const struct id *event, const struct tournament *tournament,
                         const struct event_mark *mark)
{
    struct fold *fold = malloc(sizeof *fold);
    struct tournament *copy = tournament_copy(tournament);
    if (fold == NULL || copy == NULL) {
        if (copy != NULL)
            tournament_free(copy);
        free(copy);
        free(fold);
        return NULL;
    }
    *fold = (struct fold){.event = *event,
                          .mark = *mark,
                          .tournament = copy,
                          .bytes = sizeof *fold + tournament_bytes(tournament),
                          .holds = 1};
    return fold;
}

void event_cache_keep(struct event_cache *event_cache, const struct id *event,
                      const struct tournament *tournament, const struct event_mark *mark)
{
    if (tournament_bytes(tournament) + sizeof(struct fold) > event_cache->bytes_most)
        return;
    struct fold *fold = make(event, tournament, mark);
    if (fold == NULL)
        return;
    pthread_mutex_lock(&event_cache->mutex);
    struct fold *other = take_out(event_cache, event);
    if (other != NULL)
        release(other);
    put_first(event_cache, fold);
    while (event_cache->count > EVENTS_MOST || event_cache->bytes > event_cache->bytes_most)
        drop_last(event_cache);
    pthread_mutex_unlock(&event_cache->mutex);
}

struct event_cache_figures event_cache_figures(struct event_cache *event_cache)
{
    pthread_mutex_lock(&event_cache->mutex);
    struct event_cache_figures figures = {event_cache->count, event_cache->bytes,
                                          event_cache->uses};
    pthread_mutex_unlock(&event_cache->mutex);
    return figures;
}
