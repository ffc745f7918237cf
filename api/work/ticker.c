#include "api/work/ticker.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "db/link/now.h"

struct ticker {
    unsigned interval_ms;
    ticker_work *work;
    void *context;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    bool ending;
};

bool ticker_is_ending(struct ticker *ticker)
{
    pthread_mutex_lock(&ticker->lock);
    bool ending = ticker->ending;
    pthread_mutex_unlock(&ticker->lock);
    return ending;
}

/* True when the thread is to end. */
static bool wait_for_next(struct ticker *ticker)
{
    const struct timespec until = moment_in(ticker->interval_ms);
    int late = 0;
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->ending && late == 0)
        late = pthread_cond_timedwait(&ticker->wake, &ticker->lock, &until);
    bool ending = ticker->ending;
    pthread_mutex_unlock(&ticker->lock);
    return ending;
}

static void *run(void *context)
{
    struct ticker *ticker = context;
    do
        ticker->work(ticker, ticker->context);
    while (!wait_for_next(ticker));
    return NULL;
}

/* It takes no signals. */
static bool start(struct ticker *ticker)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ticker->started = pthread_create(&ticker->thread, NULL, run, ticker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ticker->started;
}

struct ticker *ticker_new(unsigned interval_ms, ticker_work *work, void *context)
{
    struct ticker *ticker = calloc(1, sizeof *ticker);
    if (ticker == NULL)
        abort();
    ticker->interval_ms = interval_ms;
    ticker->work = work;
    ticker->context = context;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&ticker->wake, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&ticker->lock, NULL);
    if (start(ticker))
        return ticker;
    ticker_free(ticker);
    return NULL;
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
