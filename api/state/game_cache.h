/* The game cache: replayed games, bounded in bytes, so that a move needs only the rows added since,
 * or none. The record in PostgreSQL is the source of truth: a game that is missing here is rebuilt
 * by replay, an outdated one is caught up, and any game may be dropped at any moment; the least
 * recently used is dropped first.
 *
 * Every caller works on a separate copy, so that nothing is visible before it is committed:
 *
 *      game_cache_load ──> copy as of a transaction     workers; brings the cache up to date
 *      game_cache_fetch                                 workers; the same for many, without copies
 *      game_cache_take ──> copy, game held ──> commit   the quick way, which ends with
 *          game_cache_put_packed and game_cache_release
 *
 * A held game is being written, and the quick way does not use it. All functions may be called from
 * any thread.
 */
#ifndef TILLROLL_API_STATE_GAME_CACHE_H
#define TILLROLL_API_STATE_GAME_CACHE_H

#include "api/state/stored_record.h"

struct game_cache;

/* Creates a cache of at most `bytes_max` bytes, overhead included. `components` are the sets of
 * games, which outlive the cache; NULL = only those that are built into the program. */
struct game_cache *game_cache_new(size_t bytes_max, struct component_cache *components);
void game_cache_free(struct game_cache *game_cache);

/* The sets that the cache was created with. */
struct component_cache *game_cache_components(const struct game_cache *game_cache);

/* Makes a copy, in the arena, of the game as the transaction open on `db` sees it. */
struct record_result game_cache_load(struct game_cache *game_cache, const struct keys *keys,
                                     struct db *db, struct arena *arena, const struct id *game,
                                     struct replay **replay);

/* Adds the missing rows of `count` games to the cache, as the transaction open on `db` sees them,
 * with few queries. A game that cannot be read, or only with more queries (an archived or a damaged
 * one), is left to game_cache_load(). */
void game_cache_fetch(struct game_cache *game_cache, const struct keys *keys, struct db *db,
                      const struct id *games, size_t count);

/* The same as game_cache_load(), but only from the stored rows, without the cache: for a
 * transaction that has added to the record itself, so that nothing that may still be rolled back
 * enters the cache. */
struct record_result game_cache_replay(const struct game_cache *game_cache, const struct keys *keys,
                                       struct db *db, struct arena *arena, const struct id *game,
                                       struct replay **replay);

/* The last rows of a record that this process has written itself, by which a repeated request is
 * recognized: as many as there is room for. */
enum { GAME_CACHE_TAIL = 4, GAME_CACHE_TAIL_BYTES = 288 };
struct game_cache_tail {
    uint32_t count; /* the last `count` rows */
    struct game_cache_row {
        uint32_t seq;
        uint32_t length; /* bytes of the row's line */
        uint8_t hash[32];
    } row[GAME_CACHE_TAIL];
    char lines[GAME_CACHE_TAIL_BYTES]; /* one after the other */
};

/* The rows of a tail, pointing into it. */
size_t game_cache_tail_rows(const struct game_cache_tail *tail,
                            struct record_row rows[static GAME_CACHE_TAIL]);

/* Takes a copy of a game that is in the cache and, as far as is known, up to date, without querying
 * the database; the game is then held. */
enum game_cache_taken {
    GAME_CACHE_TAKEN,
    GAME_CACHE_HELD,   /* another caller holds it */
    GAME_CACHE_MISSING /* the game is not in the cache, or not up to date */
};
enum game_cache_taken game_cache_take(struct game_cache *game_cache, const struct id *game,
                                      struct replay *copy, struct game_cache_tail *tail);

/* The same for reading only: does not hold the game, which another caller may hold, whose writes
 * are not committed or not answered yet. False if the game is not in the cache, or not up to
 * date. */
bool game_cache_look(struct game_cache *game_cache, const struct id *game, struct replay *copy);

/* Prevents other callers from taking a game that is being written, until game_cache_release(). No
 * effect if the game is not in the cache. Holds add up. */
void game_cache_hold(struct game_cache *game_cache, const struct id *game);
void game_cache_release(struct game_cache *game_cache, const struct id *game);

/* Keeps a committed state of a game, if it is newer than the cached one, with the last of the
 * `count` rows that led to it (0: they are not known). */
void game_cache_put(struct game_cache *game_cache, const struct id *game,
                    const struct replay *replay, const struct record_row *rows, size_t count);

/* A state of a game in the form that the cache keeps, far smaller than struct replay. */
struct game_cache_packed {
    int row; /* game_cache_last_row() */
    size_t size;
    const unsigned char *bytes; /* replay_pack() */
};

/* Packs a state into the arena, to keep it while its rows are being written. */
struct game_cache_packed game_cache_pack(struct arena *arena, const struct replay *replay);

/* game_cache_put() for a packed state. */
void game_cache_put_packed(struct game_cache *game_cache, const struct id *game,
                           const struct game_cache_packed *packed, const struct record_row *rows,
                           size_t count);

/* The record of this game has a row `row` (see game_cache_last_row()): an earlier state is not up
 * to date. No effect if the game is not in the cache. */
void game_cache_note(struct game_cache *game_cache, const struct id *game, int row);

/* The whole cache may be outdated: drops all games. */
void game_cache_note_all(struct game_cache *game_cache);

/* The number of the last row of the record (db/store/games/records.h) that is in `replay`: one per
 * entry, and one for the head. */
int game_cache_last_row(const struct replay *replay);

struct game_cache_figures {
    size_t games, bytes;
    uint64_t found,
        missed; /* games that game_cache_load() and game_cache_take() found here, or did not find */
};
struct game_cache_figures game_cache_figures(struct game_cache *game_cache);

#endif
