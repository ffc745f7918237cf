/* Work in events that no request triggers: a challenge of a ladder that was not answered in time is
 * won by forfeit; who has waited in the queue of open play for as long as its patience plays at a
 * smaller table; a game that waits for its players' entropy starts when its time is over.
 *
 * Every service looks for events that are due, locks one, and does what its log says is to be done,
 * in one transaction: so it is done once, however many services there are, and by another one if a
 * service ends in the middle.
 *
 * Due times of events are minutes and days, stand in a column, and may be late by the interval.
 * Clocks of games run out at a millisecond, after each move at another one, and stand still while
 * nobody serves: they are kept in memory, by a part of their own (api/play/game_clocks.h). */
#ifndef TILLROLL_API_DEADLINES_DEADLINES_H
#define TILLROLL_API_DEADLINES_DEADLINES_H

#include "api/request/service.h"

struct deadlines;

/* Starts a thread that looks every `interval_ms`, 0 = never. `service` must be open until
 * deadlines_free(). NULL if the system has no threads left. */
struct deadlines *deadlines_new(struct service *service, const char *database,
                                unsigned interval_ms);

/* Waits for what is being done. NULL is fine. */
void deadlines_free(struct deadlines *deadlines);

/* Looks at events since the start: those that did what was due, and those that could not. Any
 * thread. */
struct deadlines_figures {
    uint64_t done, failed;
};
struct deadlines_figures deadlines_figures(const struct deadlines *deadlines);

/* ---- Chores ---- */

/* Chores: now and then what is old is deleted, by one of the services that use the database: tokens
 * that ended RETENTION_KEEP_DAYS ago, and answers that were kept for retries so long ago.
 */

struct retention;

enum { RETENTION_KEEP_DAYS = 7 };

/* Starts a thread that looks every `seconds` whether something is due, at once for the first time;
 * 0 = never. NULL if the system has no threads left. */
struct retention *retention_new(const char *database, unsigned seconds);

/* Waits for what is being done. NULL is fine. */
void retention_free(struct retention *retention);

#endif
