/* Who may do what: the columns access, scope and roles of the table of routes (api/routes.h), and
 * nothing else, decide it. What the table does not allow is refused.
 */
#ifndef TILLROLL_API_ACCESS_H
#define TILLROLL_API_ACCESS_H

#include "api/routes.h"

/* True if the caller, who has been identified, may come in, as things stand in the call's
 * transaction. Otherwise a problem: `missing-scope`, `not-signed-in`, `not-allowed`, `not-a-seat`,
 * `foreign-origin`, or `not-found` for what is not there or must seem so. */
bool access_allowed(struct call *call, const struct route *route);

/* How the columns are written, for people and for tests. NULL past the last. */
const char *access_name(enum route_access access);
const char *scope_name(unsigned bit); /* of 1 << bit */
const char *role_name(unsigned bit);

/* The set as a list of words. */
json_t *scopes_document(unsigned scopes);
json_t *roles_document(unsigned roles);

#endif
