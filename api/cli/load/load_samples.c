#include "api/cli/load/load_samples.h"

#include <stdlib.h>

#include "engine/base/arena.h"

enum { FIRST_CAPACITY = 1 << 16 };

void samples_add(struct samples *samples, int64_t ns)
{
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity == 0 ? FIRST_CAPACITY : 2 * samples->capacity;
        samples->us = must(realloc(samples->us, capacity * sizeof *samples->us));
        samples->capacity = capacity;
    }
    samples->us[samples->count++] = (uint32_t)((ns + 500) / 1000);
}

void samples_clear(struct samples *samples)
{
    samples->count = 0;
}

void samples_free(struct samples *samples)
{
    free(samples->us);
    *samples = (struct samples){.us = NULL};
}

static int compare(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a;
    uint32_t second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

void samples_sort(struct samples *samples)
{
    if (samples->count > 0)
        qsort(samples->us, samples->count, sizeof *samples->us, compare);
}

uint32_t samples_at(const struct samples *samples, unsigned per_mille)
{
    if (samples->count == 0)
        return 0;
    size_t rank = (samples->count * per_mille + 999) / 1000;
    return samples->us[rank == 0 ? 0 : rank - 1];
}

void samples_report(const struct samples *samples, json_t *object)
{
    json_object_set_new(object, "p50_us", json_integer(samples_at(samples, 500)));
    json_object_set_new(object, "p99_us", json_integer(samples_at(samples, 990)));
    json_object_set_new(object, "p999_us", json_integer(samples_at(samples, 999)));
    json_object_set_new(object, "max_us", json_integer(samples_at(samples, 1000)));
}
