/* Starting threads of the service and its database connections.
 */
#ifndef TILLROLL_DB_LINK_THREAD_H
#define TILLROLL_DB_LINK_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts run(argument) as `thread`, with all signals blocked: the main thread handles them. False
 * when the system has no thread left (errno is not set). The caller joins or detaches it.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* While a program starts, what its threads of the background do first (opening connections to the
 * database, above all) would delay its first answers. Between threads_hold() and threads_release()
 * a thread that calls thread_wait_turn() waits there; otherwise that returns at once. Who holds
 * must release before joining such threads. Releasing twice is harmless. Where a program turns out
 * not to be fit to run, threads_dismiss() releases them for good: their turn never comes, nor that
 * of any that begin later, as the false from thread_wait_turn() says, and they have to end. Any
 * thread. */
void threads_hold(void);
void threads_release(void);
void threads_dismiss(void);
bool thread_wait_turn(void);

/* From now on the calling thread goes behind others: it interrupts none, and where cores are scarce
 * it has a third of another's share. For work that may be a little later. Where the system forbids
 * that, nothing changes. */
void thread_give_way(void);

#endif
