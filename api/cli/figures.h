/* What GET /metrics says, read (api/watch/exposition.h), and what has changed between two looks. */
#ifndef TILLROLL_API_CLI_FIGURES_H
#define TILLROLL_API_CLI_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/text.h"

struct sample {
    struct span name;
    struct span labels; /* what stands between the braces */
    double value;
};

struct figures {
    char *text; /* owned; samples point into it */
    struct sample *sample;
    size_t count;
    double at_s; /* when they were read, by the monotonic clock */
};

/* Takes `text`, from malloc(), over. False if a line of it is no figure: then there is nothing to
 * free. */
bool figures_read(struct figures *figures, char *text);

/* Zeroed ones are fine. */
void figures_free(struct figures *figures);

/* The sum of the samples of this name whose labels contain `label` ("" = all). */
double figures_sum(const struct figures *figures, const char *name, const char *label);

/* The value of `label` in labels, at = NULL if it has none: `GET` of method="GET". */
struct span figures_label(struct span labels, const char *label);

/* Two looks at the same service, the first one empty for all since its start. */
struct figures_change {
    const struct figures *before, *after;
    double seconds;
};

/* By how much a sum has grown; after a restart, what it is now. */
double figures_growth(const struct figures_change *change, const char *name, const char *label);

/* The same for each second. */
double figures_rate(const struct figures_change *change, const char *name, const char *label);

/* The share `part` (0 .. 1) of a histogram's new values was below this, by straight lines within
 * buckets; negative if there were none. `name` without `_bucket`; of all samples whose labels
 * contain `label`. */
double figures_quantile(const struct figures_change *change, const char *name, const char *label,
                        double part);

#endif
