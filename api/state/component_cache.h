/* The component sets of games, apart from those built into the program: read from the database
 * once, when the first game needs them, and shared by all threads.
 *
 * A replay points to its game, and may be copied anywhere. So a set stays until the service ends;
 * once there are COMPONENT_CACHE_MAX, games with further sets are not available.
 */
#ifndef TILLROLL_API_STATE_COMPONENT_CACHE_H
#define TILLROLL_API_STATE_COMPONENT_CACHE_H

#include "db/link/db.h"
#include "engine/game/component_list.h"

enum { COMPONENT_CACHE_MAX = 512 }; /* games: one per set and version of its ruleset */

struct component_cache;

struct component_cache *component_cache_new(void);

/* To be called when nothing uses a game of the cache any more. NULL is allowed. */
void component_cache_free(struct component_cache *cache);

/* Sets in the form that readers of records need (engine/record/replay.h), for one thread. */
struct component_lookup {
    struct component_sets sets;
    struct component_cache *cache;
    struct db *db;
    enum db_status status; /* why the last set was not found: DB_NONE, or an error */
};

/* Fills `lookup` and returns its sets. `db` has an open transaction; `cache` may be NULL: then no
 * sets are found. */
const struct component_sets *component_cache_sets(struct component_cache *cache, struct db *db,
                                                  struct component_lookup *lookup);

#endif
