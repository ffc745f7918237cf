/* A server for tests: answers every request with what it understood of it. Settings are arguments
 * `name=number`. It prints its port when it listens, `stopped` when server_run() has returned, and
 * ends after SIGTERM.
 *
 *      GET  /hello             `hello`, nothing else: for measurements
 *      GET  /descriptors       the number of open files of this process
 *      GET  /wait?ms=N         answers after N milliseconds
 *      GET  /bytes?count=N     N bytes
 *      GET  /pieces?count=N    a long body of N pieces of 100,000 bytes; ms=N: each takes so long
 * to make; fails_at=N: the piece with so many left cannot be made GET  /made, /open       how many
 * pieces were made, how many long bodies are being sent GET  /empty?status=N    an answer that has
 * no body: 204, or 304 for one of 5 bytes GET  /fields            an answer with every optional
 * header field GET  /bad-field         an answer that cannot be sent: a line end in its Location
 *      any other               method, path, query and body as lines of text
 */
#include <assert.h>
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/http/server.h"

struct setting {
    const char *name;
    unsigned value;
};

enum {
    WORKERS,
    QUEUE,
    CONNECTIONS,
    PER_ADDRESS,
    PER_NETWORK,
    HEADER_MS,
    BODY_MS,
    SEND_MS,
    IDLE_MS,
    GRACE_MS,
    LOG,
    PROXY, /* N: 127.0.0.N is trusted; 0 = nobody */
    SETTINGS
};

static unsigned parameter_number(const struct http_request *request, const char *name)
{
    uint64_t number = 0;
    (void)span_number(http_parameter(request, name), 100000000, &number);
    return (unsigned)number;
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    DIR *directory = opendir("/proc/self/fd");
    assert(directory != NULL);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static void wait_ms(unsigned ms)
{
    nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000L}, NULL);
}

static void add_line(struct text *text, const char *name, struct span value)
{
    text_add(text, name);
    text_add(text, " ");
    text_add_span(text, value);
    text_add(text, "\n");
}

static void add_field(struct text *text, const char *name, const char *value)
{
    if (value != NULL)
        add_line(text, name, span_of(value));
}

static struct span echo(const struct http_request *request, struct arena *arena)
{
    size_t capacity = request->body.length + (size_t)16 * 1024;
    struct text text = {arena_take(arena, capacity), 0, capacity, false};
    add_line(&text, "method", span_of(http_method_name(request->method)));
    add_line(&text, "path", request->path);
    for (size_t i = 0; i < request->segments; i++)
        add_line(&text, "segment", request->segment[i]);
    for (size_t i = 0; i < request->parameters; i++) {
        add_line(&text, "parameter", request->parameter[i].name);
        add_line(&text, "value", request->parameter[i].value);
    }
    add_field(&text, "authorization", request->authorization);
    add_field(&text, "content-type", request->content_type);
    text_add(&text, "peer ");
    text_add_hex(&text, request->peer, sizeof request->peer);
    text_add(&text, "\n");
    add_line(&text, "body", request->body);
    assert(!text.overflow);
    return text_span(&text);
}

static void answer_number(struct http_response *response, struct arena *arena, unsigned number)
{
    char digits[24];
    struct text text = TEXT_OVER(digits);
    text_add_number(&text, number);
    response->body = span_of(arena_copy(arena, text_span(&text)));
}

static void answer_bytes(struct http_response *response, struct arena *arena, unsigned count)
{
    char *bytes = arena_take(arena, count + 1);
    memset(bytes, 'b', count);
    response->body = (struct span){bytes, count};
}

/* ---- A long body: `count` pieces of 100,000 bytes `p`, each after an empty one. ---- */

enum { PIECE = 100000 };

static _Atomic unsigned pieces_made;
static _Atomic unsigned pieces_open;

struct long_body {
    struct http_pieces pieces;
    unsigned left, fails_at, ms;
    bool empty;
    char bytes[PIECE];
};

static bool next_piece(struct http_pieces *pieces, struct span *piece, bool *last)
{
    struct long_body *body = (struct long_body *)pieces;
    body->empty = !body->empty;
    if (body->empty)
        return true;
    wait_ms(body->ms);
    *piece = (struct span){body->bytes, sizeof body->bytes};
    *last = --body->left == 0;
    atomic_fetch_add(&pieces_made, 1);
    return body->left + 1 != body->fails_at;
}

static void drop_pieces(struct http_pieces *pieces)
{
    atomic_fetch_sub(&pieces_open, 1);
    free(pieces);
}

static void answer_pieces(struct http_response *response, const struct http_request *request)
{
    struct long_body *body = calloc(1, sizeof *body);
    if (body == NULL)
        abort();
    *body = (struct long_body){.pieces = {next_piece, drop_pieces},
                               .left = parameter_number(request, "count"),
                               .fails_at = parameter_number(request, "fails_at"),
                               .ms = parameter_number(request, "ms")};
    memset(body->bytes, 'p', sizeof body->bytes);
    atomic_fetch_add(&pieces_open, 1);
    response->pieces = &body->pieces;
}

static void answer_empty(struct http_response *response, int status)
{
    response->status = status;
    response->content_type = NULL;
    response->etag = "\"7\"";
    if (status == 304)
        response->body = span_of("seven");
}

