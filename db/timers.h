/* When something has to be done in an event though nobody asks for it. */
#ifndef TILLROLL_DB_TIMERS_H
#define TILLROLL_DB_TIMERS_H

#include "db/db.h"

/* The event is due at `due_ms`, 0 = never. */
enum db_status timer_set(struct db *db, const struct id *event, int64_t due_ms);

/* The event that has been due the longest at `now_ms`. DB_NONE if there is none. Nothing is locked:
 * whoever acts locks the event and looks whether it is still to be done. */
enum db_status timer_find(struct db *db, int64_t now_ms, struct id *event);

#endif
