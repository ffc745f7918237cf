/* Casual games: what the handlers of tables share. All that can fail answer with a problem, and
 * return false then. They are called in the call's transaction, by its thread. */
#ifndef TILLROLL_API_CASUAL_CASUAL_H
#define TILLROLL_API_CASUAL_CASUAL_H

#include "api/request/call.h"
#include "db/store/games/casual.h"

/* How long a table waits for its game to start. */
#define CASUAL_OPEN_MS INT64_C(86400000)

/* Tables that were opened before this moment, in milliseconds since 1970, are closed. */
int64_t casual_open_since_ms(const struct call *call);

/* The table as clients see it, a new reference. `invited`: with the code of its invitation, for
 * those who have a seat, or have come with it. */
json_t *casual_document(const struct casual_table *table, bool invited);

/* Whether the caller may sit at the table, as far as it is rated: nobody is compared with
 * themselves, and guests are not compared at all. `guest-not-allowed`, `same-owner`. */
bool casual_may_be_rated(struct call *call, const struct casual_table *table);

/* Whether the caller may be at one table more; locks the account, so that the count holds until the
 * commit. `lobby-full`. */
bool casual_has_room(struct call *call);

/* Seats the caller at the table, which is locked and reread, starts the game with the last seat,
 * and answers with the table; who sits there already is told so. */
void casual_take_own_seat(struct call *call, struct casual_table *table);

#endif