static void answer_fields(struct http_response *response)
{
    response->etag = "\"7\"";
    response->location = "/v1/things/7";
    response->allow = "GET, HEAD";
    response->cache_control = "private, max-age=5";
    response->disposition = "attachment; filename=\"seven.roll\"";
    response->retry_after_s = 7;
    response->body = span_of("fields");
}

static void handle(void *context, const struct http_request *request, struct arena *arena,
                   struct http_response *response)
{
    (void)context;
    response->status = 200;
    response->content_type = "text/plain; charset=utf-8";
    if (span_is(request->path, "/hello")) {
        response->body = span_of("hello");
    } else if (span_is(request->path, "/descriptors")) {
        answer_number(response, arena, count_descriptors());
    } else if (span_is(request->path, "/wait")) {
        wait_ms(parameter_number(request, "ms"));
        response->body = span_of("waited");
    } else if (span_is(request->path, "/bytes")) {
        answer_bytes(response, arena, parameter_number(request, "count"));
    } else if (span_is(request->path, "/pieces")) {
        answer_pieces(response, request);
    } else if (span_is(request->path, "/made")) {
        answer_number(response, arena, atomic_load(&pieces_made));
    } else if (span_is(request->path, "/open")) {
        answer_number(response, arena, atomic_load(&pieces_open));
    } else if (span_is(request->path, "/empty")) {
        answer_empty(response, (int)parameter_number(request, "status"));
    } else if (span_is(request->path, "/fields")) {
        answer_fields(response);
    } else if (span_is(request->path, "/bad-field")) {
        response->location = "/there\r\nSet-Cookie: a=b";
    } else {
        response->body = echo(request, arena);
    }
}

static void refuse(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response)
{
    response->status = refusal->status;
    response->content_type = "text/plain; charset=utf-8";
    response->body = span_of(arena_copy(arena, span_of(refusal->code)));
    response->retry_after_s = refusal->status == 503 ? 1 : 0;
}

static void log_line(void *context, const struct http_request *request,
                     const struct http_outcome *outcome)
{
    (void)context;
    printf("log %s %.*s %d %s\n", request->id, (int)request->path.length,
           request->path.length > 0 ? request->path.at : "", outcome->status,
           outcome->duration_us >= 0 ? "took" : "bad");
    (void)fflush(stdout);
}

static struct setting *find_setting(struct setting *settings, struct span name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (span_is(name, settings[i].name))
            return &settings[i];
    return NULL;
}

/* `name=number`. False if it is anything else. */
static bool apply_argument(const char *argument, struct setting *settings)
{
    const char *equals = strchr(argument, '=');
    if (equals == NULL)
        return false;
    struct setting *setting =
        find_setting(settings, (struct span){argument, (size_t)(equals - argument)});
    uint64_t number;
    if (setting == NULL || !span_number(span_of(equals + 1), UINT32_MAX, &number))
        return false;
    setting->value = (unsigned)number;
    return true;
}

int main(int count, char **argument)
{
    struct setting set[SETTINGS] = {
        [WORKERS] = {"workers", 4},
        [QUEUE] = {"queue", 1000},
        [CONNECTIONS] = {"connections", 1000},
        [PER_ADDRESS] = {"per_address", 1000},
        [PER_NETWORK] = {"per_network", 1000},
        [HEADER_MS] = {"header_ms", 5000},
        [BODY_MS] = {"body_ms", 10000},
        [SEND_MS] = {"send_ms", 10000},
        [IDLE_MS] = {"idle_ms", 30000},
        [GRACE_MS] = {"grace_ms", 5000},
        [LOG] = {"log", 0},
        [PROXY] = {"proxy", 0},
    };
    for (int i = 1; i < count; i++) {
        if (!apply_argument(argument[i], set)) {
            fprintf(stderr, "bad argument %s\n", argument[i]);
            return 2;
        }
    }
    const uint8_t proxy[16] = {[10] = 0xff, 0xff, 127, 0, 0, (uint8_t)set[PROXY].value};
    struct server_config config = {
        .address = "127.0.0.1:0",
        .workers = set[WORKERS].value,
        .queue_max = set[QUEUE].value,
        .piece_workers = 1,
        .connections_max = set[CONNECTIONS].value,
        .connections_per_address_max = set[PER_ADDRESS].value,
        .connections_per_network_max = set[PER_NETWORK].value,
        .trusted_proxy = set[PROXY].value != 0 ? proxy : NULL,
        .header_deadline_ms = set[HEADER_MS].value,
        .body_deadline_ms = set[BODY_MS].value,
        .send_deadline_ms = set[SEND_MS].value,
        .idle_ms = set[IDLE_MS].value,
        .handler = handle,
        .refuse = refuse,
        .log = set[LOG].value != 0 ? log_line : NULL,
    };
    char message[256];
    struct text error = TEXT_OVER(message);
    struct server *server = server_new(&config, &error);
    if (server == NULL) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    printf("port %u\n", server_port(server));
    (void)fflush(stdout);
    server_run(server, 0, set[GRACE_MS].value);
    printf("stopped\n");
    (void)fflush(stdout);
    server_free(server);
    return 0;
}
