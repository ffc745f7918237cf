/* Where what everybody may see is read when it is not in memory: at a hot standby, if one is
 * configured, and the primary otherwise, when the standby is away, too far behind, or anything goes
 * wrong there. Either way the answer is one that the primary could have given while it was asked
 * (db/replica.h), so nobody can tell the difference.
 */
#ifndef TILLROLL_API_REPLICAS_H
#define TILLROLL_API_REPLICAS_H

#include "api/routes.h"

struct replicas;

/* With as many connections as `size` to the standby at `url` (libpq), taking turns with `primary`.
 * NULL if memory is short. */
struct replicas *replicas_new(const char *url, size_t size, struct db_pool *primary);

/* When no request is under way. NULL is fine. */
void replicas_free(struct replicas *replicas);

/* Answers a request in a read-only transaction at the standby, by `work`, which leaves the answer
 * in `call`. False, and nothing is answered, if it is not for a standby, or there is none that will
 * do. `replicas` may be NULL. Any thread. */
bool replicas_answer(struct replicas *replicas, struct call *call, const struct route *route,
                     void (*work)(struct call *call, const struct route *route));

/* How often a request was answered at the standby, the standby was behind, or away (or failed). */
struct replicas_figures {
    uint64_t answered, behind, away;
};
struct replicas_figures replicas_figures(const struct replicas *replicas);

#endif
