/* Answers requests: route, limits, token, body, transaction, idempotency, commit.
 *
 * The order matters: the handler works inside a transaction; the response for an Idempotency-Key is
 * stored in that same transaction; then the transaction is committed; and only after a successful
 * commit is the response sent.
 */
#ifndef TILLROLL_API_DISPATCH_H
#define TILLROLL_API_DISPATCH_H

#include "api/request/call.h"

/* An http_quick_handler: answers requests that need no database, and tries the route's quick
 * handler. */
enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               struct http_request *request, struct arena *arena,
                               struct http_response *response);

/* An http_handler; `context` is the struct service. */
void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response);

/* Does the work of a job (api/work/jobs.h) like dispatch() for a request whose route has no step.
 * On the job's thread; `request` and `arena` are the job's own. */
void dispatch_job(struct service *service, struct job *job, const struct http_request *request,
                  struct arena *arena, struct http_response *response);

/* An http_fetcher: fetches in one read-only snapshot. */
void dispatch_fetch(void *context, const struct http_cold *cold, size_t count);

/* For server_config.worked. */
void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response);

#endif
