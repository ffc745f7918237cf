/* Imports an event that was played on another service, from a valid bundle
 * (engine/tournament/interchange/bundle.h): its log line by line as it was written there, its
 * players, games and ratings. Ids remain unchanged. */
#ifndef TILLROLL_API_RECORDS_EVENT_IMPORT_H
#define TILLROLL_API_RECORDS_EVENT_IMPORT_H

#include "api/event/event_load.h"
#include "engine/tournament/interchange/bundle.h"

struct proved_game;

/* Replays the bundle's records and returns their games, in the order of the records, owned by the
 * call's arena. Call it before opening a transaction. False with a problem. */
bool event_import_prove(struct call *call, struct bundle *bundle, struct proved_game **games);

/* Stores the event. `games` comes from event_import_prove(). `bundle` comes from bundle_read() of
 * `text`, with the secret, of a closed event, and its records have been checked. Refuses an event
 * if one of its players has an account here (`player-exists`), or if it is already here
 * (`event-exists`). Games are rated in the order in which they ended, by their results that count
 * now. False with a problem. */
bool event_import(struct call *call, struct span text, const struct bundle *bundle,
                  const struct proved_game *games, struct loaded_event *loaded);

#endif
