/* Tables of events: starting them, and their results. */
#ifndef TILLROLL_API_TABLES_TABLES_H
#define TILLROLL_API_TABLES_TABLES_H

#include "api/event/event_load.h"
#include "db/store/games/games.h"

/* The seat of the player with this id; -1 if it is not an id, or the player does not sit at the
 * table. */
int table_seat_of(const struct tournament *tournament, const struct tournament_table *table,
                  const json_t *player);

/* ---- Starting rounds ---- */

/* Parameters for starting a round. */
struct round_start {
    int64_t deadline_ms; /* 0 = none */
    bool at_table;       /* played with the players' own copy: no game is dealt */
};

/* Reads the fields `deadline` and `play` of the body: an RFC 3339 time, or null for none; `online`
 * or `table`. By default, the deadline is the start plus the stage's `round_minutes`, and the stage
 * sets the place of play. There must be a draft. */
bool round_read_start(struct call *call, const struct loaded_event *loaded,
                      struct round_start *start);

/* Starts the draft. The event is locked. */
bool round_start_draft(struct call *call, struct loaded_event *loaded,
                       const struct round_start *start);

/* Starts the game of a table in the event's log, or makes it wait for its players' entropy first if
 * the event requires it; `attempt` is the number of the game at this table, from 1. For tables
 * without the players' own copy. */
bool round_start_attempt(struct call *call, const struct loaded_event *loaded,
                         const struct event_people *people, const struct tournament_table *table,
                         unsigned attempt, struct id *id);

/* ---- Tables outside of rounds ---- */

/* Games outside of rounds, in ladders and open play: their round is 0, and their tables are
 * numbered through the whole event. */

/* Takes the line `table_started` and starts the game. `entries` is in order of seats. The event is
 * locked. False with a problem. */
bool open_table_start(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const uint16_t *entries, unsigned seats);

/* ---- Queues ---- */

/* The queue of open play, and the tables that are called from it. */

/* Calls tables from the waiting players and starts their games, whenever a player has joined or a
 * game has ended. Does nothing in events of other formats. The event is locked. False with a
 * problem. */
bool queue_call_tables(struct call *call, struct loaded_event *loaded);

/* ---- Results ---- */

/* Results of tables, as lines of the event's log. Functions that can fail answer with a problem. */

/* Takes the line `result` of a game that has scores and ranks. The result counts for the entries
 * seated there: a substitute plays for them. */
bool table_take_result(struct call *call, struct loaded_event *loaded, const struct game_row *game);

/* True if the event was closed with a ruling over the table while its game was running. The game's
 * end then changes nothing in the event, since only officials change a closed event. The game keeps
 * its record and is not rated. */
bool table_is_settled(const struct loaded_event *loaded, const struct game_row *game);

/* Takes the result of an ended game with scores and ranks into the event, which is locked, and the
 * consequences: open play calls tables. */
bool table_game_ended(struct call *call, struct loaded_event *loaded, const struct game_row *game);

/* Rates a game whose result has been taken; if a ruling overrides it, rates it again by the ruling.
 */
bool table_rate_game(struct call *call, const struct loaded_event *loaded,
                     const struct game_row *game);

/* At a table with the players' own copy: `party-to-the-game` if the caller's person (a bot's owner)
 * sits there, even through a bot. Other tables have games, which api/request/impartial.h checks. */
bool table_check_party(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table);

/* The detail of a line about a table, a new object; `reason` may be "". */
json_t *table_line(unsigned round, unsigned table, const char *reason);

/* Takes the line `ruled`: `result` has the entries of the table in order of seats. */
bool table_take_ruling(struct call *call, struct loaded_event *loaded,
                       const struct table_result *result, const char *reason);

/* The detail of the line `ruled`, a new object. */
json_t *table_ruling_line(const struct tournament *tournament, const struct table_result *result,
                          const char *reason);

#endif
