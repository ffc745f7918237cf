/* Games that wait for the entropy of their players (db/store/games/waiting_games.h): what is given
 * to them, and when they start. The commitment to a game's secret is in the transparency log's
 * queue with the round's start, so before anybody can give anything; what is given stands in the
 * record in the order of seats, and nobody is shown it before.
 */
#ifndef TILLROLL_API_DEADLINES_ENTROPY_H
#define TILLROLL_API_DEADLINES_ENTROPY_H

#include "api/request/call.h"
#include "db/store/games/waiting_games.h"

/* Starts a game that waits, if its time is over at `call->now_ms` and nobody else has started it.
 * Locks its event, then it. False with a problem. */
bool entropy_start_late_game(struct call *call, const struct waiting_game *waiting);

/* {"game", "until"} of the game that waits at this table, or null. */
json_t *entropy_table_document(const struct waiting_game *waiting, size_t count, unsigned round,
                               unsigned table);

#endif
