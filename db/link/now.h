/* The current time: for everything except the engine, which has no clock.
 */
#ifndef TILLROLL_DB_LINK_NOW_H
#define TILLROLL_DB_LINK_NOW_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* The time of a clock: CLOCK_REALTIME since 1970, CLOCK_MONOTONIC since an arbitrary moment. */
int64_t now_ms(clockid_t clock);
int64_t now_us(clockid_t clock);

/* Sleeps for so many ms (0 ..); a signal that is handled ends it early. */
void rest_ms(int64_t ms);

/* The moment of CLOCK_MONOTONIC so many ms (0 ..) from now, for pthread_cond_timedwait(). */
struct timespec moment_in(int64_t wait_ms);

/* A condition for waits until such moments: setting the time of day must not lengthen them.
 */
void condition_init(pthread_cond_t *condition);

#endif
