/* Handlers of this folder's routes (api/routes.c), by the file that holds them. api/openapi/
 * describes their requests and responses. */
#ifndef TILLROLL_API_WORK_HANDLERS_H
#define TILLROLL_API_WORK_HANDLERS_H

#include "api/request/call.h"

/* jobs.c */
void jobs_get(struct call *call);

#endif
