/* The line with which a player enters an event. */
#ifndef TILLROLL_API_EVENT_EVENT_TAKE_H
#define TILLROLL_API_EVENT_EVENT_TAKE_H

#include "api/event/event_load.h"

/* The detail of the line `entered`, a new object with the player's rating in the ruleset, and the
 * leaderboard's value of it in thousandths. False with a problem; then `detail` is NULL. */
bool entry_line(struct call *call, const struct loaded_event *loaded, const struct id *player,
                json_t **detail);

#endif
