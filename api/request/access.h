/* Who may do what: the columns access, scope, roles and office of the table of routes
 * (api/request/route.h), and nothing else, decide it. What the table does not allow is refused.
 */
#ifndef TILLROLL_API_REQUEST_ACCESS_H
#define TILLROLL_API_REQUEST_ACCESS_H

#include "api/request/route.h"

/* True if the caller, who has been identified, may come in, as things stand in the call's
 * transaction. Otherwise a problem: `missing-scope`, `not-signed-in`, `not-allowed`, `not-a-seat`,
 * `foreign-origin`, those of api/request/impartial.h, or `not-found` for what is not there or must
 * seem so.
 */
bool access_allowed(struct call *call, const struct route *route);

/* How the columns are written, for people and for tests. NULL past the last. */
const char *access_name(enum route_access access);
const char *office_name(enum route_office office); /* "" for none */
const char *scope_name(unsigned bit);              /* of 1 << bit */
const char *role_name(unsigned bit);

/* The set as a list of words. */
json_t *scopes_document(unsigned scopes);
json_t *roles_document(unsigned roles);

#endif
