/* After a failure the standby is not tried for AWAY_MS: detecting that it is away may take
 * seconds. */
#include "api/work/replicas.h"

#include <stdlib.h>
#include <time.h>

#include "api/request/auth.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/replica.h"
#include "engine/base/counter.h"

enum { PATIENCE_MS = 50, POOL_WAIT_MS = 2000, AWAY_MS = 5000 };

struct replicas {
    struct db_pool *primary;
    struct db_pool *standby;
    _Atomic int64_t away_until_ms; /* on the monotonic clock */
    struct counter answered, behind, away;
};

struct replicas *replicas_new(const char *url, size_t size, struct db_pool *primary)
{
    struct replicas *replicas = calloc(1, sizeof *replicas);
    if (replicas == NULL)
        return NULL;
    replicas->primary = primary;
    replicas->standby = db_pool_new_standby(url, size);
    if (replicas->standby != NULL)
        return replicas;
    free(replicas);
    return NULL;
}

void replicas_free(struct replicas *replicas)
{
    if (replicas == NULL)
        return;
    db_pool_free(replicas->standby);
    free(replicas);
}

struct replicas_figures replicas_figures(const struct replicas *replicas)
{
    struct replicas_figures none = {0};
    return replicas == NULL ? none
                            : (struct replicas_figures){counter_read(&replicas->answered),
                                                        counter_read(&replicas->behind),
                                                        counter_read(&replicas->away)};
}

/* Shared responses are the same for all callers who may see them. Callers with a token stay with
 * the primary. */
static bool is_for_standby(const struct call *call, const struct route *route)
{
    return route->work == WORK_READ && route->share != SHARE_NOT && !route->signs &&
           (route->page != NULL || !auth_is_given(call->request));
}

static bool is_away(struct replicas *replicas)
{
    return now_ms(CLOCK_MONOTONIC) < atomic_load(&replicas->away_until_ms);
}

static void note_away(struct replicas *replicas)
{
    atomic_store(&replicas->away_until_ms, now_ms(CLOCK_MONOTONIC) + AWAY_MS);
    counter_add_shared(&replicas->away, 1);
}

static bool mark_primary(struct replicas *replicas, struct replica_mark *mark)
{
    struct db *primary = db_pool_take(replicas->primary, POOL_WAIT_MS);
    bool marked = primary != NULL && replica_mark(primary, mark);
    db_pool_give(replicas->primary, primary);
    return marked;
}

static bool is_confirmed(struct replicas *replicas, uint64_t below)
{
    struct db *primary = db_pool_take(replicas->primary, POOL_WAIT_MS);
    bool confirmed = primary != NULL && replica_is_confirmed(primary, below, PATIENCE_MS);
    db_pool_give(replicas->primary, primary);
    return confirmed;
}

/* False if the standby failed: the primary may succeed, for example with a query that the standby's
 * recovery has cancelled. */
static bool read_at_standby(struct call *call, const struct route *route, uint64_t *below,
                            void (*work)(struct call *call, const struct route *route))
{
    if (db_begin(call->db, true) != DB_OK || !replica_snapshot(call->db, below))
        return false;
    work(call, route);
    db_rollback(call->db);
    return call->response->status < 500 && !call->retry && db_is_open(call->db);
}

static bool answer_at_standby(struct replicas *replicas, struct call *call,
                              const struct route *route,
                              void (*work)(struct call *call, const struct route *route))
{
    struct replica_mark mark;
    uint64_t below;
    if (!mark_primary(replicas, &mark))
        return false;
    call->db = db_pool_take(replicas->standby, POOL_WAIT_MS);
    bool there = call->db != NULL;
    bool current = there && replica_has(call->db, &mark, PATIENCE_MS);
    bool open = there && db_is_open(call->db);
    bool answered = current && read_at_standby(call, route, &below, work);
    db_pool_give(replicas->standby, call->db);
    call->db = NULL;
    if (!open || (current && !answered))
        note_away(replicas);
    else if (!current || !is_confirmed(replicas, below)) {
        counter_add_shared(&replicas->behind, 1);
        answered = false;
    }
    return answered;
}

bool replicas_answer(struct replicas *replicas, struct call *call, const struct route *route,
                     void (*work)(struct call *call, const struct route *route))
{
    if (replicas == NULL || !is_for_standby(call, route) || is_away(replicas) ||
        !answer_at_standby(replicas, call, route, work))
        return false;
    counter_add_shared(&replicas->answered, 1);
    return true;
}
