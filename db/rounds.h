/* Rounds: who sits at which table, and who has a bye. */
#ifndef TILLROLL_DB_ROUNDS_H
#define TILLROLL_DB_ROUNDS_H

#include "db/games.h"

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

/* The sealed secret that the round's games share, in the arena. DB_NONE. */
enum db_status round_secret(struct db *db, struct arena *arena, const struct id *event,
                            unsigned round, const uint8_t **sealed, size_t *size);

/* In the order of their numbers. */
enum db_status round_list(struct db *db, struct arena *arena, const struct id *event,
                          struct round **rounds, size_t *count);

struct bye {
    unsigned round;
    struct id player;
    const char *player_name;
    const char *kind; /* `pairing_bye`, `full_bye`, `half_bye`, `zero_bye`, `absent` */
};

/* Stores byes of one event. */
enum db_status bye_create(struct db *db, const struct id *event, const struct bye *byes,
                          size_t count);

/* Byes of one round, or of all for round 0. */
enum db_status bye_list(struct db *db, struct arena *arena, const struct id *event, unsigned round,
                        struct bye **byes, size_t *count);

/* The games of one round, or of all for round 0, by round and table number, with seats and results:
 * everything that pairings, standings and the pairing page need. */
enum db_status round_games(struct db *db, struct arena *arena, const struct id *event,
                           unsigned round, struct game_row **games, size_t *count);

/* The games of an event that have ended and count for nothing, by round, table and attempt: those
 * that are void, and those after which their table was played anew. */
enum db_status round_games_set_aside(struct db *db, struct arena *arena, const struct id *event,
                                     struct game_row **games, size_t *count);

#endif
