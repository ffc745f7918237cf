/* The HTTP server: one loop thread with its own epoll around libmicrohttpd, and workers that
 * answer.
 *
 *      socket ──> libmicrohttpd ──> gate ──> body ──> suspend ──> queue ──> worker: handler
 *                       ▲                                                        │
 *                       └────────── resume <── eventfd <── done list <───────────┘
 *
 * The loop thread owns every connection; a worker sees a request and an arena, nothing of HTTP.
 */
#ifndef TILLROLL_API_SERVER_H
#define TILLROLL_API_SERVER_H

#include "api/gate.h"
#include "api/http.h"

struct server_config {
    const char *address;      /* `127.0.0.1:8080` or `[::1]:8080`; port 0 = any free one */
    unsigned workers;         /* threads that answer, 1 .. 64 */
    unsigned queue_max;       /* requests that may wait for a worker; beyond: 503 */
    unsigned connections_max; /* open connections */
    unsigned connections_per_address_max;
    unsigned header_deadline_ms; /* from the first moment to the end of a request's head */
    unsigned body_deadline_ms;   /* from there to the end of its body */
    unsigned send_deadline_ms;   /* from the answer's first byte to its last */
    unsigned idle_ms;            /* a kept-alive connection without a request */
    http_handler *handler;
    void *context;
    /* Turns a refusal of the gate or the server (503, deadline) into an answer. Called on the loop
     * thread; must not block. */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response);
    /* Called once per answered request on the loop thread, for the log; may be NULL. */
    void (*log)(void *context, const struct http_request *request, int status, int64_t duration_us);
};

struct server;

/* Binds and listens. NULL with a sentence in `error`. */
struct server *server_new(const struct server_config *config, struct text *error);

/* The port that is listened on. */
unsigned server_port(const struct server *server);

/* Serves until server_stop() is called or SIGINT or SIGTERM arrives, then stops accepting, lets the
 * requests at work finish (at most `grace_ms`), and returns. */
void server_run(struct server *server, unsigned grace_ms);

/* May be called from any thread and from a signal handler. */
void server_stop(struct server *server);

void server_free(struct server *server);

#endif
