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

#endif
