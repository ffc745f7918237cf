/* The result of the last `tillroll audit`, in a file that a service shows among its figures
 * (api/metrics.h): Prometheus' text format, so that node_exporter's textfile collector can read it
 * as well.
 */
#ifndef TILLROLL_API_AUDIT_RESULT_H
#define TILLROLL_API_AUDIT_RESULT_H

#include "api/exposition.h"

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
