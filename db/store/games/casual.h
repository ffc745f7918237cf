/* Casual games: tables outside of events that players open and take seats at. A table's game starts
 * when its seats are taken; then the row stays and says whether the game is rated.
 */
#ifndef TILLROLL_DB_STORE_GAMES_CASUAL_H
#define TILLROLL_DB_STORE_GAMES_CASUAL_H

#include "db/link/db.h"
#include "db/store/games/games.h"

enum { CASUAL_CODE_LENGTH = 20 };

struct casual_seat {
    struct id player;
    const char *name;
    bool guest;
    bool taken; /* false: invited, and not there yet */
};

struct casual_table {
    struct id id;
    const char *code; /* CASUAL_CODE_LENGTH letters and digits: who knows it may take a seat */
    struct id creator;
    const char *slug;
    const char *version;
    const char *options; /* JSON object, every option of the ruleset */
    const uint8_t *set;  /* SHA-256 of a component set other than the ruleset's own, or NULL */
    const char *clock;   /* as in the record's header: `move=86400000` */
    unsigned seats;      /* how many there are, 2 .. 5 */
    bool listed;         /* in the lobby */
    bool rated;
    int64_t created_at_ms;
    struct id game;                          /* that was started, "" for none */
    struct id rematch_of;                    /* the game before, "" for none */
    unsigned filled;                         /* of `seat`, taken or kept for somebody invited */
    struct casual_seat seat[GAME_ROW_SEATS]; /* in the order in which they came */
};

/* Stores a new table; of its seats the creator's is taken, the others are invitations. DB_CONFLICT
 * if its game has a rematch already. */
enum db_status casual_create(struct db *db, const struct casual_table *table);

/* A table with its seats, in the arena. `lock` keeps others from changing it until the end of the
 * transaction. DB_NONE. */
enum db_status casual_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                           struct casual_table *table);

/* The id of the table with this code. DB_NONE. */
enum db_status casual_by_code(struct db *db, const char *code, struct id *id);

/* The id of the rematch of a game. DB_NONE. */
enum db_status casual_rematch(struct db *db, const struct id *game, struct id *id);

/* DB_OK if the game is a casual one that is not rated; else DB_NONE. */
enum db_status casual_is_unrated(struct db *db, const struct id *game);

/* The id of the table whose game this is. DB_NONE if the game is no casual one. */
enum db_status casual_of_game(struct db *db, const struct id *game, struct id *id);

/* Listed tables that were opened after `since_ms` and whose game has not started, newest first,
 * those older than `before` ("" = from the newest), of the ruleset `slug` (NULL = of any), at most
 * `limit`. In the arena. */
enum db_status casual_list(struct db *db, struct arena *arena, const char *slug, int64_t since_ms,
                           const struct id *before, size_t limit, struct casual_table **tables,
                           size_t *count);

/* The same of those at which a player has a seat, taken or not, listed or not. */
enum db_status casual_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                     int64_t since_ms, size_t limit, struct casual_table **tables,
                                     size_t *count);

/* How many tables opened after `since_ms` wait, counted up to `most`. */
enum db_status casual_count(struct db *db, int64_t since_ms, unsigned most, unsigned *count);

/* At how many of them, and in how many running casual games, a player sits and has not left.
 * `person`: those of the owner and of all of the owner's bots together. */
enum db_status casual_count_of_player(struct db *db, const struct id *player, bool person,
                                      int64_t since_ms, unsigned *count);

/* Seats a player, invited or not, behind the others. The table is locked, and has room. */
enum db_status casual_take_seat(struct db *db, const struct id *table, const struct id *player);

/* Takes the seat, or the invitation, away. DB_NONE if there is none. */
enum db_status casual_leave_seat(struct db *db, const struct id *table, const struct id *player);

/* The table's game is this one. DB_CONFLICT if it has one. */
enum db_status casual_start(struct db *db, const struct id *table, const struct id *game);

/* Deletes a table whose game has not started, with its seats. DB_NONE. */
enum db_status casual_delete(struct db *db, const struct id *table);

#endif
