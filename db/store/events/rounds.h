/* Rounds: their tables and the players at them. */
#ifndef TILLROLL_DB_STORE_EVENTS_ROUNDS_H
#define TILLROLL_DB_STORE_EVENTS_ROUNDS_H

#include "db/link/db.h"
#include "db/store/games/games.h"

struct round {
    unsigned number;  /* from 1 */
    unsigned attempt; /* of the draw, from 1 */
    const char
        *quality; /* JSON object: the pairing's criteria, as explained by engine/tournament */
    int64_t started_at_ms;
    unsigned tables;
    unsigned tables_finished;
    bool has_commitment; /* its games share a secret */
    uint8_t commitment[32];
};

/* Stores a round. DB_CONFLICT if it exists. `sealed` is the secret that its games share, sealed by
 * the caller; NULL if each has its own. */
enum db_status round_create(struct db *db, const struct id *event, const struct round *round,
                            const uint8_t *sealed, size_t sealed_size);

/* Lists an event's rounds in the order of their numbers, in the arena. */
enum db_status round_list(struct db *db, struct arena *arena, const struct id *event,
                          struct round **rounds, size_t *count);

/* Lists the games of one round (0 = of all rounds), by round and table number, with seats and
 * results, in the arena: all data for pairings, standings and the pairing page. */
enum db_status round_games(struct db *db, struct arena *arena, const struct id *event,
                           unsigned round, struct game_row **games, size_t *count);

/* Lists an event's games that have ended without counting, by round, table and attempt, in the
 * arena: void games, and games whose table was replayed. */
enum db_status round_games_set_aside(struct db *db, struct arena *arena, const struct id *event,
                                     struct game_row **games, size_t *count);

/* ---- Rulings ---- */

/* The table and time of a game that was made void. The line of the event's log about it has the
 * same time. */
struct void_game {
    unsigned round, table;
    int64_t at_ms;
};

/* Lists an event's void games, in no order, in the arena: those made void by the ruling of a
 * dispute, and by a record. */
enum db_status void_games(struct db *db, struct arena *arena, const struct id *event,
                          struct void_game **games, size_t *count);

/* The current rulings on tables; the event's log has their history. */

struct ruled_seat {
    int score;
    unsigned rank; /* from 1 */
    bool forfeit;  /* won or lost by forfeit */
};

/* Stores a ruling on a table, in the order of seats, replacing earlier ones; `count` 0 removes
 * them. */
enum db_status ruling_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                          const struct ruled_seat *seats, size_t count);

/* ---- Reported results ---- */

/* A table, for lists of tables of several events. */
struct table_place {
    struct id event;
    const char *event_name, *slug, *version; /* slug and version: of the ruleset */
    unsigned round, table;
};

/* Reported results that count; the event's log has their history. */

struct reported_seat {
    struct table_place place; /* filled in on reading */
    struct id player;
    unsigned seats; /* of the table */
    unsigned rank;  /* from 1 */
    bool scored;    /* otherwise ranks alone were reported */
    int score;
    int64_t at_ms;
};

/* Stores the result of a table, in the order of seats (player, seats, rank, score, at_ms),
 * replacing an earlier one; `count` 0 removes it. */
enum db_status reported_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                            const struct reported_seat *seats, size_t count);

/* Lists a player's reported results, newest first, at most `limit`, in the arena. */
enum db_status reported_of_player(struct db *db, struct arena *arena, const struct id *player,
                                  size_t limit, struct reported_seat **seats, size_t *count);

/* ---- Contested results ---- */

/* Tables whose reported result an official has to decide on. */

struct contested_table {
    struct table_place place;
    int64_t at_ms; /* when the result was contested */
};

/* Stores that the result of a table is contested, replacing an earlier row; `parties` (players at
 * the table and owners of bots there) may not decide on it. `count` 0: the result is not contested.
 */
enum db_status contested_put(struct db *db, const struct id *event, unsigned round, unsigned table,
                             const struct id *parties, size_t count, int64_t at_ms);

/* Lists the contested tables of running events that the player may decide on as an organizer or
 * arbiter, oldest first, at most `limit`, in the arena. */
enum db_status contested_to_decide(struct db *db, struct arena *arena, const struct id *player,
                                   size_t limit, struct contested_table **tables, size_t *count);

#endif
