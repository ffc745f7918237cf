/* Entering an event, for whoever comes in by another way than the list of entries. */
#ifndef TILLROLL_API_EVENTS_ENTRIES_H
#define TILLROLL_API_EVENTS_ENTRIES_H

#include "api/event/event_load.h"

/* Enters the player into the event, which is locked, or puts them on its waiting list; late where
 * that is allowed. House players are checked in at once: nobody else could say that they are there.
 * False with a problem. */
bool entry_make(struct call *call, struct loaded_event *loaded, const struct id *player);

/* The entry as the API shows it, a new object. False with a problem: `not-entered`. */
bool entry_load_document(struct call *call, const struct loaded_event *loaded,
                         const struct id *player, json_t **document);

#endif
