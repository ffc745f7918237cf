/* The component sets that games are played with, beside those that come with the program: read from
 * the database once, when the first game needs them, and shared by all threads.
 *
 * Whatever was replayed points to its game, and may be copied anywhere. So a set stays until the
 * service ends; after COMPONENT_CACHE_MAX of them, games with further sets are not available.
 */
#ifndef TILLROLL_API_STATE_COMPONENT_CACHE_H
#define TILLROLL_API_STATE_COMPONENT_CACHE_H

#include "db/link/db.h"
#include "engine/game/component_list.h"

enum { COMPONENT_CACHE_MAX = 512 }; /* games: a set, with a version of its ruleset */

struct component_cache;

struct component_cache *component_cache_new(void);

/* When nothing uses a game of it any more. NULL is fine. */
void component_cache_free(struct component_cache *cache);

/* Sets as readers of records take them (engine/record/replay.h), for one thread. */
struct component_lookup {
    struct component_sets sets;
    struct component_cache *cache;
    struct db *db;
    enum db_status status; /* why the last set was not found: DB_NONE, or what is wrong */
};

/* Fills `lookup` and returns its sets. `db` has an open transaction; `cache` may be NULL: then no
 * sets are found. */
const struct component_sets *component_cache_sets(struct component_cache *cache, struct db *db,
                                                  struct component_lookup *lookup);

#endif
