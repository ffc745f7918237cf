/* Figures as Prometheus reads them, and two sources of them: the process, and the last audit. */
#ifndef TILLROLL_API_WATCH_EXPOSITION_H
#define TILLROLL_API_WATCH_EXPOSITION_H

#include "engine/base/counter.h"
#include "engine/base/text.h"

/* ---- Text ---- */

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
void exposition_seconds(struct exposition *exposition, int64_t us);

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

/* Writes a page of figures. */
typedef void exposition_show(struct exposition *exposition, const void *context);

/* The page that `show` writes, in memory that the caller frees. */
char *exposition_page(exposition_show *show, const void *context, struct span *page);

/* ---- The process ---- */

/* Figures of the process, under the names that Prometheus' own libraries give them. */

/* `started_ms`: milliseconds since 1970. */
void process_figures_show(struct exposition *exposition, int64_t started_ms);

/* ---- The last audit ---- */

/* The result of the last `tillroll audit`, in a file that a service shows among its figures
 * (api/watch/metrics.h): Prometheus' text format, so that node_exporter's textfile collector can
 * read it as well.
 */

struct audit_result {
    uint64_t finished_s;  /* when it ended, seconds since 1970 */
    uint64_t duration_us; /* how long it took */
    uint64_t records;     /* that were looked at, damaged ones among them */
    uint64_t damaged;     /* records */
    uint64_t status;      /* 0 = all good, 1 = something is damaged, 2 = could not be judged */
};

/* Adds its families; with NULL, what is known of no audit: without samples. */
void audit_result_show(struct exposition *exposition, const struct audit_result *result);

/* Replaces the file, so that whoever reads it finds the old or the new one, whole. False with a
 * sentence in `error`. */
bool audit_result_store(const char *path, const struct audit_result *result, struct text *error);

/* Reads what was stored. False if there is no such file, or it is none of these. */
bool audit_result_read(const char *path, struct audit_result *result);

#endif
