/* Reports of tables where people play with their own copy: the table, and who may. */
#ifndef TILLROLL_API_EVENTS_REPORTS_H
#define TILLROLL_API_EVENTS_REPORTS_H

#include "api/event/event_load.h"

/* The table that the path names by its numbers of round and table. NULL with `no-such-table` if no
 * round that has been started has it. */
const struct tournament_table *report_find_table(struct call *call,
                                                 const struct loaded_event *loaded);

/* True for somebody who sits at the table, and for an official who does not, by a bot neither.
 * False with a problem. */
bool report_is_allowed(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table);

#endif
