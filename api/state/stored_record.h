/* Reads a stored game record into a replay: row 0 begins it, each further row continues it. Lines
 * that take back need the record so far, which is read at the first of them, so that games without
 * such lines need not read it. */
#ifndef TILLROLL_API_STATE_STORED_RECORD_H
#define TILLROLL_API_STATE_STORED_RECORD_H

#include "api/state/component_cache.h"
#include "api/state/keys.h"
#include "db/store/games/records.h"
#include "engine/record/replay.h"

enum record_result_status {
    STORED_RECORD_OK,
    STORED_RECORD_NONE,     /* the game does not exist */
    STORED_RECORD_DATABASE, /* `database` is the reason */
    STORED_RECORD_DAMAGED   /* the stored record cannot be replayed; `fault` says where and why */
};

struct record_result {
    enum record_result_status status;
    enum db_status database;
    struct record_fault fault;
};

/* The source of a record, for one transaction; the caller fills in the first six members. One
 * thread. */
struct stored_record {
    const struct keys *keys;
    struct component_cache *components; /* NULL: only sets that are built into the program */
    struct db *db;
    struct arena *arena;
    const struct id *game;
    struct span sealed; /* the game's sealed secret, if it has been read; empty = read it */
    struct span text;   /* all rows, joined, once they have been needed */
    size_t rows;        /* their number */
};

/* The result for a database status: STORED_RECORD_OK, STORED_RECORD_NONE or
 * STORED_RECORD_DATABASE. */
struct record_result stored_record_status(enum db_status status);

/* Begins a replay from the header row and the game's secret. */
struct record_result stored_record_begin(const struct stored_record *record, struct span header,
                                         struct replay *replay);

/* Continues with a row that is not the header. After a fault `replay` is unusable. */
struct record_result stored_record_continue(struct stored_record *record,
                                            const struct record_row *row, struct replay *replay);

/* The record up to and not including row `seq`, in the arena. `rows`, `count` rows that the caller
 * adds to the stored ones from `rows[0].seq` on, replace rows with the same numbers; none if 0. */
struct record_result stored_record_past(struct stored_record *record, unsigned seq,
                                        const struct record_row *rows, size_t count,
                                        struct span *past);

#endif
