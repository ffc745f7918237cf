/* Games: their places, seats, secrets and results. The moves are in db/store/games/records.h. A
 * game's row is written when the game starts and once more when it is finished, never per ply. */
#ifndef TILLROLL_DB_STORE_GAMES_GAMES_H
#define TILLROLL_DB_STORE_GAMES_GAMES_H

#include "db/link/db.h"
#include "db/link/statement.h"

enum { GAME_ROW_SEATS = 5 };

struct game_row_seat {
    struct id player;
    const char *player_name;
    int score;              /* valid when the game is scored */
    unsigned rank;          /* valid when the game is scored; from 1 */
    bool fallback;          /* fallback moves are played for this seat */
    bool forfeited;         /* the seat is out of the game; then also `fallback` */
    bool timed_out;         /* the seat's clock has run out, and it has done nothing since */
    struct id first_player; /* the player who had the seat at the start, "" if it was never given to
                               another */
    const char *first_player_name;
};

struct game_row {
    struct id id;
    struct id event;       /* "" for none */
    unsigned round, table; /* of the event; round 0 if it plays without rounds */
    unsigned board;        /* from 1 in a duplicate round, whose secret the game uses; else 0 */
    unsigned attempt;      /* 1 + the number of times the table has been replayed; 0 stands for 1 */
    const char *slug;
    const char *version;
    const char *options; /* JSON object as in struct event */
    const uint8_t *set;  /* of a starting game: the SHA-256 of a component set other than the
                            ruleset's own; NULL for the latter. Not filled in on reading */
    const char *clock; /* as in the record's header, for example `move=259200000`; NULL for none */
    const char *on_timeout; /* the consequence when a clock has run out:
                               engine/tournament/event/settings.h; NULL stands for `arbiter` */
    bool take_back;         /* players may take back their own moves */
    unsigned delay_entries; /* entries by which the view of all but the players is delayed while the
                               game runs */
    bool finished;          /* played to its end, or void */
    bool voided;            /* the game does not count, and has no results */
    bool scored; /* it has results; the results of duplicate games come when all of them are
                    comparable */
    int64_t started_at_ms;
    int64_t finished_at_ms; /* 0 while it runs */
    unsigned seats;
    struct game_row_seat seat[GAME_ROW_SEATS];
};

/* Creates games of rounds of one event that start together: they differ only in id, table, attempt
 * and seats. `sealed` are their secrets, as in game_create(). Any number; DB_CONFLICT if one exists
 * already, and the transaction has then failed. */
enum db_status game_create_all(struct db *db, const struct game_row *games,
                               const struct span *sealed, size_t count);

/* Creates a game. `sealed` is its secret, sealed by the caller, which goes into a table of its own;
 * NULL for a game with a board. */
enum db_status game_create(struct db *db, const struct game_row *game, const uint8_t *sealed,
                           size_t sealed_size);

/* Finds a game by its id, in the arena. DB_NONE. */
enum db_status game_find(struct db *db, struct arena *arena, const struct id *id,
                         struct game_row *game);

/* Prevents other transactions from appending to this game until the end of this one. DB_NONE. */
enum db_status game_lock(struct db *db, const struct id *id);

/* Marks the game as finished. DB_CONFLICT if it is finished already. */
enum db_status game_end(struct db *db, const struct id *id, int64_t finished_at_ms, bool voided);

/* Marks the game as finished; the result is reported later, as by statement_later(). */
enum db_status game_end_later(struct db *db, const struct id *id, int64_t finished_at_ms,
                              bool voided);

/* Stores scores and ranks of all seats, once: DB_CONFLICT from the next statement, or the commit,
 * if there are any already (statement_later()). */
enum db_status game_score(struct db *db, const struct game_row *game);

/* Sets `player`, `fallback`, `forfeited` and `timed_out` of a seat. The previous player of the seat
 * remains stored. DB_NONE. */
enum db_status game_set_seat(struct db *db, const struct id *id, unsigned number,
                             const struct game_row_seat *seat);

/* Reads whether a player has a seat in this game, or had one before a substitute took it. */
enum db_status game_has_seated(struct db *db, const struct id *id, const struct id *player,
                               bool *seated);

/* Reads the seats that a house player has taken as a substitute: bit s for seat s. */
enum db_status game_house_substitutes(struct db *db, const struct id *id, unsigned *seats);

/* Lists games of a player (`player` "" = any), newest first, those older than `before` ("" = from
 * the newest), only running ones if `running`, at most `limit`, in the arena. */
enum db_status game_list(struct db *db, struct arena *arena, const struct id *player, bool running,
                         const struct id *before, size_t limit, struct game_row **games,
                         size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: reading of games, shared by games.c, followed_games.c and rounds.c.
 *
 * The database returns one row per seat; the rows of a game are consecutive, in seat order. */

#define GAME_ROW_COLUMNS                                                                           \
    "SELECT game.id, game.event_id, coalesce(game.round, 0), coalesce(game.table_number, 0),"      \
    " game.slug, game.version, game.options, game.finished_at IS NOT NULL,"                        \
    " tillroll.to_ms(game.started_at), coalesce(tillroll.to_ms(game.finished_at), 0),"             \
    " seat.player_id, player.name, coalesce(result.score, 0), coalesce(result.rank, 0),"           \
    " seat.fallback, coalesce(game.board, 0), result.game_id IS NOT NULL, game.voided,"            \
    " seat.forfeited, seat.put_out[1], first.name, game.clock,"                                    \
    " game.on_timeout, game.take_back, seat.timed_out, game.attempt, game.delay_entries"

#define GAME_ROW_JOINS                                                                             \
    " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id"                                   \
    " JOIN tillroll.player ON player.id = seat.player_id"                                          \
    " LEFT JOIN tillroll.player AS first ON first.id = seat.put_out[1]"                            \
    " LEFT JOIN tillroll.game_result AS result"                                                    \
    "  ON result.game_id = seat.game_id AND result.seat = seat.seat"

/* The end of a statement that begins with `WITH page AS (SELECT ..` of games. The limit is applied
 * before the seats are joined, so that it counts games. */
#define GAME_ROW_LISTED                                                                            \
    ") " GAME_ROW_COLUMNS " FROM page AS game" GAME_ROW_JOINS " ORDER BY game.id DESC, seat.seat"

/* Runs a statement that returns rows of GAME_ROW_COLUMNS, and reads them as games, in the arena. */
enum db_status game_rows_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, struct game_row **games, size_t *count);

/* ---- Clocks ---- */

/* The data for keeping clocks: which games have clocks, and whether any service runs. The clocks
 * themselves are in the records (engine/record/clock.h). */

/* Lists the running games with clocks, in the arena. */
enum db_status clock_games(struct db *db, struct arena *arena, struct id **games, size_t *count);

/* Lists those of `games` that are running and have clocks, in the arena. */
enum db_status clock_games_among(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct id **found, size_t *found_count);

/* The times at which services were running, by their own clocks, in milliseconds since 1970. */
struct served {
    int64_t at_ms;                  /* the last time that a service was running */
    int64_t gap_from_ms, gap_to_ms; /* a time without any service for which the clocks still have to
                                       be stopped; 0 if there is none */
};

/* Reads these times, and prevents other transactions from changing them until the end of this one.
 */
enum db_status served_lock(struct db *db, struct served *served);

/* Stores these times. */
enum db_status served_store(struct db *db, const struct served *served);

#endif
