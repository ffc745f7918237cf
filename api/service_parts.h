/* Makes the service of its parts, and takes it apart. */
#ifndef TILLROLL_API_SERVICE_PARTS_H
#define TILLROLL_API_SERVICE_PARTS_H

#include "api/config.h"
#include "api/request/service.h"

/* Threads of the server that work on one kind of request, each with a connection of its own to the
 * database. FETCHES_AT_ONCE: what moves need of games and tokens. */
enum { FETCHES_AT_ONCE = 2, REPORTS_AT_ONCE = 1, PIECES_AT_ONCE = 2 };

/* Room for what these say in `error`. */
enum { SERVICE_PARTS_MESSAGE = 1024 };

/* Makes all parts of a zeroed service but its server. Threads of the background are held
 * (threads_hold()); the caller releases them. `configuration` is borrowed until
 * service_parts_close(). False with a sentence in `error`; what was made by then is taken apart by
 * service_parts_close(). */
bool service_parts_open(struct service *service, const struct configuration *configuration,
                        struct text *error);

/* Takes apart what there is of a service, whose server is gone. Steps that take too long are given
 * up: that is, the process ends under them, with `status`. */
void service_parts_close(struct service *service, int status);

/* Tries everything in the configuration for a zeroed service, so that all that is wrong is said at
 * once, on stderr. False if anything is. To be closed as well. */
bool service_parts_check(struct service *service, const struct configuration *configuration);

#endif
