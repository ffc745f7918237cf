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

/* The place that the event has for a player who is not in it and would enter now: `place`,
 * `waiting_list`, `full` (it takes entries, but has no place left) or `closed` (it takes none). It
 * does not check whether guests or bots may enter, or whether two entries are one person's. A
 * static text. Pure.
 */
const char *entry_outlook(const struct tournament *tournament);

/* The first round for which byes can be granted and revoked: the one after the last that has been
 * paired. 0 if there is none: no numbers yet, no rounds, no further round, or the event is closed.
 * Pure. */
unsigned entry_bye_from(const struct tournament *tournament);

#endif
