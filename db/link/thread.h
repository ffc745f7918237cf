/* Starting threads of the service and of its database connections. */
#ifndef TILLROLL_DB_LINK_THREAD_H
#define TILLROLL_DB_LINK_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts run(argument) as `thread`, with all signals blocked: the main thread handles them. False
 * if the system has no threads left (errno is not set). The caller joins or detaches the thread. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Delaying background threads while a program starts: their first work, mainly opening database
 * connections, would delay the program's first answers. Between threads_hold() and
 * threads_release() a thread that calls thread_wait_turn() waits there; otherwise the call returns
 * true at once. A program that has called threads_hold() must release before joining such threads.
 * Releasing twice is harmless. If the program turns out to be unable to run, threads_dismiss()
 * releases the threads for good: thread_wait_turn() returns false to them and to any that call it
 * later, and they have to end. Any thread. */
void threads_hold(void);
void threads_release(void);
void threads_dismiss(void);
bool thread_wait_turn(void);

/* Lowers the calling thread's priority permanently: it preempts no other thread, and if cores are
 * scarce it gets a third of another's share. For work that may be a little late. If the system
 * forbids it, nothing changes. */
void thread_give_way(void);

#endif
