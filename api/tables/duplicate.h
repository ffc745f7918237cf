/* Duplicate events: starting rounds and boards, and ending tables. On failure, these functions
 * answer with a problem and return false.
 *
 * In asynchronous play, all boards of a round start at once, and their results open when the last
 * table of the round has ended. In a barometer, each board starts when the last table of the
 * previous one has ended, and the results of that one then open. In both, records are completed
 * when the round's secret is revealed.
 */
#ifndef TILLROLL_API_TABLES_DUPLICATE_H
#define TILLROLL_API_TABLES_DUPLICATE_H

#include "api/event/event_load.h"
#include "db/store/games/games.h"

/* Creates the next round with its secret and starts its boards, or the first board of a barometer;
 * in an event with co-dealers, asks the dealers first. The event is locked. */
bool duplicate_start_round(struct call *call, struct loaded_event *loaded);

/* Starts the boards of a round whose co-dealers have answered, or whose time for answers has ended
 * at `call->now_ms`, unless they have been started already. Locks the event. False with a problem.
 */
struct dealing;
bool duplicate_start_dealt_round(struct call *call, const struct dealing *dealing);

/* Continues the round after the end of a table, whose lines and end have been stored in this
 * transaction: stores results that can now be compared in the event's log, starts the next board,
 * or reveals the round's secret. */
bool duplicate_table_ended(struct call *call, const struct game_row *game);

/* Reads the secret that the games of a round share. */
bool duplicate_read_secret(struct call *call, const struct id *event, unsigned round,
                           uint8_t secret[static KEYS_SECRET_BYTES]);

#endif
