/* Bulk reading of records for checking them: those of many games, in the order of their ids, with
 * the other stored data of these games. All data read in one call is of one moment. */
#ifndef TILLROLL_DB_STORE_GAMES_AUDIT_H
#define TILLROLL_DB_STORE_GAMES_AUDIT_H

#include "db/store/games/games.h"
#include "db/store/games/records.h"

/* The stored data of a game that its record must confirm. */
struct audit_game {
    struct id id;
    struct id event; /* "" for none */
    unsigned round, table, board;
    struct span slug, version;
    bool finished, voided;
    unsigned seats, results; /* numbers of stored rows; `results` is 0 until the game is scored */
    struct audit_seat {
        struct id player;
        int score;     /* valid when every seat has a result */
        unsigned rank; /* valid when every seat has a result; from 1 */
    } seat[GAME_ROW_SEATS];
};

struct audit_record {
    struct id id;
    const struct audit_game *game; /* NULL if there is no such game */
    struct span text;              /* the lines of its rows, by seq, each with LF */
    struct span hashes; /* 32 bytes for each row: the stored value of the chain after it */
    size_t count;       /* number of its rows; 0 = there is no record */
    uint32_t gap;       /* the line before which a row is missing, from 1; 0 = none */
    const struct signature *signatures; /* of the record's entries, by seq */
    size_t signature_count;
    bool archive_missing; /* the record is archived, but its file is missing or unreadable */
};

struct audit_page {
    struct audit_record *records;
    size_t count;
    size_t rows; /* of all records */
    struct audit_rows *held;
    struct arena arena;
};

/* Finds the id of the game that comes `games` (at least 1) games after `after` ("" = from the
 * first). DB_NONE if there are fewer. */
enum db_status audit_next(struct db *db, const struct id *after, size_t games, struct id *id);

/* Reads all games and records with after < id <= until ("" = before the first, and to the last).
 * Free the page if DB_OK. */
enum db_status audit_read(struct db *db, const struct id *after, const struct id *until,
                          struct audit_page *page);
void audit_page_free(struct audit_page *page);

/* Reads whether a table of this round is still playing, so that the secret of the others must stay
 * hidden. */
enum db_status audit_round_runs(struct db *db, const struct id *event, unsigned round, bool *runs);

/* ---- The transparency log (db/store/log/tlog.h) compared with the records ---- */

/* A leaf whose game has a finished record with a different head. */
struct audit_head {
    uint64_t index;
    struct id game;
};

/* Lists such leaves with first <= index < first + limit, in the arena. */
enum db_status audit_heads(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                           struct audit_head **heads, size_t *count);

/* Reads whether a leaf is in the log or queued for it. */
enum db_status audit_is_logged(struct db *db, const char *entry, bool *logged);

/* A line of an event's log that is a ruling, or revokes one. */
struct audit_ruling {
    struct id event;
    unsigned line;
};

/* Lists the next `limit` such lines after `after`, written since the log's first checkpoint, in the
 * arena. */
enum db_status audit_rulings(struct db *db, struct arena *arena, const struct audit_ruling *after,
                             size_t limit, struct audit_ruling **rulings, size_t *count);

/* ---- Officials who were parties (db/store/games/parties.h) ---- */

/* An official's act on a game or its table. */
struct audit_act {
    struct id event, game; /* game: "" for a ruling */
    unsigned
        line; /* of the event's log, for a ruling; otherwise of the game's record; 0 = unknown */
    unsigned round, table; /* of a ruling */
    struct id official;    /* "" if there was none, or unknown */
    bool party;            /* the official, or another player of the same person, sat in the game */
};

/* Lists the next `limit` rulings in logs of events after `after`, by event and line, in the arena.
 */
enum db_status audit_ruled(struct db *db, struct arena *arena, const struct audit_act *after,
                           size_t limit, struct audit_act **acts, size_t *count);

/* Lists the next `limit` lines of records with a stored author, by game and line, in the arena. */
enum db_status audit_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                          size_t limit, struct audit_act **acts, size_t *count);

/* Lists the next `limit` games after `after`, by id, in the arena, in which an official may have
 * acted as a party: an official of the event was a party to the game (`party`; `official` is one of
 * them); a seat of another person was put on fallback, forfeited, or given a substitute, other than
 * because its clock had run out; and the author of that line is not stored, because authors were
 * not stored yet (migration 0034). */
enum db_status audit_unsaid_acts(struct db *db, struct arena *arena, const struct audit_act *after,
                                 size_t limit, struct audit_act **acts, size_t *count);

/* Leaves that have to be in the log or queued for it. */
enum audit_leaf {
    AUDIT_LEAF_GAME,       /* the head of a game that has ended since the log's first checkpoint */
    AUDIT_LEAF_COMMITMENT, /* the commitment in the header of a game begun since then, if the
                              central database has the header */
    AUDIT_LEAF_EVENT,      /* the newest line of an event's log */
    AUDIT_LEAF_EVENT_COMMITMENT /* the commitment of an event created since then */
};

/* Lists those of the next `limit` games or events after `after` that lack this leaf, in the arena.
 * `last` is the last one examined; DB_NONE if there was none. */
enum db_status audit_unlogged(struct db *db, enum audit_leaf leaf, struct arena *arena,
                              const struct id *after, size_t limit, struct id **ids, size_t *count,
                              struct id *last);

#endif
