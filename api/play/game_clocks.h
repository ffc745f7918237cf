/* The clocks of games, on the service's side. Moves need nothing of this: their time is taken when
 * they arrive, and the record says what is left (engine/record/clock.h). The game_clocks is one
 * thread that
 *
 *   - knows when the next clock runs out, and writes then, whether anybody asks or not, the line
 *     `timeout` and what the event's rules have follow it: nothing, the fallback move, `fallback`
 * or `forfeit`. However many services see it, the lines are written once: the game is locked while
 *     somebody looks, and the record's primary key decides.
 *   - says every TIMEKEEPER_BEAT_MS that somebody serves, in a row that all services share.
 *
 * Time in which nobody served is nobody's: if the row is older than TIMEKEEPER_GAP_MS, then from
 * what it says until now no service could take a move. Whoever finds that writes it into the row;
 * then each running game with clocks gets the lines `stop server`, with the time at which a service
 * last reported (or that of the game's last line, if it is later), and `resume`, with the time at
 * which the gap was found; games that are stopped anyway are left alone. Until all have them, no
 * service reports. A service that has not reported itself for TIMEKEEPER_GAP_MS takes no move in
 * games with clocks (`unavailable`): it may be that none did, and the lines come first. Shorter
 * breaks, of a restart for example, count as the players' time.
 *
 * Where there are line databases, the same goes for each of them and its games: while one is away,
 * clocks of its games are nobody's time. Each service finds such a gap by itself.
 *
 * What is due in events, which no move changes and no break stops, is of api/deadlines/deadlines.h.
 */
#ifndef TILLROLL_API_PLAY_GAME_CLOCKS_H
#define TILLROLL_API_PLAY_GAME_CLOCKS_H

#include "api/request/call.h"
#include "api/state/change_bus.h"
#include "engine/record/replay.h"

enum { TIMEKEEPER_BEAT_MS = 5000, TIMEKEEPER_GAP_MS = 15000 };

struct game_clocks;

/* `service` and `database` stay the caller's. Never NULL. */
struct game_clocks *game_clocks_new(struct service *service, const char *database);

/* What it has to be told of; for change_bus_subscribe(). */
struct change_bus_subscriber game_clocks_subscriber(struct game_clocks *keeper);

/* Starts the thread, when all of the service is there. False if the system has none left. */
bool game_clocks_start(struct game_clocks *keeper);

/* Ends the thread, after what it is at; before the rest of the service goes. NULL is fine. */
void game_clocks_stop(struct game_clocks *keeper);

/* NULL is fine. */
void game_clocks_free(struct game_clocks *keeper);

/* Clocks that have run out and of which this service has written it, since the start. Any
 * thread. */
uint64_t game_clocks_expired(const struct game_clocks *keeper);

/* Whether moves may be taken in games with clocks at `now_ms`. Any thread. */
bool game_clocks_serves(const struct game_clocks *keeper, int64_t now_ms);

/* The same of one game. */
bool game_clocks_serves_game(const struct game_clocks *keeper, const struct id *game,
                             int64_t now_ms);

/* The same for a move in this game: true, or false with the problem `unavailable`. */
bool game_clocks_check(struct call *call, const struct replay *replay);

#endif
