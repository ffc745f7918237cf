/* Rulings on tables as they stand now; how they came to be stands in the event's log. */
#ifndef TILLROLL_DB_RULINGS_H
#define TILLROLL_DB_RULINGS_H

#include "db/db.h"

struct ruled_seat {
    int score;
    unsigned rank; /* from 1 */
    bool forfeit;  /* won or lost by it */
};

/* Stores what has been ruled of a table, in order of seats, in place of what was ruled before;
 * `count` 0 takes it away. */
enum db_status ruling_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                          const struct ruled_seat *seats, size_t count);

#endif
