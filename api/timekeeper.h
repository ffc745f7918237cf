/* The clocks of games, on the service's side. Moves need nothing of this: their time is taken when
 * they arrive, and the record says what is left (engine/clock.h). The timekeeper is one thread that
 *
 *   - knows when the next clock runs out, and writes then, whether anybody asks or not, the line
 *     `timeout` and what the event's rules have follow it: nothing, the quiet move, `fallback` or
 *     `forfeit`. However many services see it, the lines are written once: the game is locked while
 *     somebody looks, and the record's primary key decides.
 *   - says every TIMEKEEPER_BEAT_MS that somebody serves, in a row that all services share.
 *
 * Time in which nobody served is nobody's: if the row is older than TIMEKEEPER_GAP_MS, then from
 * what it says until now no service could take a move. Whoever finds that writes it into the row;
 * then each running game with clocks gets the lines `stop server`, with the time at which somebody
 * last served (or that of the game's last line, if it is later), and `resume`, with the time at
 * which it was found out; games that stand anyway are left alone. Until all have them, nobody says
 * that he serves. A service that has not said so itself for TIMEKEEPER_GAP_MS takes no move in
 * games with clocks (`unavailable`): it may be that nobody did, and the lines come first. Shorter
 * breaks, of a restart for example, count as the players' time.
 *
 * What is due in events, which no move changes and no break stops, is of api/timers.h.
 */
#ifndef TILLROLL_API_TIMEKEEPER_H
#define TILLROLL_API_TIMEKEEPER_H

#include "api/call.h"
#include "api/changes.h"
#include "engine/replay.h"

enum { TIMEKEEPER_BEAT_MS = 5000, TIMEKEEPER_GAP_MS = 15000 };

struct timekeeper;

/* `service` and `database` stay the caller's. Never NULL. */
struct timekeeper *timekeeper_new(struct service *service, const char *database);

/* What it has to be told of; for changes_subscribe(). */
struct changes_subscriber timekeeper_subscriber(struct timekeeper *keeper);

/* Starts the thread, when all of the service is there. False if the system has none left. */
bool timekeeper_start(struct timekeeper *keeper);

/* Ends the thread, after what it is at; before the rest of the service goes. NULL is fine. */
void timekeeper_stop(struct timekeeper *keeper);

/* NULL is fine. */
void timekeeper_free(struct timekeeper *keeper);

/* Clocks that have run out and of which this service has written it, since the start. Any
 * thread. */
uint64_t timekeeper_expired(const struct timekeeper *keeper);

/* Whether moves may be taken in games with clocks at `now_ms`. Any thread. */
bool timekeeper_serves(const struct timekeeper *keeper, int64_t now_ms);

/* The same for a move in this game: true, or false with the problem `unavailable`. */
bool timekeeper_check(struct call *call, const struct replay *replay);

#endif
