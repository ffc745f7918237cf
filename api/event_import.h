/* Taking over an event that was played on another service, from a bundle that holds
 * (engine/tournament/bundle.h): its log line by line as it was told there, its players, games and
 * ratings. The ids stay what they are.
 */
#ifndef TILLROLL_API_EVENT_IMPORT_H
#define TILLROLL_API_EVENT_IMPORT_H

#include "api/event_load.h"
#include "engine/tournament/bundle.h"

/* Stores the event. `bundle` is what bundle_read() made of `text`, with the secret, of a closed
 * event, and its records have been checked. Who plays in it has no account here, or it is refused:
 * `player-exists`; likewise an event that is here: `event-exists`. Games are rated in the order in
 * which they ended, by the results that count of them now. */
bool event_import(struct call *call, struct span text, const struct bundle *bundle,
                  struct loaded_event *loaded);

#endif
