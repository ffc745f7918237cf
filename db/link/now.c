#include "db/link/now.h"

int64_t now_ms(clockid_t clock)
{
    return now_us(clock) / 1000;
}

int64_t now_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void rest_ms(int64_t ms)
{
    const struct timespec pause = {(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)};
    nanosleep(&pause, NULL);
}

struct timespec moment_in(int64_t wait_ms)
{
    enum { SECOND_NS = 1000000000 };
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    int64_t nanoseconds = moment.tv_nsec + wait_ms % 1000 * 1000000;
    moment.tv_sec += (time_t)(wait_ms / 1000 + nanoseconds / SECOND_NS);
    moment.tv_nsec = (long)(nanoseconds % SECOND_NS);
    return moment;
}

void condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}
