/* The one place that spreads news inside the process: what has been committed, here or by another
 * process. It comes from db/listener.h and, right after a commit, from whoever committed; it goes
 * to those who keep something that may be out of date by it: caches and streams.
 *
 *      commit here ──> changes_game(..) ──┐
 *                                         ├──> every subscriber
 *      notices ──> db/listener ───────────┘
 *
 * News may come twice and late, and never tells more than that there is something to read. Nothing
 * is promised while changes_complete() is false; then everything is spread as stale once.
 */
#ifndef TILLROLL_API_CHANGES_H
#define TILLROLL_API_CHANGES_H

#include "db/id.h"
#include "db/listener.h"

/* Called on any thread, several at the same time, and often: for every change of every game. They
 * must not block and not call back. NULL for what is of no interest. */
struct changes_subscriber {
    void *context;
    void (*game)(void *context, const struct id *game, unsigned seq);
    void (*event)(void *context, const struct id *event);
    void (*token)(void *context, const uint8_t hash[static 32]);
    void (*player)(void *context, const struct id *player);
    void (*log)(void *context);
    /* Anything may have changed unheard. */
    void (*all)(void *context);
};

struct changes;

struct changes *changes_new(void);
void changes_free(struct changes *changes);

/* Before there are other threads. At most 8. */
void changes_subscribe(struct changes *changes, const struct changes_subscriber *subscriber);

/* The game's record has rows up to `seq` (db/records.h). Any thread, as the next five. */
void changes_game(struct changes *changes, const struct id *game, unsigned seq);

/* The event, one of its games as lists show it, or its standings have changed. */
void changes_event(struct changes *changes, const struct id *event);

/* The token with this SHA-256 is no longer good. */
void changes_token(struct changes *changes, const uint8_t hash[static 32]);

/* The player has another name. */
void changes_player(struct changes *changes, const struct id *player);

/* The transparency log has new leaves. */
void changes_log(struct changes *changes);

/* Anything may have changed unheard. */
void changes_all(struct changes *changes);

/* True while what other processes commit is heard of. While it is false nobody may rely on a cache
 * of his without asking the database. */
bool changes_complete(const struct changes *changes);

/* What the listener is to call. */
struct listener_ears changes_ears(struct changes *changes);

#endif
