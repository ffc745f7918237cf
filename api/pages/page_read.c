#include "api/pages/page_read.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/http/gate.h"
#include "api/request/route.h"
#include "api/work/shared_responses.h"

/* Copies the page's request with another target, without signing in. */
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
    request->limited = true; /* only the page counts against the limit */
    return true;
}

/* Keeps the document until the call ends. */
static const json_t *keep_document(struct call *call, json_t *document)
{
    if (call->documents == NULL)
        call->documents = json_array();
    if (document == NULL)
        call_problem(call, "internal-error", "The page could not be rendered.");
    else
        json_array_append_new(call->documents, document);
    return document;
}

static const json_t *parse(struct call *call, struct span body)
{
    return keep_document(call, json_loadb(body.at, body.length, 0, NULL));
}

static const json_t *make(struct call *call, struct call *own, const struct route *route)
{
    struct call_reading reading = {.bytes_max = (size_t)256 * 1024}; /* maximum size to cache */
    own->reading = &reading;
    route->handle(own);
    own->reading = NULL;
    json_decref(own->body);
    call->retry = own->retry;
    if (own->response->status != 200) {
        json_decref(reading.document);
        *call->response = *own->response;
        return NULL;
    }
    const json_t *document = reading.document == NULL ? parse(call, own->response->body)
                                                      : keep_document(call, reading.document);
    if (own->response->body.length > 0)
        shared_responses_keep(own, route, own->clock);
    shared_answer_drop(own->response->shared);
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
    struct shared_answer *kept = shared_responses_find(call->service->reads, route, &request);
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
