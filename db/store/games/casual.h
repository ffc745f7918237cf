/* Casual games: tables outside events that players open and take seats at. A table's game starts
 * when its seats are taken; the row is then kept, and says whether the game is rated. */
#ifndef TILLROLL_DB_STORE_GAMES_CASUAL_H
#define TILLROLL_DB_STORE_GAMES_CASUAL_H

#include "db/link/db.h"
#include "db/store/games/games.h"

enum { CASUAL_CODE_LENGTH = 20 };

struct casual_seat {
    struct id player;
    const char *name;
    bool guest;
    bool taken; /* false: invited, and has not accepted yet */
};

struct casual_table {
    struct id id;
    const char *code; /* CASUAL_CODE_LENGTH letters and digits: its holder may take a seat */
    struct id creator;
    const char *slug;
    const char *version;
    const char *options; /* JSON object, every option of the ruleset */
    const uint8_t *set;  /* SHA-256 of a component set other than the ruleset's own, or NULL */
    const char *clock;   /* as in the record's header: `move=86400000` */
    unsigned seats;      /* number of seats, 2 .. 5 */
    bool listed;         /* shown in the lobby */
    bool rated;
    int64_t created_at_ms;
    struct id game;       /* the game started at this table, "" for none */
    struct id rematch_of; /* the previous game, "" for none */
    unsigned filled;      /* number of entries of `seat`: taken, or kept for an invited player */
    struct casual_seat seat[GAME_ROW_SEATS]; /* in the order in which they were added */
};

/* Stores a new table. Of its seats the creator's is taken; the others are invitations. DB_CONFLICT
 * if the game has a rematch already. */
enum db_status casual_create(struct db *db, const struct casual_table *table);

/* Finds a table with its seats, in the arena. `lock` prevents other transactions from changing it
 * until the end of this one. DB_NONE. */
enum db_status casual_find(struct db *db, struct arena *arena, const struct id *id, bool lock,
                           struct casual_table *table);

/* Finds the id of the table with this code. DB_NONE. */
enum db_status casual_by_code(struct db *db, const char *code, struct id *id);

/* Finds the id of the table for a game's rematch. DB_NONE. */
enum db_status casual_rematch(struct db *db, const struct id *game, struct id *id);

/* DB_OK if the game is a casual one and not rated; else DB_NONE. */
enum db_status casual_is_unrated(struct db *db, const struct id *game);

/* Finds the id of the table at which a game was started. DB_NONE if the game is not a casual one.
 */
enum db_status casual_of_game(struct db *db, const struct id *game, struct id *id);

/* Lists tables of the lobby that were opened after `since_ms` and whose game has not started:
 * newest first, those older than `before` ("" = from the newest), of the ruleset `slug` (NULL =
 * any), at most `limit`, in the arena. */
enum db_status casual_list(struct db *db, struct arena *arena, const char *slug, int64_t since_ms,
                           const struct id *before, size_t limit, struct casual_table **tables,
                           size_t *count);

/* Lists tables at which a player has a seat or an invitation, in the lobby or not, and whose game
 * has not started; otherwise like casual_list(). */
enum db_status casual_list_of_player(struct db *db, struct arena *arena, const struct id *player,
                                     int64_t since_ms, size_t limit, struct casual_table **tables,
                                     size_t *count);

/* Counts the tables that were opened after `since_ms` and whose game has not started, up to `most`.
 */
enum db_status casual_count(struct db *db, int64_t since_ms, unsigned most, unsigned *count);

/* Counts the tables opened after `since_ms` and waiting, and the running casual games, at which a
 * player has a seat and has not left. `person`: those of the owner and of all the owner's bots
 * together. */
enum db_status casual_count_of_player(struct db *db, const struct id *player, bool person,
                                      int64_t since_ms, unsigned *count);

/* Gives a player a seat: after the others, or in the place of the player's invitation. The caller
 * holds the table's lock, and the table has room. */
enum db_status casual_take_seat(struct db *db, const struct id *table, const struct id *player);

/* Removes a player's seat or invitation. DB_NONE if there is none. */
enum db_status casual_leave_seat(struct db *db, const struct id *table, const struct id *player);

/* Stores the game of a table. DB_CONFLICT if the table has one. */
enum db_status casual_start(struct db *db, const struct id *table, const struct id *game);

/* Deletes a table whose game has not started, with its seats. DB_NONE. */
enum db_status casual_delete(struct db *db, const struct id *table);

#endif
