/* The rows of a scorer's recording that a caller may see. */
#ifndef TILLROLL_API_EVENT_RECORDING_VIEW_H
#define TILLROLL_API_EVENT_RECORDING_VIEW_H

#include "api/event/event_load.h"
#include "db/store/games/recordings.h"

/* True for the recording's scorer, and for a caller who sits at its table. `loaded` is its event.
 */
bool recording_view_is_of_table(const struct call *call, const struct loaded_event *loaded,
                                const struct recording *recording);

/* The number of the last row of the record that the caller may see; 0 for the header alone. A
 * finished recording is visible to its end, and a running one to the end for its scorer. Players at
 * the table see only whole steps of a running one: no simultaneous decisions before all seats have
 * decided. All other callers see the same rows with the delay of the event's games. */
unsigned recording_view_rows(const struct call *call, const struct loaded_event *loaded,
                             const struct recording *recording);

#endif
