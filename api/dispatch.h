/* From a request to its answer: route, limits, token, body, transaction, idempotency, commit.
 *
 * The order that matters: the handler works inside a transaction; the answer to an Idempotency-Key
 * is stored in that same transaction; then comes the commit; and only when it has succeeded is the
 * answer sent.
 */
#ifndef TILLROLL_API_DISPATCH_H
#define TILLROLL_API_DISPATCH_H

#include "api/http.h"

/* An http_quick_handler: answers what needs no database, and asks the route for a quick way. */
enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               const struct http_request *request, struct arena *arena,
                               struct http_response *response);

/* An http_handler; `context` is the struct service. */
void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response);

/* What server_config.worked is to call. */
void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response);

#endif
