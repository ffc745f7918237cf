/* Finished responses for reuse, in a store bounded in bytes.
 *
 * A response is kept under a key (the address it answers) together with its subjects: the ids of
 * what it describes. A change of a subject searches for nothing: it gets the next number of a
 * clock, and a response is valid while none of its subjects has changed since the clock was read
 * for it, which was before its snapshot was taken. So a response that was being made during a
 * change is never used afterwards. Subjects share the slots that hold their last change; a
 * collision only costs an unnecessary rebuild, never a stale response.
 *
 *      clock read ── snapshot ── response made ── kept        valid, and used
 *      clock read ── snapshot ── CHANGE ─────── not kept
 *      CHANGE ────── clock read ── snapshot ── kept           includes the change
 *
 * All functions can be called from any thread and take a short lock.
 */
#ifndef TILLROLL_API_STATE_RESPONSE_CACHE_H
#define TILLROLL_API_STATE_RESPONSE_CACHE_H

#include "api/http/answer.h"
#include "db/link/id.h"

enum { ANSWER_SUBJECTS = 2, ANSWER_KEY_MAX = 512 };

struct response_cache;

/* Creates a cache of at most `bytes_max` bytes of responses; 0 = keeps nothing. */
struct response_cache *response_cache_new(size_t bytes_max);
void response_cache_free(struct response_cache *cache);

/* ---- Changes ---- */

/* The subject with this id has changed, and the change is visible to other transactions. */
void response_cache_changed(struct response_cache *cache, const struct id *subject);

/* Anything may have changed. */
void response_cache_all_changed(struct response_cache *cache);

/* ---- Responses ---- */

/* Reads the clock; to be called before the response's snapshot is taken. */
uint64_t response_cache_clock(struct response_cache *cache);

/* Keeps a response, of which the cache gets a hold; an older one with this key is dropped. The
 * least recently used responses make room. A subject with the text "" is none. False if it is not
 * kept: a subject has changed since `clock`, it is larger than a quarter of the cache, the key is
 * too long, or memory is short. */
bool response_cache_keep(struct response_cache *cache, struct span key, uint64_t clock,
                         const struct id subject[static ANSWER_SUBJECTS],
                         struct shared_answer *answer);

/* The valid response with this key, or NULL. The caller gets a hold on it, to be dropped, and
 * checks whether the caller of the API may get the response (shared_answer_is_for()). */
struct shared_answer *response_cache_find(struct response_cache *cache, struct span key);

struct response_cache_counts {
    size_t answers, bytes;
    uint64_t kept, found;
};

struct response_cache_counts response_cache_count(struct response_cache *cache);

#endif
