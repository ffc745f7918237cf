/* What the handlers of events, entries and rounds share. All of them answer with a problem and
 * return false where something stands in the way. */
#ifndef TILLROLL_API_EVENT_STEPS_H
#define TILLROLL_API_EVENT_STEPS_H

#include "api/call.h"

/* Appends a step to the event's log; takes `detail` over. The event is locked by event_open(). */
bool event_step(struct call *call, const struct id *event, const char *kind, json_t *detail);

/* Finds an event; with `change` it is locked until the end of the transaction. */
bool event_open(struct call *call, const struct id *id, bool change, struct event *event);

/* Refuses unless the event is in this state. */
bool event_is_in(struct call *call, const struct event *event, enum event_state state);

/* Whether a table of the newest round is still playing. */
bool event_round_is_running(struct call *call, const struct event *event, bool *running);

bool event_read_secret(struct call *call, const struct id *id,
                       uint8_t secret[static KEYS_SECRET_BYTES]);

#endif
