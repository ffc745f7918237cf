/* Distributes the news of commits, by this process or another, inside the process. News comes from
 * db/link/listener.h and, right after a commit, from the code that committed; it goes to every
 * subscriber that may hold outdated data: caches and streams.
 *
 *      commit here ──> change_bus_game(..) ──┐
 *                                            ├──> every subscriber
 *      notices ──> db/link/listener ─────────┘
 *
 * News may come twice and late, and means only that there is something to read. While
 * change_bus_complete() is false, news may be lost; afterwards everything is reported as stale
 * once.
 */
#ifndef TILLROLL_API_STATE_CHANGE_BUS_H
#define TILLROLL_API_STATE_CHANGE_BUS_H

#include "db/link/id.h"
#include "db/link/listener.h"

/* Called on any thread, several at the same time, and often: for every change of every game. The
 * functions must not block and not call back. NULL = changes of this kind do not matter. */
struct change_bus_subscriber {
    void *context;
    void (*game)(void *context, const struct id *game, unsigned seq);
    void (*event)(void *context, const struct id *event);
    void (*token)(void *context, const uint8_t hash[static 32]);
    void (*player)(void *context, const struct id *player);
    void (*log)(void *context);
    /* Anything may have changed without notice. */
    void (*all)(void *context);
};

struct change_bus;

struct change_bus *change_bus_new(void);
void change_bus_free(struct change_bus *bus);

/* To be called before there are other threads. At most 8 times. */
void change_bus_subscribe(struct change_bus *bus, const struct change_bus_subscriber *subscriber);

/* The game's record has rows up to `seq` (db/store/games/records.h). This and the following
 * functions: any thread. */
void change_bus_game(struct change_bus *bus, const struct id *game, unsigned seq);

/* The event, one of its games as lists show it, or its standings have changed. */
void change_bus_event(struct change_bus *bus, const struct id *event);

/* The token with this SHA-256 is no longer valid. */
void change_bus_token(struct change_bus *bus, const uint8_t hash[static 32]);

/* The player's name has changed. */
void change_bus_player(struct change_bus *bus, const struct id *player);

/* True while this process is notified of other processes' commits. While it is false, no cache may
 * be used without querying the database. */
bool change_bus_complete(const struct change_bus *bus);

/* The callbacks for the listener. */
struct listener_callbacks change_bus_callbacks(struct change_bus *bus);

#endif
