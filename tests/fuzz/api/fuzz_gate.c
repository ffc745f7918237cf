/* Heads of requests: method, target and version on a line each, then header fields. What the gate
 * lets through goes on to the table of routes and to what reads queries and fields. */
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/http/gate.h"
#include "api/http/head.h"
#include "api/ratings/ratings.h"
#include "api/request/route.h"
#include "tests/fuzz/support.h"

enum { WORD_ROOM = 64, FIELDS_MOST = HTTP_FIELDS_MAX + 2, VALUES_ROOM = 1 << 14 };

struct head {
    char method[WORD_ROOM], version[WORD_ROOM];
    struct span target;
    struct gate_field field[FIELDS_MOST];
    size_t fields;
    char values[VALUES_ROOM]; /* with a NUL behind each */
};

static void read_field(struct head *head, struct span line, size_t *used)
{
    const char *colon = line.length == 0 ? NULL : memchr(line.at, ':', line.length);
    size_t name = colon == NULL ? line.length : (size_t)(colon - line.at);
    struct span value = {line.at + name, 0};
    if (colon != NULL)
        value = (struct span){colon + 1, line.length - name - 1};
    if (*used + value.length + 1 > sizeof head->values)
        return;
    char *at = head->values + *used;
    memcpy(at, value.at, value.length);
    at[value.length] = '\0';
    *used += value.length + 1;
    head->field[head->fields++] = (struct gate_field){{line.at, name}, {at, value.length}};
}

static void read_head(struct head *head, struct fuzz_input *input)
{
    size_t used = 0;
    fuzz_string(fuzz_line(input), head->method, sizeof head->method);
    head->target = fuzz_line(input);
    fuzz_string(fuzz_line(input), head->version, sizeof head->version);
    while (input->left > 0 && head->fields < FIELDS_MOST)
        read_field(head, fuzz_line(input), &used);
}

/* Segments and parameters, put together again, are the target. */
static void check_target(const struct http_request *request, struct span target)
{
    char bytes[HTTP_TARGET_MAX + 2];
    struct text text = TEXT_OVER(bytes);
    for (size_t i = 0; i < request->segments; i++) {
        text_add_char(&text, '/');
        text_add_span(&text, request->segment[i]);
    }
    if (request->segments == 0)
        text_add_char(&text, '/');
    FUZZ_MUST(span_equal(text_span(&text), request->path));
    for (size_t i = 0; i < request->parameters; i++) {
        const struct http_parameter *parameter = &request->parameter[i];
        text_add_char(&text, i == 0 ? '?' : '&');
        text_add_span(&text, parameter->name);
        if (parameter->value.at > parameter->name.at + parameter->name.length)
            text_add_char(&text, '=');
        text_add_span(&text, parameter->value);
    }
    FUZZ_MUST(!text.overflow && text.length <= target.length);
    FUZZ_MUST(memcmp(text.at, target.at, text.length) == 0);
    /* What is left can only be a `?` or `=` without anything behind it. */
    FUZZ_MUST(target.length - text.length <= 1);
}

static void check_parameters(const struct http_request *request)
{
    for (size_t i = 0; i < request->parameters; i++) {
        char name[HTTP_TARGET_MAX + 1];
        fuzz_string(request->parameter[i].name, name, sizeof name);
        struct span value = http_parameter(request, name);
        FUZZ_MUST(value.at != NULL && span_equal(value, request->parameter[i].value));
    }
}

static void check_fields(const struct http_request *request)
{
    static const char *const tags[] = {"\"x\"", "W/\"x\"", "\"0123456789abcdef01234567\""};
    FUZZ_MUST(request->host != NULL && request->body.length <= HTTP_BODY_MAX);
    FUZZ_MUST(!http_client_has(NULL, tags[0]) && http_client_has("*", tags[0]));
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        http_client_has(request->if_none_match, tags[i]);
    http_takes_gzip(request->accept_encoding);
}

