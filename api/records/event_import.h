/* Taking over an event that was played on another service, from a bundle that holds
 * (engine/tournament/interchange/bundle.h): its log line by line as it was told there, its players,
 * games and ratings. The ids stay what they are.
 */
#ifndef TILLROLL_API_RECORDS_EVENT_IMPORT_H
#define TILLROLL_API_RECORDS_EVENT_IMPORT_H

#include "api/event/event_load.h"
#include "engine/tournament/interchange/bundle.h"

struct proved_game;

/* What the records say of their games, in the order of the bundle's records, in the arena: worked
 * out before there is a transaction. */
bool event_import_prove(struct call *call, struct bundle *bundle, struct proved_game **games);

/* Stores the event. `games` is what event_import_prove() made of its records. `bundle` is what
 * bundle_read() made of `text`, with the secret, of a closed event, and its records have been
 * checked. Who plays in it has no account here, or it is refused: `player-exists`; likewise an
 * event that is here: `event-exists`. Games are rated in the order in which they ended, by the
 * results that count of them now. */
bool event_import(struct call *call, struct span text, const struct bundle *bundle,
                  const struct proved_game *games, struct loaded_event *loaded);

#endif
