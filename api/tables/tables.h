/* Tables of events: how they start, and what came of them. */
#ifndef TILLROLL_API_TABLES_TABLES_H
#define TILLROLL_API_TABLES_TABLES_H

#include "api/event/event_load.h"
#include "db/store/games/games.h"

/* The seat of the player whose id this is, -1 if it is none or that of nobody at the table. */
int table_seat_of(const struct tournament *tournament, const struct tournament_table *table,
                  const json_t *player);

/* ---- Starting what has been drawn ---- */

/* How a round is started. */
struct round_start {
    int64_t deadline_ms; /* 0 = none */
    bool at_table;       /* people play with their own copy: no game is dealt */
};

/* The fields `deadline` and `play` of the body: an RFC 3339 time, or null for none; `online` or
 * `table`. Left out, the deadline is the start and the stage's `round_minutes`, and the round is
 * played where its stage is. There is a draft. */
bool round_read_start(struct call *call, const struct loaded_event *loaded,
                      struct round_start *start);

/* Starts the draft. The event is locked. */
bool round_start_draft(struct call *call, struct loaded_event *loaded,
                       const struct round_start *start);

/* Starts the game of a table that the event's log has, or has it wait for its players' entropy
 * first where the event says so; `attempt` is the how-manieth game of this table it is, from 1.
 * Nothing at a table where people play with their own copy. */
bool round_start_attempt(struct call *call, const struct loaded_event *loaded,
                         const struct event_people *people, const struct tournament_table *table,
                         unsigned attempt, struct id *id);

/* ---- Tables outside of rounds ---- */

/* Games outside of rounds, of ladders and open play: their round is 0, and they are numbered
 * through the event. */

/* Takes the line `table_started` and starts the game. `entries` in order of seats. The event is
 * locked. False with a problem. */
bool open_table_start(struct call *call, struct loaded_event *loaded,
                      const struct event_people *people, const uint16_t *entries, unsigned seats);

/* ---- Queues ---- */

/* Open play: the queue, and the tables that are called from it. */

/* Calls tables from those who wait and starts their games, whenever somebody has joined or a game
 * has ended. Nothing in events of other formats. The event is locked. False with a problem. */
bool queue_call_tables(struct call *call, struct loaded_event *loaded);

/* ---- Results ---- */

/* What came of tables, as lines of the event's log. All that can fail answer with a problem. */

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

/* At a table where people play with their own copy: `party-to-the-game` if the caller's person sits
 * there. Other tables have games, which api/request/impartial.h asks about. */
bool table_check_party(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_table *table);

/* The detail of a line about a table, a new object; `reason` may be "". */
json_t *table_line(unsigned round, unsigned table, const char *reason);

/* Takes the line `ruled`: `result` has the entries of the table in order of seats. */
bool table_take_ruling(struct call *call, struct loaded_event *loaded,
                       const struct table_result *result, const char *reason);

/* The detail of that line, a new object. */
json_t *table_ruling_line(const struct tournament *tournament, const struct table_result *result,
                          const char *reason);

#endif
