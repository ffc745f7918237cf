#include "db/link/thread.h"

#include <signal.h>
#include <sys/resource.h>

enum { NICE = 5 };

bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* ---- Background threads ---- */

static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_comes = PTHREAD_COND_INITIALIZER;
static bool held, dismissed; /* protected by turn_lock */

static void set_held(bool to, bool forever)
{
    pthread_mutex_lock(&turn_lock);
    held = to;
    dismissed = dismissed || forever;
    pthread_cond_broadcast(&turn_comes);
    pthread_mutex_unlock(&turn_lock);
}

void threads_hold(void)
{
    set_held(true, false);
}

void threads_release(void)
{
    set_held(false, false);
}

void threads_dismiss(void)
{
    set_held(false, true);
}

bool thread_wait_turn(void)
{
    pthread_mutex_lock(&turn_lock);
    while (held)
        pthread_cond_wait(&turn_comes, &turn_lock);
    bool comes = !dismissed;
    pthread_mutex_unlock(&turn_lock);
    return comes;
}

/* ---- Priority ---- */

/* Linux has a priority for each thread; 0 is the calling one. */
void thread_give_way(void)
{
    (void)setpriority(PRIO_PROCESS, 0, NICE);
}
