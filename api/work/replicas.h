/* Chooses where to read public data that is not in memory: at a hot standby, if one is configured,
 * or else at the primary, which is also used when the standby is unreachable, too far behind, or
 * fails. In both cases the response is one that the primary could have given during the request
 * (db/link/replica.h), so clients cannot tell the difference.
 */
#ifndef TILLROLL_API_WORK_REPLICAS_H
#define TILLROLL_API_WORK_REPLICAS_H

#include "api/request/route.h"

struct replicas;

/* Opens up to `size` connections to the standby at `url` (libpq), used together with those of
 * `primary`. NULL if memory is short. */
struct replicas *replicas_new(const char *url, size_t size, struct db_pool *primary);

/* To be called when no request is under way. NULL is allowed. */
void replicas_free(struct replicas *replicas);

/* Answers a request in a read-only transaction at the standby, by `work`, which leaves the response
 * in `call`. False, without a response, if the request is not for a standby, or none is usable.
 * `replicas` may be NULL. Any thread. */
bool replicas_answer(struct replicas *replicas, struct call *call, const struct route *route,
                     void (*work)(struct call *call, const struct route *route));

/* The numbers of requests that were answered at the standby, for which it was too far behind, and
 * for which it was away or failed. */
struct replicas_figures {
    uint64_t answered, behind, away;
};
struct replicas_figures replicas_figures(const struct replicas *replicas);

#endif
