/* Recently computed odds, by their seed (odds_seed()), which identifies everything that they depend
 * on. Every attempt to write to an event, refused or not, drops the shared responses about it
 * (api/work/transaction.h); odds, which take seconds to compute, stay here. */
#ifndef TILLROLL_API_WORK_ODDS_CACHE_H
#define TILLROLL_API_WORK_ODDS_CACHE_H

#include "api/state/cache_uses.h"
#include "engine/tournament/odds/odds.h"

/* entries of at most 4 KiB each */
enum { ODDS_CACHE_MAX = 256 };

struct odds_cache;

/* Creates an empty cache. odds_cache_free() frees; NULL is allowed. All functions: any thread. */
struct odds_cache *odds_cache_new(void);
void odds_cache_free(struct odds_cache *cache);

/* Copies the odds of a seed; the caller frees with odds_free(). False if there are none, or memory
 * is short. */
bool odds_cache_find(struct odds_cache *cache, const uint8_t seed[static 32], struct odds *odds);

/* Keeps a copy under the odds' seed, in place of the oldest entry if the cache is full; nothing if
 * memory is short. */
void odds_cache_keep(struct odds_cache *cache, const struct odds *odds);

/* The number of successful and failed lookups. */
struct cache_uses odds_cache_uses(struct odds_cache *cache);

#endif
