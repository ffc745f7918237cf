/* Games outside of rounds, of ladders and open play: their round is 0, and they are numbered
 * through the event. */
#ifndef TILLROLL_API_OPEN_TABLES_H
#define TILLROLL_API_OPEN_TABLES_H

#include "api/event_people.h"

/* Takes the line `table_started` and starts the game. `entries` in order of seats. The event is
 * locked. False with a problem. */
bool open_table_start(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const uint16_t *entries, unsigned seats);

/* The tables that have no result yet, in order of their numbers. */
json_t *open_tables_document(const struct event_people *people);

#endif
