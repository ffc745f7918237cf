#include "api/changes.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SUBSCRIBERS_MAX = 8 };

struct changes {
    size_t count;
    struct changes_subscriber subscriber[SUBSCRIBERS_MAX];
    atomic_bool complete;
};

struct changes *changes_new(void)
{
    struct changes *changes = calloc(1, sizeof *changes);
    if (changes == NULL)
        abort();
    return changes;
}

void changes_free(struct changes *changes)
{
    free(changes);
}

void changes_subscribe(struct changes *changes, const struct changes_subscriber *subscriber)
{
    assert(changes->count < SUBSCRIBERS_MAX);
    changes->subscriber[changes->count++] = *subscriber;
}

void changes_game(struct changes *changes, const struct id *game, unsigned seq)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].game != NULL)
            changes->subscriber[i].game(changes->subscriber[i].context, game, seq);
}

void changes_event(struct changes *changes, const struct id *event)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].event != NULL)
            changes->subscriber[i].event(changes->subscriber[i].context, event);
}

void changes_token(struct changes *changes, const uint8_t hash[static 32])
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].token != NULL)
            changes->subscriber[i].token(changes->subscriber[i].context, hash);
}

void changes_player(struct changes *changes, const struct id *player)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].player != NULL)
            changes->subscriber[i].player(changes->subscriber[i].context, player);
}

void changes_log(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].log != NULL)
            changes->subscriber[i].log(changes->subscriber[i].context);
}

void changes_all(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (changes->subscriber[i].all != NULL)
            changes->subscriber[i].all(changes->subscriber[i].context);
}

bool changes_complete(const struct changes *changes)
{
    return atomic_load(&changes->complete);
}

/* ---- The listener ---- */

static void hear_game(void *context, const struct id *game, unsigned seq)
{
    changes_game(context, game, seq);
}

static void hear_event(void *context, const struct id *event)
{
    changes_event(context, event);
}

static void hear_token(void *context, const uint8_t hash[static 32])
{
    changes_token(context, hash);
}

static void hear_player(void *context, const struct id *player)
{
    changes_player(context, player);
}

static void hear_log(void *context)
{
    changes_log(context);
}

/* Complete again only when everybody knows that what he has is stale. */
static void hear_connected(void *context, bool hears)
{
    struct changes *changes = context;
    if (hears)
        changes_all(changes);
    atomic_store(&changes->complete, hears);
}

struct listener_ears changes_ears(struct changes *changes)
{
    return (struct listener_ears){.context = changes,
                                  .game = hear_game,
                                  .event = hear_event,
                                  .token = hear_token,
                                  .player = hear_player,
                                  .log = hear_log,
                                  .connected = hear_connected};
}
