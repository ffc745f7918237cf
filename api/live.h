/* Games at hand: a cache of replayed games, bounded in bytes, so that a move needs only the rows
 * that were added since, or none. The record in PostgreSQL is the truth: what is missing here is
 * rebuilt by replay, what is behind is caught up, and any game may be thrown away at any moment;
 * the one that was not used for the longest time goes first.
 *
 * Everybody works on a copy of his own, so that nothing is seen before it is committed:
 *
 *      live_load ──> copy as of a transaction     workers; brings the cache up to date
 *      live_fetch                                 workers; the same for many games, without copies
 *      live_take ──> copy, game held ──> commit ──> live_put, live_release     the quick way
 *
 * A game that is held is being written to; the quick way leaves it alone then. All functions may be
 * called from any thread.
 */
#ifndef TILLROLL_API_LIVE_H
#define TILLROLL_API_LIVE_H

#include "api/stored_record.h"

struct live;

/* A cache of at most `bytes_max` bytes, with all that it needs for a game. */
struct live *live_new(size_t bytes_max);
void live_free(struct live *live);

/* A copy, in the arena, of the game as the transaction open on `db` sees it. */
struct live_result live_load(struct live *live, const struct keys *keys, struct db *db,
                             struct arena *arena, const struct id *game, struct replay **replay);

/* Brings into the cache what it lacks of `count` games, as the transaction open on `db` sees them,
 * with few questions to the database. A game that cannot be had, or only with more (an archived or
 * a damaged one), is left to live_load(). */
void live_fetch(struct live *live, const struct keys *keys, struct db *db, const struct id *games,
                size_t count);

/* The same as live_load() from the stored rows alone, past the cache: for a transaction that has
 * added to the record itself, so that nothing gets into the cache that may yet be rolled back. */
struct live_result live_replay(const struct keys *keys, struct db *db, struct arena *arena,
                               const struct id *game, struct replay **replay);

/* The last rows of a record that this process has written itself, by which a request that is sent
 * again is recognized. */
enum { LIVE_TAIL = 4, LIVE_TAIL_LINE = 144 };
struct live_tail {
    size_t count; /* the last `count` of these */
    struct live_row {
        unsigned seq;
        unsigned length;
        char line[LIVE_TAIL_LINE];
        uint8_t hash[32];
    } row[LIVE_TAIL];
};

/* The rows of a tail, pointing into it. */
size_t live_tail_rows(const struct live_tail *tail, struct record_row rows[static LIVE_TAIL]);

/* A copy of a game that is in the cache and up to date as far as is known, without asking the
 * database; the game is held then. */
enum live_taken {
    LIVE_TAKEN,
    LIVE_HELD,   /* somebody else holds it */
    LIVE_MISSING /* it is not there, or not up to date */
};
enum live_taken live_take(struct live *live, const struct id *game, struct replay *copy,
                          struct live_tail *tail);

/* The same to look at only: the game is not held, and may be held by somebody; what he writes is
 * not committed yet, or not answered. False if it is not there, or not up to date. */
bool live_look(struct live *live, const struct id *game, struct replay *copy);

/* Keeps others from taking a game that is being written to, until live_release(). Nothing if it is
 * not in the cache. Holds add up. */
void live_hold(struct live *live, const struct id *game);
void live_release(struct live *live, const struct id *game);

/* Keeps a committed state of a game, if it is further on than the one that is there, with the last
 * of the `count` rows that led to it (0: they are not known). */
void live_put(struct live *live, const struct id *game, const struct replay *replay,
              const struct record_row *rows, size_t count);

/* The record of this game has a row `row` (see live_last_row()): a state that is behind it is not
 * up to date. Nothing if the game is not in the cache. */
void live_note(struct live *live, const struct id *game, int row);

/* Nothing in the cache is known to be up to date any more: it is thrown away. */
void live_note_all(struct live *live);

/* The number of the last row of db/records.h that is in `replay`: one an entry, and one for the
 * head. */
int live_last_row(const struct replay *replay);

struct live_figures {
    size_t games, bytes;
    uint64_t found, missed; /* games that live_load() and live_take() found at hand, or did not */
};
struct live_figures live_figures(struct live *live);

#endif
