/* Folds of events' logs that are kept in memory: who loads an event again folds the lines that have
 * come since, not the whole log.
 *
 * A fold is kept with a mark of its last line. Lines of a log never change, so a fold whose last
 * line is in the log that somebody reads, is the fold of that log up to there, whoever has written
 * it. Whoever takes one out therefore looks for that line first: it is not there for a reader whose
 * snapshot is older, nor after a database has lost what it had (a restored copy, a replica that
 * took over). Who has written lines himself that may yet be rolled back, keeps nothing.
 *
 * Any thread. At most `bytes` of folds, those that were not asked for the longest going first.
 */
#ifndef TILLROLL_API_EVENT_FOLDS_H
#define TILLROLL_API_EVENT_FOLDS_H

#include "api/cache_uses.h"
#include "db/events.h"
#include "engine/tournament/tournament.h"

struct event_folds;

/* What a line of a log is known by. */
struct event_mark {
    uint8_t hash[32];
};

/* Never NULL. With 0 bytes nothing is kept. */
struct event_folds *event_folds_new(size_t bytes);

/* NULL is fine. */
void event_folds_free(struct event_folds *folds);

/* BLAKE2b-256 of the line's number, time, actor, kind and detail. */
struct event_mark event_mark_of(const struct event_step *step);

/* A copy of the fold that is kept of the event, the caller's to free (tournament_free() and
 * free()), with the mark of its last line; NULL if there is none, or no memory. */
struct tournament *event_folds_copy(struct event_folds *folds, const struct id *event,
                                    struct event_mark *mark);

/* Keeps a copy of a fold of committed lines, in place of any other of the event. Where memory is
 * short nothing is kept. */
void event_folds_keep(struct event_folds *folds, const struct id *event,
                      const struct tournament *tournament, const struct event_mark *mark);

struct event_folds_figures {
    size_t folds, bytes;
    struct cache_uses uses; /* of event_folds_copy(), since the start */
};
struct event_folds_figures event_folds_figures(struct event_folds *folds);

#endif
