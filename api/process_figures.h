/* Figures of the process, under the names that Prometheus' own libraries give them. */
#ifndef TILLROLL_API_PROCESS_FIGURES_H
#define TILLROLL_API_PROCESS_FIGURES_H

#include "api/exposition.h"

/* `started_ms`: milliseconds since 1970. */
void process_figures_show(struct exposition *exposition, int64_t started_ms);

#endif
