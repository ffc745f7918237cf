/* Metrics: counted during work and read at the same time by other threads (api/watch/metrics.h).
 *
 * A figure counted by one thread costs it a load and a store; one counted by several threads costs
 * a locked addition. No thread waits. A reader sees each number whole, but the numbers may be from
 * different moments.
 */
#ifndef TILLROLL_ENGINE_BASE_COUNTER_H
#define TILLROLL_ENGINE_BASE_COUNTER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed = 0. */
struct counter {
    _Atomic uint64_t value;
};

static inline uint64_t counter_read(const struct counter *counter)
{
    return atomic_load_explicit(&counter->value, memory_order_relaxed);
}

/* Sets a figure that is known rather than counted. */
static inline void counter_set(struct counter *counter, uint64_t value)
{
    atomic_store_explicit(&counter->value, value, memory_order_relaxed);
}

/* Use where one thread at a time counts. */
static inline void counter_add(struct counter *counter, uint64_t more)
{
    counter_set(counter, counter_read(counter) + more);
}

/* Use where several threads count. */
static inline void counter_add_shared(struct counter *counter, uint64_t more)
{
    atomic_fetch_add_explicit(&counter->value, more, memory_order_relaxed);
}

/* The upper bounds of a histogram's buckets, ascending; one more bucket holds everything above. */
enum { HISTOGRAM_BOUNDS_MAX = 18 };
struct histogram_bounds {
    size_t count;
    uint64_t most[HISTOGRAM_BOUNDS_MAX];
};

/* Zeroed = empty. Always used with the same bounds. */
struct histogram {
    struct counter bucket[HISTOGRAM_BOUNDS_MAX + 1];
    struct counter sum;
};

/* Use where one thread at a time counts. */
static inline void histogram_add(struct histogram *histogram, const struct histogram_bounds *bounds,
                                 uint64_t value)
{
    size_t i = 0;
    while (i < bounds->count && value > bounds->most[i])
        i++;
    counter_add(&histogram->bucket[i], 1);
    counter_add(&histogram->sum, value);
}

#endif
