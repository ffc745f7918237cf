/* Who sees how much of a game at a real table that somebody records. */
#ifndef TILLROLL_API_EVENT_RECORDING_VIEW_H
#define TILLROLL_API_EVENT_RECORDING_VIEW_H

#include "api/event/event_load.h"
#include "db/store/games/recordings.h"

/* True for the scorer of this recording, and for a caller who sits at its table. `loaded`: its
 * event. */
bool recording_view_is_of_table(const struct call *call, const struct loaded_event *loaded,
                                const struct recording *recording);

/* The number of the last row of the record that the caller may see, 0 for the header alone. A
 * finished recording and one's own are seen to the end. While it runs, those at the table see whole
 * steps: not what some have decided while others are still to decide. Everybody else sees those,
 * and as late as the event shows its games. */
unsigned recording_view_rows(const struct call *call, const struct loaded_event *loaded,
                             const struct recording *recording);

#endif
