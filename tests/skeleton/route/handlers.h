/* Handlers of this folder's routes (api/routes.c), by the file that holds them. What each takes and
 * answers stands in api/openapi/. */
#ifndef TILLROLL_API_FOLDER_HANDLERS_H
#define TILLROLL_API_FOLDER_HANDLERS_H

#include "api/request/call.h"

#endif
