/* Prometheus' text format for figures (version 0.0.4): families with a name, a type and words of
 * help, and under each its samples.
 *
 *      # HELP tillroll_streams Streams that are open.
 *      # TYPE tillroll_streams gauge
 *      tillroll_streams 12
 *
 * Names, labels and help are ours and constant, and have nothing that would need an escape.
 */
#ifndef TILLROLL_API_EXPOSITION_H
#define TILLROLL_API_EXPOSITION_H

#include "db/counter.h"
#include "engine/text.h"

#define EXPOSITION_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* What is being written. What does not fit into the text sets its overflow. */
struct exposition {
    struct text *text;
    const char *name; /* of the family that was begun last */
};

/* Begins a family: `type` is counter, gauge or histogram. Also one without samples is shown. */
void exposition_family(struct exposition *exposition, const char *name, const char *type,
                       const char *help);

/* A sample of it. `labels` are `name="value"` with commas between them, "" for none. */
void exposition_number(struct exposition *exposition, const char *labels, uint64_t number);

/* The same of a time, in seconds. */
void exposition_seconds(struct exposition *exposition, const char *labels, int64_t us);

/* How a histogram's values are to be shown. */
enum exposition_unit {
    EXPOSITION_PLAIN,
    EXPOSITION_SECONDS /* they are microseconds */
};

/* A histogram's samples, as many more than one as it has bounds. */
void exposition_histogram(struct exposition *exposition, const char *labels,
                          const struct histogram *histogram, const struct histogram_bounds *bounds,
                          enum exposition_unit unit);

/* A family of one sample without labels. */
void exposition_counter(struct exposition *exposition, const char *name, const char *help,
                        uint64_t number);
void exposition_gauge(struct exposition *exposition, const char *name, const char *help,
                      uint64_t number);

#endif
