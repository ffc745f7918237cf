/* From a request to its answer: route, limits, token, body, transaction, idempotency, commit.
 *
 * The order that matters: the handler works inside a transaction; the answer to an Idempotency-Key
 * is stored in that same transaction; then comes the commit; and only when it has succeeded is the
 * answer sent.
 */
#ifndef TILLROLL_API_DISPATCH_H
#define TILLROLL_API_DISPATCH_H

#include "api/call.h"

/* An http_quick_handler: answers what needs no database, and asks the route for a quick way. */
enum http_quick dispatch_quick(void *context, struct http_pending *pending,
                               struct http_request *request, struct arena *arena,
                               struct http_response *response);

/* An http_handler; `context` is the struct service. */
void dispatch(void *context, const struct http_request *request, struct arena *arena,
              struct http_response *response);

/* An http_fetcher: in one read-only snapshot. */
void dispatch_fetch(void *context, const struct http_cold *cold, size_t count);

/* Work of the service itself, without a request and without a caller: a call on `db`, which has no
 * open transaction, that is begun, done, tried again, committed and followed up as those of others
 * are. `work` may set the id of a game in call->id[0]. True if it was committed; false if `work`
 * answered with a problem or the database failed. */
bool dispatch_own(struct service *service, struct db *db, int64_t now_ms,
                  void (*work)(struct call *call, void *context), void *context);

/* What server_config.worked is to call. */
void dispatch_worked(void *context, const struct http_request *request,
                     const struct http_response *response);

#endif
