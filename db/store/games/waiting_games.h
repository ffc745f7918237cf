/* Games that wait for the entropy of their players (engine/record/RECORD.md) before they start.
 * Each is known by the id that the game will have, and ends when the game starts, or when there is
 * to be none. Whoever changes anything of one holds its lock, and before that its event's.
 */
#ifndef TILLROLL_DB_STORE_GAMES_WAITING_GAMES_H
#define TILLROLL_DB_STORE_GAMES_WAITING_GAMES_H

#include "db/store/games/games.h"

enum { ENTROPY_BYTES_MAX = 32, ENTROPY_SIGNATURE = 64 };

/* What a player gave. */
struct entropy {
    size_t size; /* 0 = nothing so far */
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
    bool asked; /* its co-dealers are being asked (dealings.h): its entropy is complete */
    unsigned seats;
    struct waiting_seat seat[GAME_ROW_SEATS];
};

/* A new one, to which nothing has been given, with its sealed secret. */
enum db_status waiting_add(struct db *db, const struct waiting_game *waiting, const uint8_t *sealed,
                           size_t sealed_size);

/* DB_NONE if no game with this id has ever waited. */
enum db_status waiting_find(struct db *db, struct arena *arena, const struct id *id,
                            struct waiting_game *waiting);

/* Keeps others from changing it until the end of the transaction. DB_NONE. */
enum db_status waiting_lock(struct db *db, const struct id *id);

/* Those that are open: of a player, of an event, or due at `now_ms` and not asked, at most 100,
 * those that were due first before the others. */
enum db_status waiting_of_player(struct db *db, struct arena *arena, const struct id *player,
                                 struct waiting_game **waiting, size_t *count);
enum db_status waiting_of_event(struct db *db, struct arena *arena, const struct id *event,
                                struct waiting_game **waiting, size_t *count);
enum db_status waiting_due(struct db *db, struct arena *arena, int64_t now_ms,
                           struct waiting_game **waiting, size_t *count);

/* DB_OK if the player has a seat in a game that waits, or has waited. DB_NONE. */
enum db_status waiting_has_seat(struct db *db, const struct id *id, const struct id *player);

/* DB_CONFLICT if the seat has given before. */
enum db_status waiting_give(struct db *db, const struct id *id, unsigned seat,
                            const struct entropy *given, int64_t now_ms);

/* It waits no more. DB_CONFLICT if it did not. */
enum db_status waiting_end(struct db *db, const struct id *id, enum waiting_state state);

#endif
