/* The co-dealers of games before their start (engine/record/dealer.h): their input, and their part
 * of the record. api/push/dealers.h contacts the dealers.
 *
 *      commitment ──> entropy ──> dealing_begin_...() ──> answers, one by one ──> the start
 *
 * The input is stored before the dealers are asked, and determines their outputs, so a service that
 * is restarted asks again and gets the same outputs. All functions work in the call's transaction,
 * and return false with a problem. */
#ifndef TILLROLL_API_TABLES_DEALING_H
#define TILLROLL_API_TABLES_DEALING_H

#include "api/event/event_load.h"
#include "db/store/games/dealings.h"
#include "db/store/games/waiting_games.h"

/* Stores the input for the event's dealers, who are then asked, for a game whose entropy is
 * complete. */
bool dealing_begin_game(struct call *call, const struct loaded_event *loaded,
                        const struct waiting_game *waiting);

/* As dealing_begin_game(), for a duplicate round whose secret has just been committed to. */
bool dealing_begin_round(struct call *call, const struct loaded_event *loaded, unsigned round,
                         const uint8_t commitment[static 32]);

/* Adds the dealers that were asked, if any, to an otherwise complete header, with the proofs of
 * those that have answered. */
bool dealing_add_proofs(struct call *call, struct record_header *header);

/* Locks a dealing, whose event the caller has locked. `can_end` is false if the dealing has ended,
 * or if answers are missing and there is still time. */
bool dealing_lock_due(struct call *call, const char *scope, bool *can_end);

/* The dealers of a game that has not begun, as a list of {"name", "answered"}. */
json_t *dealing_document(const struct record_dealer *dealers, unsigned count);

#endif
