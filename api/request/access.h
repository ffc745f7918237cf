/* Permissions: the columns access, scope, roles and office of the table of routes
 * (api/request/route.h), and nothing else, decide what a caller may do. Whatever the table does not
 * allow is refused. */
#ifndef TILLROLL_API_REQUEST_ACCESS_H
#define TILLROLL_API_REQUEST_ACCESS_H

#include "api/request/route.h"

/* True if the caller, who has been identified, may use the route, according to the data in the
 * call's transaction. Otherwise a problem: `missing-scope`, `not-signed-in`, `not-allowed`,
 * `not-a-seat`, `foreign-origin`, the codes of api/request/impartial.h, or `not-found` for a
 * subject that does not exist or must seem not to exist.
 */
bool access_allowed(struct call *call, const struct route *route);

/* The names of the columns' values, for people and for tests. */
const char *access_name(enum route_access access);
const char *office_name(enum route_office office); /* "" for none */

#endif
