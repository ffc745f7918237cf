/* Reports of tables with the players' own copy of the game: finding the table, and permission to
 * report. */
#ifndef TILLROLL_API_EVENTS_REPORTS_H
#define TILLROLL_API_EVENTS_REPORTS_H

#include "api/event/event_load.h"

/* The table whose numbers of round and table are in the path. NULL with `no-such-table` if no
 * started round has it. */
const struct tournament_table *report_find_table(struct call *call,
                                                 const struct loaded_event *loaded);

/* True if the caller sits at the table, or is an official who does not sit there, not even through
 * a bot. False with a problem. */
bool report_is_allowed(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table);

#endif
