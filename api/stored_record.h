/* A game's record as it is stored, read into a replay: row 0 begins it, each further row goes on.
 * Lines that take back need the record so far; it is read when the first of them is met, so that
 * games without them pay nothing for it.
 */
#ifndef TILLROLL_API_STORED_RECORD_H
#define TILLROLL_API_STORED_RECORD_H

#include "api/keys.h"
#include "db/records.h"
#include "engine/replay.h"

enum live_status {
    LIVE_OK,
    LIVE_NONE,     /* there is no such game */
    LIVE_DATABASE, /* `status` says what the database said */
    LIVE_DAMAGED   /* the stored record cannot be replayed; `fault` says where and why */
};

struct live_result {
    enum live_status status;
    enum db_status database;
    struct record_fault fault;
};

/* Where it is read from, for one transaction; the first five are the caller's. One thread. */
struct stored_record {
    const struct keys *keys;
    struct db *db;
    struct arena *arena;
    const struct id *game;
    struct span sealed; /* the game's sealed secret, if it was read before; empty = it is read */
    struct span text;   /* all rows, joined, once they were needed */
    size_t rows;        /* how many */
};

/* LIVE_OK, or what the database said: LIVE_NONE or LIVE_DATABASE. */
struct live_result stored_record_status(enum db_status status);

/* Begins a replay from the header row and the game's secret. */
struct live_result stored_record_begin(const struct stored_record *record, struct span header,
                                       struct replay *replay);

/* Goes on with a row that is not the header. On a fault `replay` is spoilt. */
struct live_result stored_record_go_on(struct stored_record *record, const struct record_row *row,
                                       struct replay *replay);

/* The record up to and not including row `seq`, in the arena. `count` rows that the caller adds to
 * the stored ones, from `rows[0].seq` on, take their places; none if 0. */
struct live_result stored_record_past(struct stored_record *record, unsigned seq,
                                      const struct record_row *rows, size_t count,
                                      struct span *past);

#endif
