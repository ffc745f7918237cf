/* Work in events that no request triggers: an unanswered ladder challenge is won by forfeit;
 * open-play players who have been queued for long enough are seated at a smaller table; a game
 * waiting for entropy starts when its time is up, and one waiting for co-dealers when they have
 * answered, or when that time is up.
 *
 * Every service looks for due events, locks one, and does the work due according to its log, in one
 * transaction. So the work is done once, however many services run, and if a service dies midway,
 * another one takes over.
 *
 * Due times of events are minutes or days away, are stored in a column, and may be late by the
 * interval. Game clocks run out to the millisecond, change with every move, and stop while no
 * service is running, so they are kept in memory (api/play/game_clocks.h). */
#ifndef TILLROLL_API_DEADLINES_DEADLINES_H
#define TILLROLL_API_DEADLINES_DEADLINES_H

#include "api/request/service.h"

struct deadlines;

/* Starts a thread that runs every `interval_ms`, 0 = never. `service` must live until
 * deadlines_free(). NULL if the system has no threads left. */
struct deadlines *deadlines_new(struct service *service, const char *database,
                                unsigned interval_ms);

/* Waits for work in progress. NULL is fine. */
void deadlines_free(struct deadlines *deadlines);

/* Events processed since the start: successes and failures. Any thread. */
struct deadlines_figures {
    uint64_t done, failed;
};
struct deadlines_figures deadlines_figures(const struct deadlines *deadlines);

/* ---- Chores ---- */

/* Chores: one of the services using the database regularly deletes old data: tokens that ended
 * RETENTION_KEEP_DAYS ago, and stored answers too old for retries. */

struct retention;

enum { RETENTION_KEEP_DAYS = 7 };

/* Starts a thread that checks every `seconds`, first at once; 0 = never. NULL if the system has
 * no threads left. */
struct retention *retention_new(const char *database, unsigned seconds);

/* Waits for work in progress. NULL is fine. */
void retention_free(struct retention *retention);

#endif
