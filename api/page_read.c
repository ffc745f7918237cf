#include "api/page_read.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/gate.h"
#include "api/routes.h"
#include "api/shared_reads.h"

/* A request like the page's own, but for the target, and by nobody. */
static bool make_request(struct call *call, struct span target, struct http_request *request)
{
    const struct http_request *own = call->request;
    const struct gate_field host = {span_of("Host"), span_of(own->host)};
    struct gate_refusal refusal;
    if (!gate_check("GET", target, "HTTP/1.1", &host, 1, request, &refusal))
        return call_problem(call, "bad-parameter", refusal.message);
    memcpy(request->peer, own->peer, sizeof request->peer);
    memcpy(request->id, own->id, sizeof request->id);
    request->received_ms = own->received_ms;
    request->limited = true; /* the page is what is counted */
    return true;
}

static const json_t *parse(struct call *call, struct span body)
{
    json_t *document = json_loadb(body.at, body.length, 0, NULL);
    if (call->documents == NULL)
        call->documents = json_array();
    if (document == NULL)
        call_problem(call, "internal-error", "The page could not be made.");
    else
        json_array_append_new(call->documents, document);
    return document;
}

/* Large ones are only for making the page. */
static void keep(struct call *call, const struct route *route)
{
    enum { WORTH_KEEPING = 256 * 1024 };
    if (call->response->body.length <= WORTH_KEEPING)
        shared_reads_keep(call, route, call->clock);
    shared_answer_drop(call->response->shared);
}

static const json_t *make(struct call *call, struct call *own, const struct route *route)
{
    route->handle(own);
    json_decref(own->body);
    call->retry = own->retry;
    if (own->response->status != 200) {
        *call->response = *own->response;
        return NULL;
    }
    const json_t *document = parse(call, own->response->body);
    keep(own, route);
    return document;
}

static const json_t *read_target(struct call *call, struct span target)
{
    struct http_request request = {.host = NULL};
    struct http_response response = {.status = 0};
    struct call own = {.service = call->service,
                       .request = &request,
                       .response = &response,
                       .arena = call->arena,
                       .db = call->db,
                       .now_ms = call->now_ms,
                       .clock = call->clock};
    if (!make_request(call, target, &request))
        return NULL;
    const struct route *route = own.route = route_find(&own);
    assert(route != NULL && route->work != WORK_WRITE && route->work != WORK_OWN);
    struct shared_answer *kept = shared_reads_find(call->service->reads, route, &request);
    if (kept == NULL)
        return make(call, &own, route);
    const json_t *document = parse(call, shared_answer_body(kept));
    shared_answer_drop(kept);
    return document;
}

const json_t *page_read(struct call *call, const char *target, ...)
{
    enum { CAPACITY = 2 * HTTP_TARGET_MAX };
    char *bytes = arena_take(call->arena, CAPACITY);
    va_list values;
    va_start(values, target);
    int length = vsnprintf(bytes, CAPACITY, target, values);
    va_end(values);
    assert(length > 0 && length < CAPACITY);
    return read_target(call, (struct span){bytes, (size_t)length});
}
