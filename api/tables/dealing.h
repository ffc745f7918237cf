/* The co-dealers of games that are to start (engine/record/dealer.h): what is asked of them, and
 * what goes into the record. api/push/dealers.h asks them.
 *
 *      commitment ──> entropy ──> dealing_begin_...() ──> answers, one by one ──> the start
 *
 * The input is stored before anybody is asked, and outputs follow from it; so a service that dies
 * in between asks again, and gets the same. All in the call's transaction; false with a problem. */
#ifndef TILLROLL_API_TABLES_DEALING_H
#define TILLROLL_API_TABLES_DEALING_H

#include "api/event/event_load.h"
#include "db/store/games/dealings.h"
#include "db/store/games/waiting_games.h"

/* Has the dealers that the event names asked for a game whose entropy is complete. */
bool dealing_begin_game(struct call *call, const struct loaded_event *loaded,
                        const struct waiting_game *waiting);

/* The same for a duplicate round that has just been committed to. */
bool dealing_begin_round(struct call *call, const struct loaded_event *loaded, unsigned round,
                         const uint8_t commitment[static 32]);

/* Adds the dealers that were asked, if any, to a header that is complete otherwise, with the proofs
 * of those who have answered. */
bool dealing_give(struct call *call, struct record_header *header);

/* Locks a dealing whose event is locked. `can_end` is false if it has ended, or not all are here
 * and it is not yet time. */
bool dealing_hold(struct call *call, const char *scope, bool *can_end);

/* The same object for each dealer: {"name", "answered"}; of games that have not begun. */
json_t *dealing_document(const struct record_dealer *dealers, unsigned count);

#endif
