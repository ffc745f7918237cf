#include "api/work/ticker.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "db/link/now.h"
#include "db/link/thread.h"
#include "engine/base/arena.h"

struct ticker {
    unsigned interval_ms;
    ticker_work *work;
    void *context;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t wake;
    bool ending, woken;
};

bool ticker_is_ending(struct ticker *ticker)
{
    pthread_mutex_lock(&ticker->lock);
    bool ending = ticker->ending;
    pthread_mutex_unlock(&ticker->lock);
    return ending;
}

bool ticker_stops(void *ticker)
{
    return ticker_is_ending(ticker);
}

/* True when the thread must end. */
static bool wait_for_next(struct ticker *ticker)
{
    const struct timespec until = moment_in(ticker->interval_ms);
    int late = 0;
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->ending && !ticker->woken && late == 0)
        late = pthread_cond_timedwait(&ticker->wake, &ticker->lock, &until);
    ticker->woken = false;
    bool ending = ticker->ending;
    pthread_mutex_unlock(&ticker->lock);
    return ending;
}

static void *run(void *context)
{
    struct ticker *ticker = context;
    if (!thread_wait_turn())
        return NULL;
    do
        ticker->work(ticker, ticker->context);
    while (!wait_for_next(ticker));
    return NULL;
}

struct ticker *ticker_new(unsigned interval_ms, ticker_work *work, void *context)
{
    struct ticker *ticker = must(calloc(1, sizeof *ticker));
    ticker->interval_ms = interval_ms;
    ticker->work = work;
    ticker->context = context;
    condition_init(&ticker->wake);
    pthread_mutex_init(&ticker->lock, NULL);
    ticker->started = thread_start(&ticker->thread, run, ticker);
    if (ticker->started)
        return ticker;
    ticker_free(ticker);
    return NULL;
}

void ticker_wake(struct ticker *ticker)
{
    pthread_mutex_lock(&ticker->lock);
    ticker->woken = true;
    pthread_cond_signal(&ticker->wake);
    pthread_mutex_unlock(&ticker->lock);
}

void ticker_free(struct ticker *ticker)
{
    if (ticker == NULL)
        return;
    pthread_mutex_lock(&ticker->lock);
    ticker->ending = true;
    pthread_cond_signal(&ticker->wake);
    pthread_mutex_unlock(&ticker->lock);
    if (ticker->started)
        pthread_join(ticker->thread, NULL);
    pthread_cond_destroy(&ticker->wake);
    pthread_mutex_destroy(&ticker->lock);
    free(ticker);
}
