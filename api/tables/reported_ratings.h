/* Ratings of reported results, in events that rate them (tournament_rated_seats()). When an event
 * is closed, its tables are rated one by one, as if their games ended then. Later rulings make
 * revisions, as for games. */
#ifndef TILLROLL_API_TABLES_REPORTED_RATINGS_H
#define TILLROLL_API_TABLES_REPORTED_RATINGS_H

#include "api/event/event_load.h"

/* The detail of the line `closed`, a new reference: lists the entrants without an account. NULL
 * with a problem. */
json_t *reported_closed_detail(struct call *call, const struct loaded_event *loaded);

/* Rates the tables of an event that has just been closed; call before glicko_rate_event(). False
 * with a problem. */
bool reported_rate_event(struct call *call, const struct loaded_event *loaded);

/* Rates a table again after a ruling has been made or revoked; `reason` as in ratings_again(). Does
 * nothing while the event is not closed. False with a problem. */
bool reported_rate_again(struct call *call, const struct loaded_event *loaded, unsigned round,
                         unsigned table, const char *reason);

#endif
