/* Writing to a running game: lines are collected, appended in one statement, and when the last of
 * them ends the game its whole record is proved by replay before the result is stored. The one
 * place that writes to records of running games.
 */
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
    size_t held_back; /* the first of them are written only with others: api/play/sealed.h */
    struct signature signature[GAME_SEATS_MAX]; /* of rows */
    size_t signatures;
};

/* Begins with a copy of the game that the caller has: for lines that are collected only. `game` may
 * be NULL then. */
void game_writer_begin(struct game_writer *writer, struct call *call, const struct game_row *game,
                       struct replay *replay);

/* The game as the transaction sees it, a copy in the arena. False with a problem. */
bool game_load(struct call *call, const struct id *game, struct replay **replay);

/* The source of the game's record, for reading it in the call's transaction. */
struct stored_record game_stored_record(struct call *call, const struct id *game);

/* Loads the game in the same way, and holds it (api/state/game_cache.h) until the call
 * has ended. False with a problem. */
bool game_writer_open(struct game_writer *writer, struct call *call, const struct game_row *game);

/* Plays a ply, and the fallback moves that follow from it. False with a refusal. */
bool game_writer_ply(struct game_writer *writer, unsigned seat, struct span move,
                     struct refusal *refusal);

/* Row `row` of those that were collected, counted from 0, is to be stored with its player's
 * signature; at most one a seat. */
void game_writer_sign(struct game_writer *writer, size_t row,
                      const uint8_t signature[static SIGNATURE_BYTES]);

/* Plays the fallback move of a seat on fallback in its turn among simultaneous decisions. */
void game_writer_quiet(struct game_writer *writer, unsigned seat);

/* Adds an entry of any kind (`seq` and `elapsed_ms` are the writer's), and what follows from it by
 * itself: fallback moves, or the last lines of a game that it ended. False with a refusal; where
 * its code is NULL the record so far, which taking back needs, could not be read, and a problem has
 * been answered. */
bool game_writer_add(struct game_writer *writer, const struct record_entry *entry,
                     struct refusal *refusal);

/* Appends what was collected, which may be nothing, or only lines that are held back; brings the
 * seats of the game's row in line with the record; ends the game if it is over, or void. False with
 * a problem: `stale-sequence` if another request was faster. */
bool game_writer_store(struct game_writer *writer);

/* Refuses with `stale-sequence` and the present sequence number. */
bool game_writer_stale(struct call *call, unsigned seq);

/* The seats that have to decide, as everybody may know them: a list of numbers. */
json_t *deciders_document(const struct replay *replay);

/* The legal moves of a seat, as a list of texts; empty unless the game runs and the seat has to
 * decide. Whoever is shown them sits there, or may see everything. */
json_t *legal_moves_document(const struct replay *replay, unsigned seat);

/* Why nobody plays and no clock runs, since when and until when: `by` is `stop` or `dispute`,
 * `dispute` an id or null, `detail` a sentence; null while the game runs. What everybody may know
 * who may see the game. */
json_t *stop_document(const struct replay *replay);

/* The sentence, in the arena, of a game that does not run. */
const char *stop_detail(struct arena *arena, const struct replay *replay);

/* A problem for a result of game_cache_load() that is not STORED_RECORD_OK. Returns false. */
bool game_live_problem(struct call *call, const struct record_result *result);

#endif
