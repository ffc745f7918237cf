/* Where public data is read when it is not in memory: at a hot standby, if one is configured, or
 * else at the primary, also when the standby is unreachable, too far behind, or anything goes wrong
 * there. Either way the answer is one that the primary could have given during the request
 * (db/link/replica.h), so nobody can tell the difference.
 */
#ifndef TILLROLL_API_WORK_REPLICAS_H
#define TILLROLL_API_WORK_REPLICAS_H

#include "api/request/route.h"

struct replicas;

/* With as many connections as `size` to the standby at `url` (libpq), taking turns with `primary`.
 * NULL if memory is short. */
struct replicas *replicas_new(const char *url, size_t size, struct db_pool *primary);

/* When no request is under way. NULL is fine. */
void replicas_free(struct replicas *replicas);

/* Answers a request in a read-only transaction at the standby, by `work`, which leaves the answer
 * in `call`. False, and nothing is answered, if the request is not for a standby, or none is
 * usable. `replicas` may be NULL. Any thread. */
bool replicas_answer(struct replicas *replicas, struct call *call, const struct route *route,
                     void (*work)(struct call *call, const struct route *route));

/* How often a request was answered at the standby, the standby was behind, or away (or failed). */
struct replicas_figures {
    uint64_t answered, behind, away;
};
struct replicas_figures replicas_figures(const struct replicas *replicas);

#endif
