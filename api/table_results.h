/* What came of tables, as lines of the event's log. All that can fail answer with a problem. */
#ifndef TILLROLL_API_TABLE_RESULTS_H
#define TILLROLL_API_TABLE_RESULTS_H

#include "api/event_load.h"
#include "db/games.h"

/* Takes the line `result` of a game that has scores and ranks. It is the result of those who were
 * seated there: a substitute plays for them. */
bool table_take_result(struct call *call, struct loaded_event *loaded, const struct game_row *game);

/* True if the event was closed with a ruling over the table while its game went on: however that
 * ends, the event is settled, so that a closed event changes by its officials alone. The game keeps
 * its record and is not rated. */
bool table_is_settled(const struct loaded_event *loaded, const struct game_row *game);

/* A game of an event's table has ended and has scores and ranks: its result is taken into the
 * event, which is locked, and what follows from it is done: open play calls tables. */
bool table_game_ended(struct call *call, struct loaded_event *loaded, const struct game_row *game);

/* Rates a game whose result has been taken: as it ended, and once more as it counts if a ruling
 * stands over it. */
bool table_rate_game(struct call *call, const struct loaded_event *loaded,
                     const struct game_row *game);

/* Takes the line `ruled`: `result` has the entries of the table in order of seats. */
bool table_take_ruling(struct call *call, struct loaded_event *loaded,
                       const struct table_result *result, const char *reason);

/* The detail of that line, a new object. */
json_t *table_ruling_line(const struct tournament *tournament, const struct table_result *result,
                          const char *reason);

#endif
