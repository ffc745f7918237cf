/* Duplicate events: starting rounds and boards, ending tables, and results as the pure functions of
 * engine/tournament/formats/duplicate/duplicate.h see them. All of these answer with a problem and
 * return false where something stands in the way.
 *
 * A round of asynchronous play starts all its boards at once and is open when its last table has
 * ended. A barometer starts the next board when the last table of the one before has ended; that
 * board is then open. Records wait for the reveal of the round's secret in both.
 */
#ifndef TILLROLL_API_TABLES_DUPLICATE_H
#define TILLROLL_API_TABLES_DUPLICATE_H

#include "api/event/event_load.h"
#include "db/store/games/games.h"
#include "engine/tournament/pairing/duplicate_board.h"

bool duplicate_is(const struct event *event);

/* Makes the next round with its secret and starts its boards, in barometer play the first; in an
 * event with co-dealers, has them asked first. The event is locked. */
bool duplicate_start_round(struct call *call, struct loaded_event *loaded);

/* Starts the boards of a round whose co-dealers have answered, or whose time for that is up at
 * `call->now_ms`, unless that was done already. Locks its event. False with a problem. */
struct dealing;
bool duplicate_start_dealt_round(struct call *call, const struct dealing *dealing);

/* Goes on after a table has ended, whose lines and end have been stored in this transaction: takes
 * the results that can be compared now into the event's log, starts the next board, or reveals the
 * round's secret. */
bool duplicate_table_ended(struct call *call, const struct game_row *game);

/* The secret that the games of a round share. */
bool duplicate_read_secret(struct call *call, const struct id *event, unsigned round,
                           uint8_t secret[static KEYS_SECRET_BYTES]);

/* The results of an event and what they are worth, with names. Players are indices in the sense of
 * engine/tournament/pairing/duplicate_board.h. */
struct duplicate_event {
    const struct loaded_event *loaded;
    struct event_people people;
    struct duplicate_ranking ranking; /* freed by duplicate_free() */
};

/* Loads what is open of the first `rounds` rounds. */
bool duplicate_load(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                    struct duplicate_event *duplicate);
void duplicate_free(struct duplicate_event *duplicate);

/* The entry of the event that an index of the pure functions stands for. */
uint16_t duplicate_entry(const struct duplicate_event *duplicate, uint16_t index);

/* A share of the top as a rational in percent. */
json_t *duplicate_percent(struct share share);

/* The standings document of a duplicate event, in the same form as for other formats. `only`: whose
 * row and place alone are wanted; "" = all. */
void duplicate_answer_standings(struct call *call, const struct loaded_event *loaded,
                                unsigned rounds, const struct id *only);

#endif
