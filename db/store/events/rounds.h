/* Rounds: who sits at which table. */
#ifndef TILLROLL_DB_STORE_EVENTS_ROUNDS_H
#define TILLROLL_DB_STORE_EVENTS_ROUNDS_H

#include "db/link/db.h"
#include "db/store/games/games.h"

struct round {
    unsigned number;  /* from 1 */
    unsigned attempt; /* of the draw, from 1 */
    const char
        *quality; /* JSON object: the pairing's criteria, as engine/tournament explains them */
    int64_t started_at_ms;
    unsigned tables;
    unsigned tables_finished;
    bool has_commitment; /* its games share a secret */
    uint8_t commitment[32];
};

/* DB_CONFLICT if the round exists. `sealed` is the secret that its games share, sealed by the
 * caller; NULL if each has its own. */
enum db_status round_create(struct db *db, const struct id *event, const struct round *round,
                            const uint8_t *sealed, size_t sealed_size);

/* In the order of their numbers. */
enum db_status round_list(struct db *db, struct arena *arena, const struct id *event,
                          struct round **rounds, size_t *count);

/* The games of one round, or of all for round 0, by round and table number, with seats and results:
 * everything that pairings, standings and the pairing page need. */
enum db_status round_games(struct db *db, struct arena *arena, const struct id *event,
                           unsigned round, struct game_row **games, size_t *count);

/* The games of an event that have ended and count for nothing, by round, table and attempt: void
 * games, and games whose table was replayed. */
enum db_status round_games_set_aside(struct db *db, struct arena *arena, const struct id *event,
                                     struct game_row **games, size_t *count);

/* ---- Rulings ---- */

/* A game that was made void, at which table and when. The line of the event's log about it has the
 * same time. */
struct void_game {
    unsigned round, table;
    int64_t at_ms;
};

/* Those of an event, in no order: by the ruling of a dispute, and by a record. */
enum db_status void_games(struct db *db, struct arena *arena, const struct id *event,
                          struct void_game **games, size_t *count);

/* The current rulings on tables; their history is in the event's log. */

struct ruled_seat {
    int score;
    unsigned rank; /* from 1 */
    bool forfeit;  /* won or lost by it */
};

/* Stores what has been ruled of a table, in order of seats, replacing earlier rulings; `count` 0
 * removes them. */
enum db_status ruling_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                          const struct ruled_seat *seats, size_t count);

/* ---- Reported results ---- */

/* A table in a list of tables of several events. */
struct table_place {
    struct id event;
    const char *event_name, *slug, *version; /* the latter two: of the ruleset */
    unsigned round, table;
};

/* The results that count as people have reported them; their history is in the event's log. */

struct reported_seat {
    struct table_place place; /* where it was read */
    struct id player;
    unsigned seats; /* of the table */
    unsigned rank;  /* from 1 */
    bool scored;    /* otherwise places alone were reported */
    int score;
    int64_t at_ms;
};

/* Stores the result of a table, in order of seats (player, seats, rank, score, at_ms), replacing an
 * earlier one; `count` 0 removes it. */
enum db_status reported_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                            const struct reported_seat *seats, size_t count);

/* A player's results, newest first, at most `limit`. */
enum db_status reported_of_player(struct db *db, struct arena *arena, const struct id *player,
                                  size_t limit, struct reported_seat **seats, size_t *count);

/* ---- Contested results ---- */

/* Tables whose reported result an official has to decide. */

struct contested_table {
    struct table_place place;
    int64_t at_ms; /* since when */
};

/* Stores that the result of a table is contested, replacing an earlier row; `parties` (players at
 * the table and owners of bots there) do not decide it. `count` 0: nobody contests it. */
enum db_status contested_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                             const struct id *parties, size_t count, int64_t at_ms);

/* Those of running events that the player may decide as an organizer or arbiter, oldest first, at
 * most `limit`. */
enum db_status contested_to_decide(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct contested_table **tables, size_t *count);

#endif
