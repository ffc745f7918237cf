/* Puzzles are made by the service itself, at night: each game has one for today and one for
 * tomorrow afterwards, if its finished games have any. So a night that fails is not seen by
 * day, and the next one makes up for it.
 *
 * One of the services that use the database does it: a row of the table `upkeep` says when the next
 * night begins, and the service at work keeps the others off (db/store/service/retention.h). A
 * service that was off at that hour begins when it starts.
 *
 * Finished games are tried in any order, since most have no puzzle, and those of yesterday are
 * not tried again and again. The thread has a low priority (db/link/thread.h), uses at most
 * PUZZLE_CPU_MS for each game in a night, and rests while this service writes more than
 * PUZZLE_RUSH_MOVES a second.
 */
#ifndef TILLROLL_API_WORK_PUZZLE_MAKER_H
#define TILLROLL_API_WORK_PUZZLE_MAKER_H

#include "api/request/service.h"

enum {
    PUZZLE_HOUR_NEVER = 24,
    PUZZLE_CPU_MS = 60000,
    PUZZLE_RUSH_MOVES = 20,
    PUZZLE_GAMES_MOST = 200 /* of the newest that are tried */
};

struct puzzle_maker;

/* Starts a thread that looks every ten minutes whether a night is due, which begins at `hour` (0 to
 * 23, UTC); none with PUZZLE_HOUR_NEVER. `service` must outlive it, until puzzle_maker_free().
 * `database` is borrowed as long. NULL if the system has no threads left. */
struct puzzle_maker *puzzle_maker_new(struct service *service, const char *database, unsigned hour);

/* Waits for the position that is being tried, about a second. NULL is fine. */
void puzzle_maker_free(struct puzzle_maker *maker);

#endif