static void check_problem(const struct http_response *response)
{
    FUZZ_MUST(response->status >= 400 && response->status < 500 && response->body.length > 0);
}

/* What is asked of events: a stage, a round, a moment, what a step would do. */
static void read_event_query(struct call *call)
{
    static const char *const further[] = {"operands", NULL};
    struct stage_query asked;
    bool preview;
    *call->response = (struct http_response){0};
    if (stage_read_query(call, further, &asked))
        FUZZ_MUST(asked.rounds <= TOURNAMENT_ROUNDS_MAX && asked.stage < SETTINGS_STAGES_MAX);
    else
        check_problem(call->response);
    *call->response = (struct http_response){0};
    if (!event_takes_as_of_only(call))
        check_problem(call->response);
    *call->response = (struct http_response){0};
    if (preview_read(call, &preview))
        FUZZ_MUST(!preview || call->request->parameters == 1);
    else
        check_problem(call->response);
}

static void read_query(struct call *call)
{
    static const char *const further[] = {"scope", NULL};
    struct list_range range;
    struct rating_scope scope;
    if (call_list_range(call, further, &range))
        FUZZ_MUST(range.limit >= 1 && range.limit <= 100);
    else
        check_problem(call->response);
    *call->response = (struct http_response){0};
    if (rating_scope_read(call, true, &scope))
        FUZZ_MUST(scope.name != NULL);
    else
        check_problem(call->response);
    read_event_query(call);
}

static void go_on(const struct http_request *request)
{
    struct arena arena = {0};
    struct http_response response = {0};
    struct call call = {.request = request, .response = &response, .arena = &arena};
    const struct route *route = route_find(&call);
    if (route == NULL)
        check_problem(&response);
    else
        FUZZ_MUST(route->handle != NULL || route->quick != NULL);
    response = (struct http_response){0};
    read_query(&call);
    arena_free(&arena);
}

/* The form of a head does not depend on the pieces in which it comes, and no line of what passes
 * has anything in it that a head must not hold. */
static void check_form(const uint8_t *bytes, size_t size)
{
    struct head_scan whole = {0};
    struct head_scan pieces = {0};
    struct gate_refusal refusal[2] = {{0}, {0}};
    size_t length[2] = {0, 0};
    const char *at = (const char *)bytes;
    enum head_state state = head_scan(&whole, (struct span){at, size}, &length[0], &refusal[0]);
    enum head_state again = HEAD_MORE;
    for (size_t end = 1; end <= size && again == HEAD_MORE; end++)
        again = head_scan(&pieces, (struct span){at, end}, &length[1], &refusal[1]);
    FUZZ_MUST(state == again);
    if (state == HEAD_REFUSED)
        FUZZ_MUST(refusal[0].status >= 400 && refusal[0].code == refusal[1].code);
    if (state != HEAD_WHOLE)
        return;
    FUZZ_MUST(length[0] == length[1] && length[0] <= size && length[0] <= HEAD_MOST);
    FUZZ_MUST(whole.body == pieces.body && memchr(at, '\0', length[0]) == NULL);
    for (size_t i = 0; i < length[0]; i++)
        FUZZ_MUST((at[i] == '\n') == (i > 0 && at[i - 1] == '\r'));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    struct http_request request = {0};
    struct http_request again = {0};
    struct gate_refusal refusal = {0};
    struct head *head = calloc(1, sizeof *head);
    if (head == NULL)
        return 0;
    check_form(bytes, size);
    read_head(head, &input);
    bool good = gate_check(head->method, head->target, head->version, head->field, head->fields,
                           &request, &refusal);
    if (good) {
        check_target(&request, head->target);
        check_parameters(&request);
        check_fields(&request);
        go_on(&request);
    } else {
        FUZZ_MUST(refusal.status >= 400 && refusal.code != NULL && refusal.message != NULL);
    }
    FUZZ_MUST(gate_check(head->method, head->target, head->version, head->field, head->fields,
                         &again, &refusal) == good);
    free(head);
    return 0;
}
