/* Casual games: shared by the handlers for tables. Functions that can fail answer with a problem
 * and return false. They run in the call's transaction, on its thread. */
#ifndef TILLROLL_API_CASUAL_CASUAL_H
#define TILLROLL_API_CASUAL_CASUAL_H

#include "api/request/call.h"
#include "db/store/games/casual.h"

/* The time that a table waits for its game to start. */
#define CASUAL_OPEN_MS INT64_C(86400000)

/* Tables opened before this moment, in milliseconds since 1970, are closed. */
int64_t casual_open_since_ms(const struct call *call);

/* The table as clients see it, a new reference. `invited`: include the invitation code, for players
 * with a seat or with the code. */
json_t *casual_document(const struct casual_table *table, bool invited);

/* True if the ratings allow the caller to take a seat: owners and their bots are not rated against
 * each other, and guests are not rated. Problems `guest-not-allowed`, `same-owner`. */
bool casual_may_be_rated(struct call *call, const struct casual_table *table);

/* True if the caller may join one more table. Locks the account so that the count remains valid
 * until commit. Problem `lobby-full`. */
bool casual_has_room(struct call *call);

/* Seats the caller at the table, which must be locked and is reread; starts the game with the last
 * seat; answers with the table. Idempotent for players already seated. */
void casual_take_own_seat(struct call *call, struct casual_table *table);

/* Rereads the table, which must be locked, and starts its game if all seats are taken. */
bool casual_start_if_full(struct call *call, struct casual_table *table);

/* Reads the member `house` of the body: the name of a level, static; NULL without it. */
bool casual_read_house(struct call *call, const char **level);

/* Gives all free seats to house accounts of the level, and starts the game. Problem
 * `house-unavailable`. */
bool casual_seat_house(struct call *call, struct casual_table *table, const char *level);

/* Seats the house accounts that are invited to a rematch, and starts the game if all seats are
 * taken. */
bool casual_seat_invited_house(struct call *call, struct casual_table *table);

#endif
