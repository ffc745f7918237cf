/* Parses GET /metrics (api/watch/exposition.h) and computes differences between two readings. */
#ifndef TILLROLL_API_CLI_FIGURES_H
#define TILLROLL_API_CLI_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

struct sample {
    struct span name;
    struct span labels; /* the text between the braces */
    double value;
};

struct figures {
    char *text; /* owned; samples point into it */
    struct sample *sample;
    size_t count;
    double at_s; /* time of reading, monotonic clock */
};

/* Consumes `text`, from malloc(). False if a line of it is not a sample; then there is nothing to
 * free. */
bool figures_read(struct figures *figures, char *text);

/* May be zeroed. */
void figures_free(struct figures *figures);

/* The sum of the samples with this name whose labels contain `label` ("" = all). */
double figures_sum(const struct figures *figures, const char *name, const char *label);

/* The value of `label` in labels; its `at` is NULL if it is missing. `GET` for method="GET". */
struct span figures_label(struct span labels, const char *label);

/* Two readings of a service; an empty first one means since its start. */
struct figures_change {
    const struct figures *before, *after;
    double seconds;
};

/* The growth of a sum; after a restart, its current value. */
double figures_growth(const struct figures_change *change, const char *name, const char *label);

/* The growth per second. */
double figures_rate(const struct figures_change *change, const char *name, const char *label);

/* The quantile `part` (0 .. 1) of a histogram's new values, interpolated linearly within buckets;
 * negative if there were none. `name` without `_bucket`; over all samples whose labels contain
 * `label`. */
double figures_quantile(const struct figures_change *change, const char *name, const char *label,
                        double part);

#endif
