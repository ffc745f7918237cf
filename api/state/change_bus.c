#include "api/state/change_bus.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SUBSCRIBERS_MAX = 8 };

struct change_bus {
    size_t count;
    struct change_bus_subscriber subscriber[SUBSCRIBERS_MAX];
    atomic_bool complete;
};

struct change_bus *change_bus_new(void)
{
    struct change_bus *bus = must(calloc(1, sizeof *bus));
    return bus;
}

void change_bus_free(struct change_bus *bus)
{
    free(bus);
}

void change_bus_subscribe(struct change_bus *bus, const struct change_bus_subscriber *subscriber)
{
    assert(bus->count < SUBSCRIBERS_MAX);
    bus->subscriber[bus->count++] = *subscriber;
}

void change_bus_game(struct change_bus *bus, const struct id *game, unsigned seq)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].game != NULL)
            bus->subscriber[i].game(bus->subscriber[i].context, game, seq);
}

void change_bus_event(struct change_bus *bus, const struct id *event)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].event != NULL)
            bus->subscriber[i].event(bus->subscriber[i].context, event);
}

void change_bus_token(struct change_bus *bus, const uint8_t hash[static 32])
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].token != NULL)
            bus->subscriber[i].token(bus->subscriber[i].context, hash);
}

void change_bus_player(struct change_bus *bus, const struct id *player)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].player != NULL)
            bus->subscriber[i].player(bus->subscriber[i].context, player);
}

/* The transparency log has new leaves. */
static void change_bus_log(struct change_bus *bus)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].log != NULL)
            bus->subscriber[i].log(bus->subscriber[i].context);
}

/* Anything may have changed without notice. */
static void change_bus_all(struct change_bus *bus)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->subscriber[i].all != NULL)
            bus->subscriber[i].all(bus->subscriber[i].context);
}

bool change_bus_complete(const struct change_bus *bus)
{
    return atomic_load(&bus->complete);
}

/* ---- The listener ---- */

static void on_game(void *context, const struct id *game, unsigned seq)
{
    change_bus_game(context, game, seq);
}

static void on_event(void *context, const struct id *event)
{
    change_bus_event(context, event);
}

static void on_token(void *context, const uint8_t hash[static 32])
{
    change_bus_token(context, hash);
}

static void on_player(void *context, const struct id *player)
{
    change_bus_player(context, player);
}

static void on_log(void *context)
{
    change_bus_log(context);
}

/* The bus is complete again only after every subscriber has been told that its data is stale. */
static void on_connected(void *context, bool hears)
{
    struct change_bus *bus = context;
    if (hears)
        change_bus_all(bus);
    atomic_store(&bus->complete, hears);
}

struct listener_callbacks change_bus_callbacks(struct change_bus *bus)
{
    return (struct listener_callbacks){.context = bus,
                                       .game = on_game,
                                       .event = on_event,
                                       .token = on_token,
                                       .player = on_player,
                                       .log = on_log,
                                       .connected = on_connected};
}
