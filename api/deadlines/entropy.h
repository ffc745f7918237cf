/* Games that wait for their players' entropy (db/store/games/waiting_games.h): giving it, and
 * starting the games. The commitment to a game's secret is queued for the transparency log when
 * the round starts, before players can give entropy. The entropy goes into the record in seat
 * order and is not shown before that. */
#ifndef TILLROLL_API_DEADLINES_ENTROPY_H
#define TILLROLL_API_DEADLINES_ENTROPY_H

#include "api/request/call.h"
#include "db/store/games/dealings.h"
#include "db/store/games/waiting_games.h"

/* Starts a waiting game whose time is up at `call->now_ms`, unless it has been started already; in
 * an event with co-dealers, has the co-dealers asked instead. Locks its event, then the game. False
 * with a problem. */
bool entropy_start_late_game(struct call *call, const struct waiting_game *waiting);

/* Starts a game whose co-dealers have answered, or whose time for their answers is up at
 * `call->now_ms`, unless it has been started already. Locks its event, then the game. False with a
 * problem. */
bool entropy_start_dealt_game(struct call *call, const struct dealing *dealing);

/* {"game", "until"} of the game waiting at this table, or null. */
json_t *entropy_table_document(const struct waiting_game *waiting, size_t count, unsigned round,
                               unsigned table);

#endif
