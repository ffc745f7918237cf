/* Creates the parts of the service, and frees them. */
#ifndef TILLROLL_API_SERVICE_PARTS_H
#define TILLROLL_API_SERVICE_PARTS_H

#include "api/config.h"
#include "api/request/service.h"

/* Threads of the server for one kind of request, each with its own connection to the database.
 * FETCHES_AT_ONCE is for games and tokens that moves need. */
enum { FETCHES_AT_ONCE = 2, REPORTS_AT_ONCE = 1, PIECES_AT_ONCE = 2 };

/* Size of the buffer for `error`. */
enum { SERVICE_PARTS_MESSAGE = 1024 };

/* Creates all parts of a zeroed service except its server. Background threads are held back
 * (threads_hold()); the caller releases them. `configuration` is borrowed until
 * service_parts_close(). False with a sentence in `error`; service_parts_close() then frees the
 * parts created so far. */
bool service_parts_open(struct service *service, const struct configuration *configuration,
                        struct text *error);

/* Frees the existing parts of a service, whose server has been freed. If jobs take too long, the
 * process ends with `status` without waiting for them. */
void service_parts_close(struct service *service, int status);

/* Checks the whole configuration for a zeroed service, so that all errors are reported at once, on
 * stderr. False if there are any. Requires service_parts_close() as well. */
bool service_parts_check(struct service *service, const struct configuration *configuration);

#endif
