/* A fixed number of connections. A connection in use belongs to its taker alone; the free ones are
 * on a stack, so that as few as possible are used. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/link/connection.h"
#include "db/link/db.h"
#include "db/link/now.h"
#include "db/link/schema.h"

enum { POOL_SIZE_MAX = 64 };

struct db_pool {
    pthread_mutex_t mutex;
    pthread_cond_t came_free;
    char *url; /* owned */
    bool service, standby;
    size_t size;
    size_t in_use;
    size_t waiting;
    uint64_t in_vain, failed; /* see struct db_pool_figures */
    size_t idle_count;
    struct db *idle[POOL_SIZE_MAX]; /* open and not in use */
};

struct db_pool *db_pool_new(const char *url, bool service, size_t size)
{
    assert(size >= 1 && size <= POOL_SIZE_MAX);
    struct db_pool *pool = calloc(1, sizeof *pool);
    char *copy = strdup(url);
    if (pool == NULL || copy == NULL) {
        free(pool);
        free(copy);
        return NULL;
    }
    pool->url = copy;
    pool->service = service;
    pool->size = size;
    pthread_mutex_init(&pool->mutex, NULL);
    condition_init(&pool->came_free);
    return pool;
}

void db_pool_begin_with(struct db_pool *pool, struct db *db)
{
    assert(pool->idle_count == 0 && pool->in_use == 0);
    if (db != NULL)
        pool->idle[pool->idle_count++] = db;
}

struct db_pool *db_pool_new_standby(const char *url, size_t size)
{
    struct db_pool *pool = db_pool_new(url, true, size);
    if (pool != NULL)
        pool->standby = true;
    return pool;
}

/* Counts one connection as in use. False if none came free in time. */
static bool reserve(struct db_pool *pool, int wait_ms)
{
    struct timespec deadline = moment_in(wait_ms);
    int result = 0;
    pool->waiting++;
    while (pool->in_use == pool->size && result == 0)
        result = pthread_cond_timedwait(&pool->came_free, &pool->mutex, &deadline);
    pool->waiting--;
    if (pool->in_use == pool->size) {
        pool->in_vain++;
        return false;
    }
    pool->in_use++;
    return true;
}

static void release(struct db_pool *pool, struct db *db)
{
    pthread_mutex_lock(&pool->mutex);
    pool->in_use--;
    if (db != NULL)
        pool->idle[pool->idle_count++] = db;
    else
        pool->failed++;
    pthread_cond_signal(&pool->came_free);
    pthread_mutex_unlock(&pool->mutex);
}

/* Takes a free connection, or opens a new one. */
static struct db *take(struct db_pool *pool, int wait_ms)
{
    struct db *db = NULL;
    pthread_mutex_lock(&pool->mutex);
    bool reserved = reserve(pool, wait_ms);
    if (reserved && pool->idle_count > 0)
        db = pool->idle[--pool->idle_count];
    pthread_mutex_unlock(&pool->mutex);
    if (!reserved || db != NULL)
        return db;
    char buffer[512];
    struct text error = TEXT_OVER(buffer);
    db = pool->standby ? db_open_standby(pool->url, &error)
                       : db_open(pool->url, pool->service, &error);
    if (db == NULL) {
        fprintf(stderr, "tillroll: database: %s\n", buffer);
        release(pool, NULL);
    }
    return db;
}

struct db *db_pool_take(struct db_pool *pool, int wait_ms)
{
    struct db *db = take(pool, wait_ms);
    enum schema_fit fit;
    if (db != NULL && db->server.place == 0 && !pool->standby && connection_doubts_schema()) {
        if (db_begin(db, true) == DB_OK)
            (void)schema_fits(db, &fit);
        db_rollback(db);
    }
    return db;
}

void db_pool_give(struct db_pool *pool, struct db *db)
{
    if (db == NULL)
        return;
    db_rollback(db);
    release(pool, db);
}

struct db_pool_figures db_pool_figures(struct db_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    struct db_pool_figures figures = {.size = pool->size,
                                      .open = pool->idle_count + pool->in_use,
                                      .in_use = pool->in_use,
                                      .waiting = pool->waiting,
                                      .in_vain = pool->in_vain,
                                      .failed = pool->failed};
    pthread_mutex_unlock(&pool->mutex);
    return figures;
}

void db_pool_free(struct db_pool *pool)
{
    if (pool == NULL)
        return;
    assert(pool->in_use == 0);
    for (size_t i = 0; i < pool->idle_count; i++)
        db_close(pool->idle[i]);
    pthread_cond_destroy(&pool->came_free);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->url);
    free(pool);
}
