/* Odds that were computed lately, by their seed (odds_seed()), which names all that they depend on.
 * Answers to readers are dropped with every attempt to write to their event, refused or not
 * (api/work/transaction.h); what takes seconds to compute is here meanwhile. */
#ifndef TILLROLL_API_WORK_ODDS_CACHE_H
#define TILLROLL_API_WORK_ODDS_CACHE_H

#include "api/state/cache_uses.h"
#include "engine/tournament/odds/odds.h"

/* At most 4 KiB each. */
enum { ODDS_CACHE_MAX = 256 };

struct odds_cache;

/* Empty. odds_cache_free() frees; NULL is fine. All functions: any thread. */
struct odds_cache *odds_cache_new(void);
void odds_cache_free(struct odds_cache *cache);

/* Copies the odds of a seed; the caller frees with odds_free(). False if they are not kept, or when
 * out of memory. */
bool odds_cache_find(struct odds_cache *cache, const uint8_t seed[static 32], struct odds *odds);

/* Keeps a copy under their seed, in place of those that were kept longest ago; when out of memory
 * nothing is kept. */
void odds_cache_keep(struct odds_cache *cache, const struct odds *odds);

/* How often odds_cache_find() found some. */
struct cache_uses odds_cache_uses(struct odds_cache *cache);

#endif
