#include "api/tables/tlog_documents.h"

#include "api/event/tlog_leaves.h"
#include "api/tables/handlers.h"
#include "db/store/events/events.h"

static bool add_event_log(struct call *call, const struct id *event)
{
    enum { STEPS_MOST = 100000 };
    struct event_step *steps;
    size_t count;
    size_t length = 1;
    if (!call_found(call, event_log_list(call->db, call->arena, event, 0, NULL, STEPS_MOST, &steps,
                                         &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        length += tlog_step_length(&steps[i]);
    struct text text = {arena_take(call->arena, length), 0, length, false};
    for (size_t i = 0; i < count; i++)
        tlog_print_step(&steps[i], &text);
    return tlog_add_document(call, TLOG_EVENT_LOG, span_of(event->text), text_span(&text));
}

/* Reads the response to GET .../standings without parameters; its status is in `response`. */
static void read_standings(struct call *call, const struct id *event,
                           struct http_response *response)
{
    struct http_request request = {.method = HTTP_GET};
    struct call reader = *call;
    reader.request = &request;
    reader.response = response;
    reader.id[0] = *event;
    reader.body = NULL;
    standings_get(&reader);
    call->retry = reader.retry;
}

bool tlog_add_round_standings(struct call *call, const struct id *event, unsigned round)
{
    struct http_response response = {.status = 0};
    const char *const scope[] = {event->text, "/round/", call_digits(call, round), NULL};
    read_standings(call, event, &response);
    if (call->retry)
        return call_problem(call, "internal-error", "The standings could not be made.");
    return response.status != 200 ||
           tlog_add_document(call, TLOG_STANDINGS, span_of(call_strings(call, scope)),
                             response.body);
}

static bool add_standings(struct call *call, const struct id *event)
{
    struct http_response response = {.status = 0};
    read_standings(call, event, &response);
    if (response.status == 200)
        return tlog_add_document(call, TLOG_STANDINGS, span_of(event->text), response.body);
    return call_problem(call, "internal-error", "The final standings could not be made.");
}

bool tlog_add_closed_event(struct call *call, const struct id *event)
{
    return add_event_log(call, event) && add_standings(call, event);
}

bool tlog_add_cancelled_event(struct call *call, const struct id *event)
{
    return add_event_log(call, event);
}
