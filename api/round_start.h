/* Starting what has been drawn: the round's line, then a game for each of its tables, or a ruling
 * where somebody at a fixed table of two has left. All that can fail answer with a problem. */
#ifndef TILLROLL_API_ROUND_START_H
#define TILLROLL_API_ROUND_START_H

#include "api/event_people.h"

/* The field `deadline` of the body: an RFC 3339 time, or null for none. Left out, it is the start
 * and the stage's `round_minutes`. 0 = none. */
bool round_read_deadline(struct call *call, const struct loaded_event *loaded,
                         int64_t *deadline_ms);

/* Starts the draft. The event is locked. */
bool round_start_draft(struct call *call, struct loaded_event *loaded, int64_t deadline_ms);

/* Starts the game of a table that the event's log has, or has it wait for its players' entropy
 * first where the event says so. */
bool round_start_table(struct call *call, const struct loaded_event *loaded,
                       const struct event_people *people, const struct tournament_table *table);

/* The same with the how-manieth game of this table it is, from 1. */
bool round_start_attempt(struct call *call, const struct loaded_event *loaded,
                         const struct event_people *people, const struct tournament_table *table,
                         unsigned attempt, struct id *id);

#endif
