/* Entering an event, for whoever comes in by another way than the list of entries. */
#ifndef TILLROLL_API_EVENTS_ENTRIES_H
#define TILLROLL_API_EVENTS_ENTRIES_H

#include "api/event/event_load.h"

/* Enters the player into the event, which is locked, or puts them on its waiting list; late where
 * that is allowed. House players are checked in at once: nobody else could say that they are there.
 * False with a problem. */
bool entry_make(struct call *call, struct loaded_event *loaded, const struct id *player);

/* An entry as the API shows it. `entry` has the player's name and the time of entering; all else is
 * the fold's. */
json_t *entry_document(const struct tournament *tournament, const struct entrant *entrant,
                       const struct event_entry *entry);

#endif
