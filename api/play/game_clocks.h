/* The clocks of games, on the service's side. Moves do not need this: their time is taken when
 * they arrive, and the record says what is left (engine/record/clock.h). `game_clocks` is one
 * thread with two tasks:
 *
 *   - It knows when the next clock runs out. At that time it writes the line `timeout`, whether or
 *     not a request arrives, followed by the line that the event's rules require: nothing, the
 *     fallback move, `fallback` or `forfeit`. However many services notice the time-out, the lines
 *     are written once: each service locks the game first, and the record's primary key decides.
 *   - Every TIMEKEEPER_BEAT_MS it reports, in a row that all services share, that a service is
 *     running.
 *
 * Time in which no service ran is charged to no player. If the row is older than
 * TIMEKEEPER_GAP_MS, no service could take a move between the time in the row and now. The service
 * that finds this gap writes it into the row; then each running game with clocks gets the lines
 * `stop server`, with the time at which a service last reported (or that of the game's last line,
 * if it is later), and `resume`, with the time at which the gap was found. Games that are stopped
 * already are left alone. No service reports until all games have these lines. A service that has
 * not reported for TIMEKEEPER_GAP_MS takes no move in games with clocks (`unavailable`): perhaps no
 * service has reported, and then the lines come first. Shorter breaks, such as a restart, count as
 * the players' time.
 *
 * The same applies to each line database and its games: while the database is away, the time of
 * their clocks is charged to no player. Each service finds such a gap by itself.
 *
 * Deadlines of events, which no move changes and no break stops, are in api/deadlines/deadlines.h.
 */
#ifndef TILLROLL_API_PLAY_GAME_CLOCKS_H
#define TILLROLL_API_PLAY_GAME_CLOCKS_H

#include "api/request/call.h"
#include "api/state/change_bus.h"
#include "engine/record/replay.h"

enum { TIMEKEEPER_BEAT_MS = 5000, TIMEKEEPER_GAP_MS = 15000 };

struct game_clocks;

/* `service` and `database` remain the caller's. Never NULL. */
struct game_clocks *game_clocks_new(struct service *service, const char *database);

/* The changes that the thread must hear of, for change_bus_subscribe(). */
struct change_bus_subscriber game_clocks_subscriber(struct game_clocks *keeper);

/* Starts the thread, once all of the service exists. False if the system has no thread left. */
bool game_clocks_start(struct game_clocks *keeper);

/* Ends the thread after its current task; call it before the rest of the service is freed. NULL is
 * fine. */
void game_clocks_stop(struct game_clocks *keeper);

/* NULL is fine. */
void game_clocks_free(struct game_clocks *keeper);

/* The number of time-outs that this service has written since its start. Any thread. */
uint64_t game_clocks_expired(const struct game_clocks *keeper);

/* True if moves may be taken in games with clocks at `now_ms`. Any thread. */
bool game_clocks_serves(const struct game_clocks *keeper, int64_t now_ms);

/* True if moves may be taken in this game at `now_ms`, if it has clocks. Any thread. */
bool game_clocks_serves_game(const struct game_clocks *keeper, const struct id *game,
                             int64_t now_ms);

/* True if a move may be taken now in the game of the path. Otherwise false, with the problem
 * `unavailable`. */
bool game_clocks_check(struct call *call, const struct replay *replay);

#endif
