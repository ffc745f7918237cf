/* Waking a thread costs more than a short handler, so work is passed in batches both ways. The loop
 * hands over the pieces that it has gathered in one turn and wakes one thread, which wakes the next
 * while more pieces wait. The eventfd is written only when the done list was empty: a loop that is
 * behind takes the whole list at once and is woken once for it. One mutex guards both lists. A
 * thread starts when more pieces are open than there are threads: most are never needed, and
 * starting thirty of them takes longer than the rest of the start of a small service.
 */
#include "api/http/workers.h"
#include "db/link/thread.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WORKERS_MAX = 64 };

struct work_list {
    struct work *first, *last;
};

struct workers {
    struct work_list added; /* since the last hand-over; only for the loop, without lock */
    unsigned added_count;
    unsigned open_max;
    unsigned at_once;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t wake;
    struct work_list waiting, done;
    unsigned open; /* pieces handed over and not yet done */
    unsigned idle; /* threads that wait for work */
    bool stopping;
    int done_event;
    work_function *function;
    unsigned threads, threads_max;
    pthread_t thread[WORKERS_MAX];
};

static void list_append(struct work_list *list, struct work *work)
{
    work->next = NULL;
    if (list->first == NULL)
        list->first = work;
    else
        list->last->next = work;
    list->last = work;
}

static void list_move(struct work_list *to, struct work_list *from)
{
    if (from->first == NULL)
        return;
    if (to->first == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    from->first = NULL;
}

static struct work *list_take(struct work_list *list)
{
    struct work *work = list->first;
    if (work != NULL)
        list->first = work->next;
    return work;
}

/* Takes the first pieces of a list, at most `count`, linked; NULL if it is empty. */
static struct work *list_take_some(struct work_list *list, unsigned count)
{
    struct work *first = list_take(list);
    for (struct work *last = first; last != NULL; last = last->next)
        last->next = --count > 0 ? list_take(list) : NULL;
    return first;
}

/* The lock is held. */
static void finish(struct workers *workers, struct work *work)
{
    bool was_empty = workers->done.first == NULL;
    while (work != NULL) {
        struct work *next = work->next;
        list_append(&workers->done, work);
        workers->open--;
        work = next;
    }
    if (was_empty)
        (void)eventfd_write(workers->done_event, 1);
}

/* The lock is held. */
static void wake_one(struct workers *workers)
{
    if (workers->waiting.first != NULL && workers->idle > 0)
        pthread_cond_signal(&workers->wake);
}

/* The lock is held. NULL when the threads are to end. */
static struct work *wait_for_work(struct workers *workers)
{
    workers->idle++;
    while (workers->waiting.first == NULL && !workers->stopping)
        pthread_cond_wait(&workers->wake, &workers->lock);
    workers->idle--;
    if (workers->stopping)
        return NULL;
    struct work *work = list_take_some(&workers->waiting, workers->at_once);
    wake_one(workers);
    return work;
}

static void *run_thread(void *context)
{
    struct workers *workers = context;
    struct work *work;
    pthread_mutex_lock(&workers->lock);
    while ((work = wait_for_work(workers)) != NULL) {
        pthread_mutex_unlock(&workers->lock);
        workers->function(work);
        pthread_mutex_lock(&workers->lock);
        finish(workers, work);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* Starts threads until there are `wanted`, within threads_max and the limits of the system. */
static void start_threads(struct workers *workers, unsigned wanted)
{
    while (workers->threads < wanted && workers->threads < workers->threads_max &&
           thread_start(&workers->thread[workers->threads], run_thread, workers))
        workers->threads++;
}

struct workers *workers_new(unsigned threads, unsigned at_once, unsigned queue_max,
                            work_function *function)
{
    assert(threads >= 1 && threads <= WORKERS_MAX && at_once >= 1);
    struct workers *workers = calloc(1, sizeof *workers);
    if (workers == NULL)
        return NULL;
    pthread_mutex_init(&workers->lock, NULL);
    pthread_cond_init(&workers->wake, NULL);
    workers->open_max = threads + queue_max;
    workers->threads_max = threads;
    workers->at_once = at_once;
    workers->function = function;
    workers->done_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (workers->done_event >= 0)
        start_threads(workers, 1);
    if (workers->threads == 1)
        return workers;
    workers_stop(workers);
    workers_free(workers);
    return NULL;
}

bool workers_full(struct workers *workers, unsigned spare)
{
    pthread_mutex_lock(&workers->lock);
    bool full =
        workers->stopping || workers->open + workers->added_count + spare >= workers->open_max;
    pthread_mutex_unlock(&workers->lock);
    return full;
}

unsigned workers_open(struct workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    unsigned open = workers->open;
    pthread_mutex_unlock(&workers->lock);
    return open;
}

void workers_add(struct workers *workers, struct work *work)
{
    list_append(&workers->added, work);
    workers->added_count++;
}

void workers_hand_over(struct workers *workers)
{
    if (workers->added_count == 0)
        return;
    pthread_mutex_lock(&workers->lock);
    assert(!workers->stopping);
    workers->open += workers->added_count;
    assert(workers->open <= workers->open_max);
    workers->added_count = 0;
    list_move(&workers->waiting, &workers->added);
    start_threads(workers, workers->open);
    wake_one(workers);
    pthread_mutex_unlock(&workers->lock);
}

int workers_done_fd(const struct workers *workers)
{
    return workers->done_event;
}

struct work *workers_take_done(struct workers *workers)
{
    eventfd_t count;
    (void)eventfd_read(workers->done_event, &count);
    pthread_mutex_lock(&workers->lock);
    struct work *done = workers->done.first;
    workers->done.first = NULL;
    pthread_mutex_unlock(&workers->lock);
    return done;
}

void workers_stop(struct workers *workers)
{
    workers_hand_over(workers);
    pthread_mutex_lock(&workers->lock);
    workers->stopping = true;
    struct work *work;
    while ((work = list_take_some(&workers->waiting, 1)) != NULL)
        finish(workers, work);
    pthread_cond_broadcast(&workers->wake);
    pthread_mutex_unlock(&workers->lock);
    for (unsigned i = 0; i < workers->threads; i++)
        pthread_join(workers->thread[i], NULL);
    workers->threads = 0;
}

void workers_free(struct workers *workers)
{
    pthread_cond_destroy(&workers->wake);
    pthread_mutex_destroy(&workers->lock);
    if (workers->done_event >= 0)
        close(workers->done_event);
    free(workers);
}
