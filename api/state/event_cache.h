/* Folds of events' logs in memory: loading an event again folds only the lines added since.
 *
 * A fold is kept with a mark of its last line. Lines of a log never change, so a fold whose last
 * line is in the log that a caller reads is the fold of that log up to there, whichever process
 * wrote it. A caller that takes a fold therefore first looks for that line: it is missing for a
 * reader with an older snapshot, and after a database has lost data (a restored copy, a replica
 * that took over). A caller that has itself written lines that may still be rolled back keeps
 * nothing.
 *
 * Any thread. At most `bytes` of folds; the least recently used ones are dropped first.
 */
#ifndef TILLROLL_API_STATE_EVENT_CACHE_H
#define TILLROLL_API_STATE_EVENT_CACHE_H

#include "api/state/cache_uses.h"
#include "db/store/events/events.h"
#include "engine/tournament/event/tournament.h"

struct event_cache;

/* Identifies a line of a log. */
struct event_mark {
    uint8_t hash[32];
};

/* Never NULL. With 0 bytes the cache keeps nothing. */
struct event_cache *event_cache_new(size_t bytes);

/* NULL is allowed. */
void event_cache_free(struct event_cache *event_cache);

/* BLAKE2b-256 of the line's number, time, actor, kind and detail. */
struct event_mark event_mark_of(const struct event_step *step);

/* A copy of the event's fold, which the caller frees (tournament_free() and free()), with the mark
 * of its last line; NULL if there is none, or memory is short. */
struct tournament *event_cache_copy(struct event_cache *event_cache, const struct id *event,
                                    struct event_mark *mark);

/* Keeps a copy of a fold of committed lines, in place of the event's previous one. If memory is
 * short, nothing is kept. */
void event_cache_keep(struct event_cache *event_cache, const struct id *event,
                      const struct tournament *tournament, const struct event_mark *mark);

struct event_cache_figures {
    size_t event_cache, bytes;
    struct cache_uses uses; /* lookups by event_cache_copy(), since the start */
};
struct event_cache_figures event_cache_figures(struct event_cache *event_cache);

#endif
