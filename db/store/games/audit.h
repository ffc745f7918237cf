/* Reading records in bulk, to check them: many games' at once, in the order of their ids, together
 * with what else is stored of these games. What is read in one call is as of one moment.
 */
#ifndef TILLROLL_DB_STORE_GAMES_AUDIT_H
#define TILLROLL_DB_STORE_GAMES_AUDIT_H

#include "db/store/games/games.h"
#include "db/store/games/records.h"

/* What is stored of a game, as far as its record says the same. */
struct audit_game {
    struct id id;
    struct id event; /* "" for none */
    unsigned round, table, board;
    struct span slug, version;
    bool finished, voided;
    unsigned seats, results; /* how many are stored: `results` 0 until the game is scored */
    struct audit_seat {
        struct id player;
        int score;     /* valid when every seat has a result */
        unsigned rank; /* likewise, from 1 */
    } seat[GAME_ROW_SEATS];
};

struct audit_record {
    struct id id;
    const struct audit_game *game; /* NULL if there is no such game */
    struct span text;              /* the lines of its rows, by seq, each with LF */
    struct span hashes;            /* 32 bytes of each row: the chain's value after it, as stored */
    size_t count;                  /* of its rows; 0 = there is no record */
    uint32_t gap;                  /* the line before which a row is missing, from 1; 0 = none is */
    const struct signature *signatures; /* of its entries, by seq */
    size_t signature_count;
    bool archive_missing; /* it is archived, and its file cannot be had */
};

struct audit_page {
    struct audit_record *records;
    size_t count;
    size_t rows; /* of all records */
    struct audit_rows *held;
    struct arena arena;
};

/* The id of the game that comes `games` (at least 1) games after `after` ("" = from the first).
 * DB_NONE if there are fewer. */
enum db_status audit_next(struct db *db, const struct id *after, size_t games, struct id *id);

/* All games and records with after < id <= until ("" = before the first, and to the last). Free the
 * page if DB_OK. */
enum db_status audit_read(struct db *db, const struct id *after, const struct id *until,
                          struct audit_page *page);
void audit_page_free(struct audit_page *page);

/* Whether a table of this round is still playing, so that the others' secret stays hidden. */
enum db_status audit_round_runs(struct db *db, const struct id *event, unsigned round, bool *runs);

/* ---- The transparency log (db/store/log/tlog.h) beside the records ---- */

/* A leaf whose game has a finished record with another head. */
struct audit_head {
    uint64_t index;
    struct id game;
};

/* Those with first <= index < first + limit, in the arena. */
enum db_status audit_heads(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                           struct audit_head **heads, size_t *count);

/* Whether a leaf is in the log, or waits for it. */
enum db_status audit_is_logged(struct db *db, const char *entry, bool *logged);

/* A line of an event's log that is a ruling, or revokes one. */
struct audit_ruling {
    struct id event;
    unsigned line;
};

/* The next `limit` of those after `after`, in the arena; all since the log has its first
 * checkpoint. */
enum db_status audit_rulings(struct db *db, struct arena *arena, const struct audit_ruling *after,
                             size_t limit, struct audit_ruling **rulings, size_t *count);

/* ---- Officials who were a party (db/store/games/parties.h) ---- */

/* Something that an official did to a game or its table. */
struct audit_act {
    struct id event, game; /* game: "" for a ruling */
    unsigned line; /* of the event's log, for a ruling, or of the game's record; 0 = unknown */
    unsigned round, table; /* of a ruling */
    struct id official;    /* "" for none, or where it is not known */
    bool party;            /* they sat there, or somebody of their person did */
};

/* The next `limit` rulings in logs of events after `after`, by event and line, in the arena. */
enum db_status audit_ruled(struct db *db, struct arena *arena, const struct audit_act *after,
                           size_t limit, struct audit_act **acts, size_t *count);

/* The next `limit` lines of records of which it is stored who wrote them, by game and line. */
enum db_status audit_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                          size_t limit, struct audit_act **acts, size_t *count);

/* The next `limit` games after `after`, by id. `party`: an official of the event was a party to the
 * game, and `official` is one of them; a seat of others was put on fallback, forfeited, or got a
 * substitute, and not because a clock had run out; and who did it is not stored, because it was
 * before that was (migration 0034). */
enum db_status audit_unsaid_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                                 size_t limit, struct audit_act **acts, size_t *count);

/* Leaves that have to be in the log, or to wait for it. */
enum audit_leaf {
    AUDIT_LEAF_GAME,       /* the head of a game that has ended since the log's first checkpoint */
    AUDIT_LEAF_COMMITMENT, /* the commitment in the header of a game begun since then, as far as the
                            * central database has the header */
    AUDIT_LEAF_EVENT,      /* the newest line of an event's log */
    AUDIT_LEAF_EVENT_COMMITMENT /* the commitment of an event that was created since then */
};

/* Of the next `limit` games or events after `after`: those without this leaf, in the arena. `last`
 * is the last of those that were looked at; DB_NONE if there was none. */
enum db_status audit_unlogged(struct db *db, enum audit_leaf leaf, struct arena *arena,
                              const struct id *after, size_t limit, struct id **ids, size_t *count,
                              struct id *last);

#endif
