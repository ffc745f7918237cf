/* Ratings of reported results, of events that have them rated (tournament_rated_seats()): all those
 * of an event when it is closed, table by table, as if their games ended then. What an official
 * rules afterwards makes a revision, as it does for games.
 */
#ifndef TILLROLL_API_TABLES_REPORTED_RATINGS_H
#define TILLROLL_API_TABLES_REPORTED_RATINGS_H

#include "api/event/event_load.h"

/* The detail of the line `closed`, to be released by the caller: it names those who have no
 * account. NULL with a problem. */
json_t *reported_closed_detail(struct call *call, const struct loaded_event *loaded);

/* Rates the tables of an event that has just been closed; before glicko_rate_event(). False with a
 * problem. */
bool reported_rate_event(struct call *call, const struct loaded_event *loaded);

/* Rates a table again after a ruling, or its revocation, which has been taken; `reason` as in
 * ratings_again(). Does nothing while the event is not closed. False with a problem. */
bool reported_rate_again(struct call *call, const struct loaded_event *loaded, unsigned round,
                         unsigned table, const char *reason);

#endif
