/* Events told line by line in short, for the tests of what is made from them. Player n is entry
 * n - 1 and has number n. Who tells something that is refused ends the program. */
#ifndef TILLROLL_TESTS_TOLD_EVENT_H
#define TILLROLL_TESTS_TOLD_EVENT_H

#include "engine/game/chance.h"
#include "engine/tournament/event/tournament.h"

/* From now on every line that is told is added to `lines` as an object of line, at, actor, kind and
 * detail; NULL = no longer. */
void tell_into(json_t *lines);

/* From now on lines are told by player `n`; 0 = by the service itself. */
void tell_as(unsigned n);

/* The id of player `n`, 1 .. 9999. Static for the next few calls. */
const char *told_id(unsigned n);

/* A line's detail as printf() has it, with ' for " and <n> for the id of player n. */
void tell(struct tournament *event, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Begins an event with the settings that an organizer writes (' for "), enters players 1 ..
 * `players` with the rating 1000 + n, and closes entries. Free with tournament_free(). */
void tell_entries(struct tournament *event, const char *settings, unsigned players);

/* Begins the next stage with these numbers, `1 2 3`; "" for all. */
void tell_stage(struct tournament *event, const char *numbers);

/* Draws the next round with these streams, as the service does, and starts it. */
void tell_draw(struct tournament *event, const struct chance *chance);

/* The same, after the players in the first seats of tables 1 and 2 have changed places by hand. */
void tell_draw_by_hand(struct tournament *event, const struct chance *chance);

/* Draws and starts the next round: tables by numbers, `1 2 3 4 / 5 6 7`, and besides them who has
 * no seat: `byes` by numbers, `absent` as in a line (' for "). */
void tell_round(struct tournament *event, const char *tables, const char *byes, const char *absent);

/* A result by the ranks of the seats, `1 3 2 3`; the score is 10 times the number of those who are
 * not better. */
void tell_result(struct tournament *event, unsigned round, unsigned table, const char *ranks);

/* Tells the results of the round's first tables: `1 2 / 2 1`. */
void tell_results(struct tournament *event, unsigned round, const char *ranks);

/* A ruling: a letter after each rank, `1+ 2-` or `1a 2a`; `1v 1v` is a void table. */
void tell_ruling(struct tournament *event, unsigned round, unsigned table, const char *ranks);

#endif
