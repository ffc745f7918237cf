/* Officials' signatures of lines of an event's log (engine/tournament/event/official.h). Rows are
 * only added. */
#ifndef TILLROLL_DB_STORE_EVENTS_EVENT_SIGNATURES_H
#define TILLROLL_DB_STORE_EVENTS_EVENT_SIGNATURES_H

#include "db/link/db.h"
#include "db/link/id.h"
#include "engine/base/arena.h"

struct event_signature {
    unsigned line; /* of the event's log */
    unsigned base; /* the line after which the official signed; 1 <= base < line */
    uint8_t key[32], signature[64];
};

/* Stores the signature of a stored line. DB_CONFLICT if the line has one. */
enum db_status event_signature_add(struct db *db, const struct id *event,
                                   const struct event_signature *signature);

/* Lists the signatures of lines after line `after`, in order, at most `limit`, in the arena. */
enum db_status event_signature_list(struct db *db, struct arena *arena, const struct id *event,
                                    unsigned after, size_t limit,
                                    struct event_signature **signatures, size_t *count);

#endif
