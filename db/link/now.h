/* The current time, for everything except the engine, which has no clock. */
#ifndef TILLROLL_DB_LINK_NOW_H
#define TILLROLL_DB_LINK_NOW_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* The time of a clock: CLOCK_REALTIME since 1970, CLOCK_MONOTONIC since an arbitrary moment. */
int64_t now_ms(clockid_t clock);
int64_t now_us(clockid_t clock);

/* Sleeps for `ms` milliseconds (0 ..); a handled signal ends it early. */
void rest_ms(int64_t ms);

/* Returns the time of CLOCK_MONOTONIC in `wait_ms` milliseconds (0 ..), for
 * pthread_cond_timedwait(). */
struct timespec moment_in(int64_t wait_ms);

/* Initializes a condition for waits until moment_in(): it uses CLOCK_MONOTONIC, so setting the time
 * of day does not lengthen them. */
void condition_init(pthread_cond_t *condition);

#endif
