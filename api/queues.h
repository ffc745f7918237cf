/* Open play: the queue, and the tables that are called from it. */
#ifndef TILLROLL_API_QUEUES_H
#define TILLROLL_API_QUEUES_H

#include "api/event_load.h"

/* Calls tables from those who wait and starts their games, whenever somebody has joined or a game
 * has ended. Nothing in events of other formats. The event is locked. False with a problem. */
bool queue_call_tables(struct call *call, struct loaded_event *loaded);

#endif
