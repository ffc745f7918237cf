/* Finished answers for reuse: a store bounded in bytes.
 *
 * An answer is kept under a key (the address it answers) together with its subjects: the ids of
 * what it describes. When a subject changes, nothing is searched for: the change gets the next
 * number of a clock, and an answer is valid while none of its subjects has changed since the clock
 * was read for it, which was before its snapshot was taken. So an answer that was being made when a
 * change came is never given afterwards. Subjects share the slots in which their last change is
 * noted; a collision costs an unnecessary answer, never a stale one.
 *
 *      clock read ── snapshot ── answer made ── kept          good, and given
 *      clock read ── snapshot ── CHANGE ─────── not kept
 *      CHANGE ────── clock read ── snapshot ── kept           has seen the change
 *
 * Everything here can be called from any thread and takes a short lock.
 */
#ifndef TILLROLL_API_STATE_RESPONSE_CACHE_H
#define TILLROLL_API_STATE_RESPONSE_CACHE_H

#include "api/http/answer.h"
#include "db/link/id.h"

enum { ANSWER_SUBJECTS = 2, ANSWER_KEY_MAX = 512 };

struct response_cache;

/* Keeps at most `bytes_max` bytes of answers; 0 = keeps nothing. */
struct response_cache *response_cache_new(size_t bytes_max);
void response_cache_free(struct response_cache *cache);

/* ---- Changes ---- */

/* Something of this id has changed and can be read by others. */
void response_cache_changed(struct response_cache *cache, const struct id *subject);

/* Anything may have changed. */
void response_cache_all_changed(struct response_cache *cache);

/* ---- Answers ---- */

/* Reads the clock; to be called before the answer's snapshot is taken. */
uint64_t response_cache_clock(struct response_cache *cache);

/* Keeps an answer, which the cache takes hold of; an older one with this key is dropped. The least
 * recently used answers make room. A subject with the text "" is none. False if it is not kept: a
 * subject has changed since `clock`, it is larger than a quarter of the cache, or the key is too
 * long. */
bool response_cache_keep(struct response_cache *cache, struct span key, uint64_t clock,
                         const struct id subject[static ANSWER_SUBJECTS],
                         struct shared_answer *answer);

/* The answer with this key if there is a valid one, else NULL. The caller gets a hold on it, to be
 * dropped, and checks whether the answer may be given to whoever asked (shared_answer_is_for()). */
struct shared_answer *response_cache_find(struct response_cache *cache, struct span key);

struct response_cache_counts {
    size_t answers, bytes;
    uint64_t kept, found;
};

struct response_cache_counts response_cache_count(struct response_cache *cache);

#endif
