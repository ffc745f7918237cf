#include "api/watch/metrics_listener.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "api/base/listen.h"
#include "api/http/server.h"
#include "api/watch/handlers.h"
#include "db/link/now.h"
#include "db/link/schema.h"
#include "db/link/thread.h"

enum { HEAD_BYTES = 4096, DEADLINE_MS = 2000 };

struct metrics_listener {
    struct metrics_source source;
    int listening;
    int end_event;
    unsigned port;
    bool started;
    pthread_t thread;
};

/* ---- One request. Clients that are slower than DEADLINE_MS, or gone, get no response ---- */

/* Waits until the socket can be read or written. False at `end_ms`. */
static bool wait_for(int socket, short event, int64_t end_ms)
{
    struct pollfd each = {.fd = socket, .events = event};
    int64_t left_ms = end_ms - now_ms(CLOCK_MONOTONIC);
    return left_ms > 0 && poll(&each, 1, (int)left_ms) > 0;
}

static bool read_head(int socket, char head[static HEAD_BYTES], int64_t end_ms)
{
    size_t length = 0;
    head[0] = '\0';
    while (strstr(head, "\r\n\r\n") == NULL) {
        if (length == HEAD_BYTES - 1 || !wait_for(socket, POLLIN, end_ms))
            return false;
        ssize_t more = recv(socket, head + length, HEAD_BYTES - 1 - length, MSG_DONTWAIT);
        if (more <= 0)
            return false;
        length += (size_t)more;
        head[length] = '\0';
    }
    return true;
}

static bool send_all(int socket, struct span bytes, int64_t end_ms)
{
    while (bytes.length > 0) {
        if (!wait_for(socket, POLLOUT, end_ms))
            return false;
        ssize_t sent = send(socket, bytes.at, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0)
            return false;
        bytes.at += sent;
        bytes.length -= (size_t)sent;
    }
    return true;
}

static void answer(int socket, const char *status, struct span body)
{
    char bytes[256];
    struct text head = TEXT_OVER(bytes);
    int64_t end_ms = now_ms(CLOCK_MONOTONIC) + DEADLINE_MS;
    text_add_all(&head, "HTTP/1.1 ", status,
                 "\r\nContent-Type: " EXPOSITION_TYPE "\r\nConnection: close\r\n"
                 "Content-Length: ");
    text_add_number(&head, (int64_t)body.length);
    text_add(&head, "\r\n\r\n");
    if (send_all(socket, text_span(&head), end_ms))
        (void)send_all(socket, body, end_ms);
}

static bool is_metrics_request(const char *head)
{
    static const char *const lines[] = {"GET /metrics HTTP/1.", "GET /metrics?"};
    return strncmp(head, lines[0], strlen(lines[0])) == 0 ||
           strncmp(head, lines[1], strlen(lines[1])) == 0;
}

static void serve(const struct metrics_listener *listener, int socket)
{
    char head[HEAD_BYTES];
    if (!read_head(socket, head, now_ms(CLOCK_MONOTONIC) + DEADLINE_MS))
        return;
    if (!is_metrics_request(head)) {
        answer(socket, "404 Not Found", span_of("There is nothing here but GET /metrics.\n"));
        return;
    }
    struct span page;
    char *bytes = exposition_page(listener->source.show, listener->source.context, &page);
    answer(socket, "200 OK", page);
    free(bytes);
}

/* ---- The thread ---- */

static void *run(void *context)
{
    const struct metrics_listener *listener = context;
    struct pollfd each[] = {{.fd = listener->listening, .events = POLLIN},
                            {.fd = listener->end_event, .events = POLLIN}};
    for (;;) {
        (void)poll(each, 2, -1);
        if (each[1].revents != 0)
            return NULL;
        int socket = accept4(listener->listening, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0)
            continue;
        serve(listener, socket);
        close(socket);
    }
}

struct metrics_listener *metrics_listener_new(const struct metrics_source *source,
                                              const char *address, struct text *error)
{
    struct metrics_listener *listener = must(calloc(1, sizeof *listener));
    listener->source = *source;
    listener->end_event = eventfd(0, EFD_CLOEXEC);
    listener->listening = listen_at(address, &listener->port, error);
    if (listener->listening >= 0 && listener->end_event >= 0)
        listener->started = thread_start(&listener->thread, run, listener);
    if (listener->started)
        return listener;
    if (listener->listening >= 0)
        text_add(error, "The system has no threads or descriptors left for the figures.");
    metrics_listener_free(listener);
    return NULL;
}

bool metrics_listener_open(const struct metrics_source *source, const char *address,
                           struct metrics_listener **listener)
{
    char bytes[256];
    struct text error = TEXT_OVER(bytes);
    *listener = NULL;
    if (address == NULL)
        return true;
    *listener = metrics_listener_new(source, address, &error);
    if (*listener == NULL)
        fprintf(stderr, "tillroll: %s\n", bytes);
    else
        fprintf(stderr, "tillroll: figures at http://%s/metrics, port %u\n", address,
                metrics_listener_port(*listener));
    return *listener != NULL;
}

unsigned metrics_listener_port(const struct metrics_listener *listener)
{
    return listener->port;
}

void metrics_listener_free(struct metrics_listener *listener)
{
    if (listener == NULL)
        return;
    if (listener->started) {
        (void)eventfd_write(listener->end_event, 1);
        pthread_join(listener->thread, NULL);
    }
    if (listener->listening >= 0)
        close(listener->listening);
    if (listener->end_event >= 0)
        close(listener->end_event);
    free(listener);
}

/* ---- Health ---- */

void health_get(struct call *call)
{
    call_answer(call, 200, json_pack("{s:s}", "status", "alive"));
}

/* The first check, that a read-only transaction can begin, has already passed. */
void ready_get(struct call *call)
{
    enum schema_fit fit;
    if (server_is_stopping(call->service->server)) {
        call_problem(call, "unavailable", "The service is about to stop.");
        return;
    }
    if (!call_found(call, schema_fits(call->db, &fit)))
        return;
    if (fit != SCHEMA_GOOD)
        call_problem(call, "unavailable", schema_advice(fit));
    else
        call_answer(call, 200, json_pack("{s:s}", "status", "ready"));
}
