/* Response times, all kept, so that percentiles are exact. */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_SAMPLES_H
#define TILLROLL_API_CLI_LOAD_LOAD_SAMPLES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct samples {
    uint32_t *us; /* microseconds */
    size_t count, capacity;
};

void samples_add(struct samples *samples, int64_t ns);
void samples_clear(struct samples *samples);
void samples_free(struct samples *samples);

/* Sorts them; required before samples_at(). */
void samples_sort(struct samples *samples);

/* The smallest sample that at least `per_mille` of a thousand do not exceed, in microseconds (1000
 * = the largest); 0 if there are none. */
uint32_t samples_at(const struct samples *samples, unsigned per_mille);

/* Sets `p50_us`, `p99_us`, `p999_us` and `max_us` in `object`. */
void samples_report(const struct samples *samples, json_t *object);

#endif
