/* Writing to a running game. Lines are collected and appended in one statement. When the last of
 * them ends the game, the whole record is proved by replay before the result is stored. No other
 * code writes to records of running games. */
#ifndef TILLROLL_API_TABLES_GAME_WRITER_H
#define TILLROLL_API_TABLES_GAME_WRITER_H

#include "api/request/call.h"
#include "api/state/game_cache.h"
#include "db/store/games/games.h"
#include "db/store/games/records.h"
#include "engine/record/replay.h"

struct game_writer {
    struct call *call;
    const struct game_row *game;
    struct replay *replay; /* the caller's own copy */
    int64_t elapsed_ms;
    struct record_row *rows;
    size_t count, capacity;
    size_t held_back; /* leading rows, written only with others: api/play/sealed.h */
    struct signature signature[GAME_SEATS_MAX]; /* signatures of rows */
    size_t signatures;
};

/* Begins with the caller's copy of the game, for lines that are only collected. `game` may then be
 * NULL. */
void game_writer_begin(struct game_writer *writer, struct call *call, const struct game_row *game,
                       struct replay *replay);

/* Loads the game as the transaction sees it, as a copy owned by the call's arena. False with a
 * problem. */
bool game_load(struct call *call, const struct id *game, struct replay **replay);

/* The source of the game's record, for reading it in the call's transaction. */
struct stored_record game_stored_record(struct call *call, const struct id *game);

/* Loads the game in the same way, and holds it in the cache (api/state/game_cache.h) until the end
 * of the call. False with a problem. */
bool game_writer_open(struct game_writer *writer, struct call *call, const struct game_row *game);

/* Plays a ply, and the fallback moves that follow from it. False with a refusal. */
bool game_writer_ply(struct game_writer *writer, unsigned seat, struct span move,
                     struct refusal *refusal);

/* Marks collected row `row`, counted from 0, to be stored with its player's signature; at most one
 * per seat. */
void game_writer_sign(struct game_writer *writer, size_t row,
                      const uint8_t signature[static SIGNATURE_BYTES]);

/* Plays the fallback move of a seat on fallback in its turn among simultaneous decisions. */
void game_writer_quiet(struct game_writer *writer, unsigned seat);

/* Adds an entry of any kind (the writer sets `seq` and `elapsed_ms`) and the lines that follow from
 * it: fallback moves, or the last lines of a game that it ended. False with a refusal. If the
 * refusal's code is NULL, the record so far, which take-backs need, could not be read, and the call
 * has a problem. */
bool game_writer_add(struct game_writer *writer, const struct record_entry *entry,
                     struct refusal *refusal);

/* Appends the collected rows, unless there are none or all of them are held back; updates the seats
 * of the game's row; ends the game if it is over or void. False with a problem: `stale-sequence` if
 * another request was faster. */
bool game_writer_store(struct game_writer *writer);

/* Refuses with `stale-sequence` and the present sequence number. Returns false. */
bool game_writer_stale(struct call *call, unsigned seq);

/* The public list of seats that have to decide: a list of numbers. */
json_t *deciders_document(const struct replay *replay);

/* The legal moves of a seat, as a list of texts; empty unless the game runs and the seat has to
 * decide. Only for the seat itself and for callers who may see everything. */
json_t *legal_moves_document(const struct replay *replay, unsigned seat);

/* The stop of a game, for all who may see the game: `by` is `stop` or `dispute`, `dispute` is an id
 * or null, `since` is a time, and `detail` is a sentence. Null while the game runs. */
json_t *stop_document(const struct replay *replay);

/* The sentence about the stop of a game. Owned by the arena. */
const char *stop_detail(struct arena *arena, const struct replay *replay);

#endif
