/* Metrics in Prometheus' text format, and two sources of them: the process, and the last audit. */
#ifndef TILLROLL_API_WATCH_EXPOSITION_H
#define TILLROLL_API_WATCH_EXPOSITION_H

#include "engine/base/counter.h"
#include "engine/base/text.h"

/* ---- Text ---- */

#define EXPOSITION_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* The page that is being written. If it does not fit into the text, the text's overflow is set. */
struct exposition {
    struct text *text;
    const char *name; /* name of the last family that was begun */
};

/* Begins a family: `type` is counter, gauge or histogram. A family without samples is shown,
 * too. */
void exposition_family(struct exposition *exposition, const char *name, const char *type,
                       const char *help);

/* Adds a sample of the current family. `labels` are `name="value"` with commas between them, "" for
 * none. */
void exposition_number(struct exposition *exposition, const char *labels, uint64_t number);

/* The same with one label, whose value contains neither `"` nor `\`. */
void exposition_labelled(struct exposition *exposition, const char *label, const char *value,
                         uint64_t number);

/* Adds a sample of a time without labels, in seconds. */
void exposition_seconds(struct exposition *exposition, int64_t us);

/* The unit of a histogram's values. */
enum exposition_unit {
    EXPOSITION_PLAIN,
    EXPOSITION_SECONDS /* the values are microseconds */
};

/* Adds a histogram's samples: one per bound, and one without a bound. */
void exposition_histogram(struct exposition *exposition, const char *labels,
                          const struct histogram *histogram, const struct histogram_bounds *bounds,
                          enum exposition_unit unit);

/* Adds a family of one sample without labels. */
void exposition_counter(struct exposition *exposition, const char *name, const char *help,
                        uint64_t number);
void exposition_gauge(struct exposition *exposition, const char *name, const char *help,
                      uint64_t number);

/* Writes a page of metrics. */
typedef void exposition_show(struct exposition *exposition, const void *context);

/* Returns the page that `show` writes, in memory that the caller frees. */
char *exposition_page(exposition_show *show, const void *context, struct span *page);

/* ---- The process ---- */

/* Metrics of the process, under the names that Prometheus' own libraries use. */

/* `started_ms`: milliseconds since 1970. */
void process_figures_show(struct exposition *exposition, int64_t started_ms);

/* ---- The last audit ---- */

/* The result of the last `tillroll audit`, in a file that a service shows among its metrics
 * (api/watch/metrics.h): Prometheus' text format, so that node_exporter's textfile collector can
 * read it as well. */

struct audit_result {
    uint64_t finished_s;  /* time of its end, seconds since 1970 */
    uint64_t duration_us; /* its duration */
    uint64_t records;     /* number of records audited, including damaged ones */
    uint64_t damaged;     /* number of damaged records */
    uint64_t status;      /* 0 = all good, 1 = something is damaged, 2 = could not be judged */
};

/* Adds the families of the result; with NULL, without samples. */
void audit_result_show(struct exposition *exposition, const struct audit_result *result);

/* Replaces the file atomically, so that readers find either the old or the new one. False with a
 * sentence in `error`. */
bool audit_result_store(const char *path, const struct audit_result *result, struct text *error);

/* Reads a stored result. False if there is no such file, or it is not a result. */
bool audit_result_read(const char *path, struct audit_result *result);

#endif
