#include "api/upkeep.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "db/upkeep.h"

enum { POOL_WAIT_MS = 1000 };
static const int64_t keep_ms = INT64_C(1000) * 60 * 60 * 24 * UPKEEP_KEEP_DAYS;

struct upkeep {
    struct db_pool *pool; /* of one connection */
    unsigned seconds;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    bool ending;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One transaction. `more` says that it is to be done again at once. */
static enum db_status delete_some(const struct upkeep *upkeep, struct db *db, bool *more)
{
    int64_t now = now_ms();
    enum db_status status = db_begin(db, false);
    if (status == DB_OK)
        status = upkeep_take(db, now);
    if (status == DB_OK)
        status = upkeep_delete_old(db, now - keep_ms, more);
    if (status == DB_OK && !*more)
        status = upkeep_done(db, now + (int64_t)upkeep->seconds * 1000);
    if (status == DB_OK)
        return db_commit(db);
    db_rollback(db);
    *more = false;
    return status;
}

static bool is_ending(struct upkeep *upkeep)
{
    pthread_mutex_lock(&upkeep->lock);
    bool ending = upkeep->ending;
    pthread_mutex_unlock(&upkeep->lock);
    return ending;
}

/* A database that is away, or another service that is at it, is tried again when the time comes. */
static void delete_old(struct upkeep *upkeep)
{
    bool more = true;
    struct db *db = db_pool_take(upkeep->pool, POOL_WAIT_MS);
    if (db == NULL)
        return;
    while (more && !is_ending(upkeep)) {
        more = false;
        if (delete_some(upkeep, db, &more) == DB_ERROR)
            fprintf(stderr, "tillrolld: upkeep failed: %s\n", db_last_error(db));
    }
    db_pool_give(upkeep->pool, db);
}

/* True when the thread is to end. */
static bool wait_for_next(struct upkeep *upkeep)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += upkeep->seconds;
    int late = 0;
    pthread_mutex_lock(&upkeep->lock);
    while (!upkeep->ending && late == 0)
        late = pthread_cond_timedwait(&upkeep->wake, &upkeep->lock, &until);
    bool ending = upkeep->ending;
    pthread_mutex_unlock(&upkeep->lock);
    return ending;
}

static void *run(void *context)
{
    struct upkeep *upkeep = context;
    do
        delete_old(upkeep);
    while (!wait_for_next(upkeep));
    return NULL;
}

/* It takes no signals. */
static bool start(struct upkeep *upkeep)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    upkeep->started = pthread_create(&upkeep->thread, NULL, run, upkeep) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return upkeep->started;
}

struct upkeep *upkeep_new(const char *database, unsigned seconds)
{
    struct upkeep *upkeep = calloc(1, sizeof *upkeep);
    if (upkeep == NULL)
        abort();
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&upkeep->wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&upkeep->lock, NULL);
    upkeep->seconds = seconds;
    upkeep->pool = db_pool_new(database, true, 1);
    if (seconds == 0 || start(upkeep))
        return upkeep;
    upkeep_free(upkeep);
    return NULL;
}

void upkeep_free(struct upkeep *upkeep)
{
    if (upkeep == NULL)
        return;
    pthread_mutex_lock(&upkeep->lock);
    upkeep->ending = true;
    pthread_cond_signal(&upkeep->wake);
    pthread_mutex_unlock(&upkeep->lock);
    if (upkeep->started)
        pthread_join(upkeep->thread, NULL);
    db_pool_free(upkeep->pool);
    pthread_cond_destroy(&upkeep->wake);
    pthread_mutex_destroy(&upkeep->lock);
    free(upkeep);
}
