/* From a request to its answer: route, limits, token, body, transaction, idempotency, commit.
 *
 * The order that matters: the handler works inside a transaction; the answer to an Idempotency-Key
 * is stored in that same transaction; then comes the commit; and only when it has succeeded is the
 * answer sent.
 */
#ifndef TILLROLL_API_DISPATCH_H
#define TILLROLL_API_DISPATCH_H

#include "api/request/call.h"

/* An http_quick_handler: answers what needs no database, and asks the route for a quick way. */
enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               struct http_request *request, struct arena *arena,
                               struct http_response *response);

/* An http_handler; `context` is the struct service. */
void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response);

/* Does the work of a job (api/work/jobs.h): what dispatch() does with a request whose route has no
 * step. On the job's thread; `request` and `arena` are the job's own. */
void dispatch_job(struct service *service, struct job *job, const struct http_request *request,
                  struct arena *arena, struct http_response *response);

/* An http_fetcher: in one read-only snapshot. */
void dispatch_fetch(void *context, const struct http_cold *cold, size_t count);

/* What server_config.worked is to call. */
void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response);

#endif
