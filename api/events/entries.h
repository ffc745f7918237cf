/* Entering an event, for the handlers of other files. */
#ifndef TILLROLL_API_EVENTS_ENTRIES_H
#define TILLROLL_API_EVENTS_ENTRIES_H

#include "api/event/event_load.h"

/* Enters the player into the event, which is locked, or puts the player on its waiting list; late
 * if the event allows it. House players are checked in at once, since nobody else could do it.
 * False with a problem. */
bool entry_make(struct call *call, struct loaded_event *loaded, const struct id *player);

/* The API's document of the entry, a new object. False with a problem: `not-entered`. */
bool entry_load_document(struct call *call, const struct loaded_event *loaded,
                         const struct id *player, json_t **document);

#endif
