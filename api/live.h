/* Games at hand: a bounded cache of replayed games, so that a move needs only the rows that were
 * added since. The record in PostgreSQL is the truth: what is missing here is rebuilt by replay,
 * what is behind is caught up, and any entry may be thrown away at any moment.
 */
#ifndef TILLROLL_API_LIVE_H
#define TILLROLL_API_LIVE_H

#include "api/keys.h"
#include "db/db.h"
#include "engine/replay.h"

struct live;

/* A cache of at most `games_max` games. */
struct live *live_new(size_t games_max);
void live_free(struct live *live);

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

/* A copy, in the arena, of the game as the transaction open on `db` sees it. Any thread. */
struct live_result live_load(struct live *live, const struct keys *keys, struct db *db,
                             struct arena *arena, const struct id *game, struct replay **replay);

/* The same from the stored rows alone, past the cache: for a transaction that has added to the
 * record itself, so that nothing gets into the cache that may yet be rolled back. */
struct live_result live_replay(const struct keys *keys, struct db *db, struct arena *arena,
                               const struct id *game, struct replay **replay);

/* The number of the last row of db/records.h that is in `replay`: one an entry, and one for the
 * head. */
int live_last_row(const struct replay *replay);

#endif
