/* Games: where they are played, who sits in them, their secrets and results. The moves are in
 * db/store/games/records.h. A game's row is written when it starts and once more when it is
 * finished, never per ply.
 */
#ifndef TILLROLL_DB_STORE_GAMES_GAMES_H
#define TILLROLL_DB_STORE_GAMES_GAMES_H

#include "db/link/db.h"
#include "db/link/statement.h"

enum { GAME_ROW_SEATS = 5 };

struct game_row_seat {
    struct id player;
    const char *player_name;
    int score;              /* valid when the game is scored */
    unsigned rank;          /* likewise, from 1 */
    bool fallback;          /* fallback moves are played for this seat */
    bool forfeited;         /* it is out of the game; then also `fallback` */
    bool timed_out;         /* its clock has run out, and it has done nothing since */
    struct id first_player; /* who sat there at the start, "" if nobody was put out */
    const char *first_player_name;
};

struct game_row {
    struct id id;
    struct id event;       /* "" for none */
    unsigned round, table; /* of the event; round 0 where it plays without rounds */
    unsigned board;        /* from 1 in a duplicate round, whose secret it is played with; else 0 */
    unsigned attempt;      /* how often the table has been replayed, and once more; 0 as 1 */
    const char *slug;
    const char *version;
    const char *options;    /* JSON object as in struct event */
    const uint8_t *set;     /* of a game that starts: the SHA-256 of a component set other than the
                               ruleset's own; NULL for that one. Not filled when it is read */
    const char *clock;      /* as in the record's header: `move=259200000`; NULL for none */
    const char *on_timeout; /* what follows when a clock has run out:
                               engine/tournament/event/settings.h; NULL stands for `arbiter` */
    bool take_back;         /* players may take back their own moves */
    unsigned delay_entries; /* by which others than its players are behind while it runs */
    bool finished;          /* played to its end, or void */
    bool voided;            /* it counts for nothing, and has no results */
    bool scored; /* it has results; duplicate games get theirs when all of them are comparable */
    int64_t started_at_ms;
    int64_t finished_at_ms; /* 0 while it runs */
    unsigned seats;
    struct game_row_seat seat[GAME_ROW_SEATS];
};

/* Games of rounds, of one event, that start together: they differ in id, table, attempt and seats
 * only. `sealed` are their secrets, as in game_create(). Any number; DB_CONFLICT if one is there
 * already, with which the transaction has failed. */
enum db_status game_create_all(struct db *db, const struct game_row *games,
                               const struct span *sealed, size_t count);

/* `sealed` is the game's secret, sealed by the caller; it goes into a table of its own. NULL for a
 * game with a board. */
enum db_status game_create(struct db *db, const struct game_row *game, const uint8_t *sealed,
                           size_t sealed_size);

/* DB_NONE. */
enum db_status game_find(struct db *db, struct arena *arena, const struct id *id,
                         struct game_row *game);

/* Keeps others from appending to this game until the end of the transaction. DB_NONE. */
enum db_status game_lock(struct db *db, const struct id *id);

/* Marks the game finished. DB_CONFLICT if it was. */
enum db_status game_end(struct db *db, const struct id *id, int64_t finished_at_ms, bool voided);

/* The same, told of later, as statement_later() does. */
enum db_status game_end_later(struct db *db, const struct id *id, int64_t finished_at_ms,
                              bool voided);

/* Stores scores and ranks of all seats, once: DB_CONFLICT from the next statement, or the commit,
 * if there are any (statement_later()). */
enum db_status game_score(struct db *db, const struct game_row *game);

/* From now on `player`, `fallback`, `forfeited` and `timed_out` of a seat are these. Who sat there
 * before is kept. DB_NONE. */
enum db_status game_set_seat(struct db *db, const struct id *id, unsigned number,
                             const struct game_row_seat *seat);

/* Whether a player has a seat in this game, or had one before a substitute came. */
enum db_status game_has_seated(struct db *db, const struct id *id, const struct id *player,
                               bool *seated);

/* The seats in which a house player has come as a substitute: bit s for seat s. */
enum db_status game_house_substitutes(struct db *db, const struct id *id, unsigned *seats);

/* Games of a player (`player` "" = anybody's), newest first, those older than `before` ("" = from
 * the newest), only running ones if `running`, at most `limit`. */
enum db_status game_list(struct db *db, struct arena *arena, const struct id *player, bool running,
                         const struct id *before, size_t limit, struct game_row **games,
                         size_t *count);

/* ---- Rows ---- */

/* Inside db/ only: how games are read, shared by games.c, followed_games.c and rounds.c.
 *
 * The database gives one row per seat; rows of the same game follow each other, in seat order.
 */

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

/* The end of a statement that begins with `WITH page AS (SELECT ..` of games. The page is cut
 * before the seats are joined, so that its limit counts games. */
#define GAME_ROW_LISTED                                                                            \
    ") " GAME_ROW_COLUMNS " FROM page AS game" GAME_ROW_JOINS " ORDER BY game.id DESC, seat.seat"

/* Runs a statement that returns rows of GAME_ROW_COLUMNS, and reads them as games, in the arena. */
enum db_status game_rows_list(struct db *db, struct arena *arena, const struct statement *statement,
                              const struct value *values, struct game_row **games, size_t *count);

/* ---- Clocks ---- */

/* What keeping clocks needs of the database: which games have them, and whether anybody serves. The
 * clocks themselves are in the records (engine/record/clock.h).
 */

/* The running games with clocks, in the arena. */
enum db_status clock_games(struct db *db, struct arena *arena, struct id **games, size_t *count);

/* Those of `games` that run and have clocks. */
enum db_status clock_games_among(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct id **found, size_t *found_count);

/* When somebody served, by the clocks of the services, in milliseconds since 1970. */
struct served {
    int64_t at_ms;                  /* the last time */
    int64_t gap_from_ms, gap_to_ms; /* when nobody did, and clocks are still to be stopped for it; 0
                                       if there is no such time */
};

/* Keeps others from changing it until the end of the transaction. */
enum db_status served_lock(struct db *db, struct served *served);

/* Changes it. */
enum db_status served_store(struct db *db, const struct served *served);

#endif
