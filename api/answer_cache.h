/* Finished answers to be given again: a store bounded in bytes.
 *
 * An answer is kept under a key (the address it answers) together with its subjects: the ids of
 * what it tells of. When a subject changes, nothing is searched for: the change gets the next
 * number of a clock, and an answer is good while none of its subjects has changed since the clock
 * was read for it, which was before its snapshot was taken. So an answer that was under way when a
 * change came is never given afterwards. Subjects share the places in which their last change is
 * noted; that two fall together costs an answer too many, never a stale one.
 *
 *      clock read ── snapshot ── answer made ── kept          good, and given
 *      clock read ── snapshot ── CHANGE ─────── not kept
 *      CHANGE ────── clock read ── snapshot ── kept           has seen the change
 *
 * Everything here can be called from any thread and takes a short lock.
 */
#ifndef TILLROLL_API_ANSWER_CACHE_H
#define TILLROLL_API_ANSWER_CACHE_H

#include "api/shared_answer.h"
#include "db/id.h"

enum { ANSWER_SUBJECTS = 2, ANSWER_KEY_MAX = 512 };

struct answer_cache;

/* Keeps at most `bytes_max` bytes of answers; 0 = keeps nothing. */
struct answer_cache *answer_cache_new(size_t bytes_max);
void answer_cache_free(struct answer_cache *cache);

/* ---- Changes ---- */

/* Something of this id has changed and can be read by others. */
void answer_cache_changed(struct answer_cache *cache, const struct id *subject);

/* Anything may have changed. */
void answer_cache_all_changed(struct answer_cache *cache);

/* ---- Answers ---- */

/* Reads the clock; to be called before the answer's snapshot is taken. */
uint64_t answer_cache_clock(struct answer_cache *cache);

/* Keeps an answer, which the cache takes hold of; an older one of this key goes. Answers that were
 * asked for longest ago make room. `subject` with the text "" counts for none. False if it is not
 * kept: a subject has changed since `clock`, it is larger than a quarter of the cache, or the key
 * is too long. */
bool answer_cache_keep(struct answer_cache *cache, struct span key, uint64_t clock,
                       const struct id subject[static ANSWER_SUBJECTS],
                       struct shared_answer *answer);

/* The answer of this key if there is a good one, else NULL. The caller takes hold of it by this and
 * drops it; it may be one that is not for him. */
struct shared_answer *answer_cache_find(struct answer_cache *cache, struct span key);

struct answer_cache_counts {
    size_t answers, bytes;
    uint64_t kept, found;
};

struct answer_cache_counts answer_cache_count(struct answer_cache *cache);

#endif
