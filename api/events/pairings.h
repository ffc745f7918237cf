/* Draws, worked out while no transaction is open (call_compute()): what they are made from is an
 * event's log up to a line, and they are good for as long as that is its last one. */
#ifndef TILLROLL_API_EVENTS_PAIRINGS_H
#define TILLROLL_API_EVENTS_PAIRINGS_H

#include "api/event/event_load.h"
#include "engine/tournament/pairing/pairing.h"

/* The next round of an event (pairing_next()), in its next attempt. False: there is a problem, and
 * the handler returns; it is called again when the draw is there. What is in the draw belongs to
 * the call's arena. */
bool pairing_work_next(struct call *call, const struct loaded_event *loaded,
                       struct pairing *pairing);

/* The same with the tables and byes of `by_hand`, which are in the arena (pairing_change());
 * `attempt` is that of the draw they stand in place of. */
bool pairing_work_change(struct call *call, const struct loaded_event *loaded, unsigned attempt,
                         const struct pairing *by_hand, struct pairing *changed);

#endif
