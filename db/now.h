/* What time it is: for all but the engine, which has none.
 */
#ifndef TILLROLL_DB_NOW_H
#define TILLROLL_DB_NOW_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* The time of a clock: of CLOCK_REALTIME since 1970, of CLOCK_MONOTONIC since some time. */
int64_t now_ms(clockid_t clock);
int64_t now_us(clockid_t clock);

/* The moment of CLOCK_MONOTONIC so many ms (0 ..) from now, for pthread_cond_timedwait(). */
struct timespec moment_in(int64_t wait_ms);

/* A condition on which such moments are waited for: setting the time of day must not lengthen it.
 */
void condition_init(pthread_cond_t *condition);

#endif
