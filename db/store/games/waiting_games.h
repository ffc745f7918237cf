/* Games waiting for the entropy of their players (engine/record/RECORD.md) before they start. Each
 * has the id that the game will have, and ends when the game starts or is dropped. A caller that
 * changes one holds its lock, and takes its event's lock before. */
#ifndef TILLROLL_DB_STORE_GAMES_WAITING_GAMES_H
#define TILLROLL_DB_STORE_GAMES_WAITING_GAMES_H

#include "db/store/games/games.h"

enum { ENTROPY_BYTES_MAX = 32, ENTROPY_SIGNATURE = 64 };

/* A player's entropy. */
struct entropy {
    size_t size; /* 0 = not given yet */
    uint8_t bytes[ENTROPY_BYTES_MAX];
    bool is_signed;
    uint8_t signature[ENTROPY_SIGNATURE];
};

struct waiting_seat {
    struct id player;
    const char *player_name;
    struct entropy given;
};

enum waiting_state { WAITING_OPEN, WAITING_STARTED, WAITING_DROPPED };

struct waiting_game {
    struct id id, event;
    unsigned round, table, attempt; /* as in struct game_row */
    int64_t since_ms, due_ms;
    uint8_t commitment[32];
    enum waiting_state state;
    bool asked; /* the question to its co-dealers is open (dealings.h): its entropy is complete */
    unsigned seats;
    struct waiting_seat seat[GAME_ROW_SEATS];
};

/* Stores a new one, without any entropy, with its sealed secret. */
enum db_status waiting_add(struct db *db, const struct waiting_game *waiting, const uint8_t *sealed,
                           size_t sealed_size);

/* Finds one by its id, in the arena. DB_NONE if no game with this id has ever waited. */
enum db_status waiting_find(struct db *db, struct arena *arena, const struct id *id,
                            struct waiting_game *waiting);

/* Prevents other transactions from changing it until the end of this one. DB_NONE. */
enum db_status waiting_lock(struct db *db, const struct id *id);

/* List open ones, at most 100, those due first before the others, in the arena: of a player; of an
 * event; or due at `now_ms` and without an open question to co-dealers. */
enum db_status waiting_of_player(struct db *db, struct arena *arena, const struct id *player,
                                 struct waiting_game **waiting, size_t *count);
enum db_status waiting_of_event(struct db *db, struct arena *arena, const struct id *event,
                                struct waiting_game **waiting, size_t *count);
enum db_status waiting_due(struct db *db, struct arena *arena, int64_t now_ms,
                           struct waiting_game **waiting, size_t *count);

/* DB_OK if the player has a seat in a game that waits, or has waited; else DB_NONE. */
enum db_status waiting_has_seat(struct db *db, const struct id *id, const struct id *player);

/* Stores a seat's entropy. DB_CONFLICT if the seat has given before. */
enum db_status waiting_give(struct db *db, const struct id *id, unsigned seat,
                            const struct entropy *given, int64_t now_ms);

/* Ends the waiting. DB_CONFLICT if it has ended already. */
enum db_status waiting_end(struct db *db, const struct id *id, enum waiting_state state);

#endif
