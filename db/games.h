/* Games: where they are played, who sits in them, their secrets and results. The moves are in
 * db/records.h. A game's row is written when it starts and once more when it is finished, never per
 * ply.
 */
#ifndef TILLROLL_DB_GAMES_H
#define TILLROLL_DB_GAMES_H

#include "db/db.h"

enum { GAME_ROW_SEATS = 5 };

struct game_row_seat {
    struct id player;
    const char *player_name;
    int score;              /* valid when the game is scored */
    unsigned rank;          /* likewise, from 1 */
    bool fallback;          /* the quiet move plays for this seat */
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
    unsigned attempt;      /* how often the table has been played anew, and once more; 0 as 1 */
    const char *slug;
    const char *version;
    const char *options;    /* JSON object as in struct event */
    const char *clock;      /* as in the record's header: `move=259200000`; NULL for none */
    const char *on_timeout; /* what follows when a clock has run out: engine/tournament/settings.h;
                               NULL stands for `arbiter` */
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

/* `sealed` is the game's secret, sealed by the caller; it goes into a table of its own. NULL for a
 * game with a board. */
enum db_status game_create(struct db *db, const struct game_row *game, const uint8_t *sealed,
                           size_t sealed_size);

/* DB_NONE. */
enum db_status game_find(struct db *db, struct arena *arena, const struct id *id,
                         struct game_row *game);

/* Keeps others from appending to this game until the end of the transaction. DB_NONE. */
enum db_status game_lock(struct db *db, const struct id *id);

/* The sealed secret that it is played with, its own or its round's, in the arena. DB_NONE. */
enum db_status game_secret(struct db *db, struct arena *arena, const struct id *id,
                           const uint8_t **sealed, size_t *size);

/* The same of `count` games at once; an empty span for one that has none. */
enum db_status game_secrets(struct db *db, struct arena *arena, const struct id *ids, size_t count,
                            struct span *sealed);

/* Marks the game finished. DB_CONFLICT if it was. */
enum db_status game_end(struct db *db, const struct id *id, int64_t finished_at_ms, bool voided);

/* Stores scores and ranks of all seats, once. */
enum db_status game_score(struct db *db, const struct game_row *game);

/* From now on `player`, `fallback`, `forfeited` and `timed_out` of a seat are these. Who sat there
 * before is kept. DB_NONE. */
enum db_status game_set_seat(struct db *db, const struct id *id, unsigned number,
                             const struct game_row_seat *seat);

/* Whether a player has a seat in this game, or had one before a substitute came. */
enum db_status game_has_seated(struct db *db, const struct id *id, const struct id *player,
                               bool *seated);

/* Games of a player (`player` "" = anybody's), newest first, those older than `before` ("" = from
 * the newest), only running ones if `running`, at most `limit`. */
enum db_status game_list(struct db *db, struct arena *arena, const struct id *player, bool running,
                         const struct id *before, size_t limit, struct game_row **games,
                         size_t *count);

#endif
