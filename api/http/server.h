/* The HTTP server: one loop thread with its own epoll around libmicrohttpd, and workers that
 * answer what cannot be answered from memory.
 *
 *      socket ──> libmicrohttpd ──> gate ──> body ──> quick handler ──> answer
 *                       ▲                                  │
 *                       │                                 hold ──> queue ──> worker: handler
 *                       │                                                        │
 *                       └─────────── wake <── eventfd <── done list <────────────┘
 *
 * The loop thread owns every connection; a worker gets a request and an arena, nothing of HTTP.
 */
#ifndef TILLROLL_API_HTTP_SERVER_H
#define TILLROLL_API_HTTP_SERVER_H

#include "api/http/gate.h"
#include "api/http/http.h"
#include "api/http/sse_writer.h"

struct server_config {
    const char *address;       /* `127.0.0.1:8080` or `[::1]:8080`; port 0 = any free one */
    unsigned workers;          /* threads that answer, 1 .. 64 */
    unsigned queue_max;        /* requests that may wait for a worker; beyond: 503 */
    unsigned password_workers; /* threads for QUICK_SLOW; 0 = the others do that as well */
    unsigned password_queue_max;
    unsigned step_workers; /* threads for QUICK_STEP; likewise */
    unsigned step_queue_max;
    unsigned report_workers;   /* threads for http_request.costly; likewise */
    unsigned report_queue_max; /* half of it for requests without a token */
    unsigned piece_workers;    /* threads for pieces of long bodies; 0 = no answer has any */
    unsigned fetch_workers;    /* threads for QUICK_COLD; 0 = the handler answers at once */
    unsigned fetch_queue_max;
    unsigned connections_max;             /* open connections */
    unsigned connections_per_address_max; /* an address as in http_peer(); the proxy is exempt */
    unsigned connections_per_network_max; /* a network as in peers_network(); likewise */
    /* The address of a proxy, 16 bytes as http_address() makes them, or NULL: requests from there
     * are attributed to the client that http_forwarded_peer() finds, if any. Copied. */
    const uint8_t *trusted_proxy;
    unsigned header_deadline_ms; /* from its beginning to the end of a request's head */
    unsigned body_deadline_ms;   /* from there to the end of its body */
    unsigned send_deadline_ms;   /* from the answer's first byte to its last */
    /* a kept-alive connection without a request, and any silence while one is read or answered;
     * counted in whole seconds, rounded up */
    unsigned idle_ms;
    struct broadcasts *broadcasts; /* what streams read; NULL = no answer is a stream */
    struct sse_writer_config streams;
    http_handler *handler;
    http_quick_handler *quick; /* called before a worker; NULL = every request needs a worker */
    http_fetcher *fetch;       /* what fetch_workers do; NULL if there are none */
    void *context;
    /* Turns a refusal of the gate or the server (503, or 500 for an answer that cannot be sent)
     * into an answer. Called on the loop thread; must not block. A deadline that has passed gets no
     * answer, the connection is closed. */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response);
    /* Called once per answered request on the loop thread, when the answer has been sent or the
     * client has gone, for the log; may be NULL. Of a refused request only id, peer and received_ms
     * are certain; the rest is zero where the gate had not reached it (path.length 0 = unknown, and
     * the method then as well). */
    void (*log)(void *context, const struct http_request *request,
                const struct http_outcome *outcome);
    /* Called when a worker is done with a request, before the answer is sent, and for a request
     * that the quick handler left to a worker and that was refused instead. Loop thread; must not
     * block; may be NULL. */
    void (*worked)(void *context, const struct http_request *request,
                   const struct http_response *response);
    /* Called at the end of every turn of the loop, which may have handled many requests: passes on
     * what was gathered in it. Loop thread; must not block; may be NULL. */
    void (*turned)(void *context);
};

struct server;

/* Binds and listens. NULL with a sentence in `error`. SIGINT and SIGTERM are blocked in the calling
 * thread from here to server_free(): call it before other threads are made, and call server_new(),
 * server_run() and server_free() on one thread. `config` is copied, but not what it points to; its
 * address is read here only. */
struct server *server_new(const struct server_config *config, struct text *error);

/* The port that is listened on. */
unsigned server_port(const struct server *server);

/* Lets the loop call `ready(context)` whenever `fd` is readable; `ready` must consume what makes it
 * so. At most SERVER_WATCHES, before server_run(). False if there is no room. */
enum { SERVER_WATCHES = 24 };
bool server_watch(struct server *server, int fd, void (*ready)(void *context), void *context);

/* For a request that was answered with QUICK_LATER: its response, which the quick handler was
 * given, is complete now. Loop thread. */
void server_answer(struct http_pending *pending);

/* The same, where a worker has to answer it after all. False if too many already wait for one: then
 * it is refused. Loop thread. */
bool server_pass_on(struct http_pending *pending);

/* Serves until server_stop() is called or SIGINT or SIGTERM arrives. Then goes on for `drain_ms`,
 * so that senders of requests can notice it (server_is_stopping()) and send them elsewhere; a
 * second signal cuts that short. From the start of the drain each answer ends its connection: a
 * proxy that keeps idle ones for less than `drain_ms` has none left afterwards, and no request is
 * under way on a connection that is closed. Finally stops accepting, lets the requests at work and
 * those that arrive within a quarter of a second finish (at most `grace_ms`), closes idle
 * connections, and returns. */
void server_run(struct server *server, unsigned drain_ms, unsigned grace_ms);

/* True once it was asked to stop. Any thread. */
bool server_is_stopping(const struct server *server);

/* Counters and gauges; the counts are since the start. */
enum { SERVER_POOLS = 6 };
struct server_figures {
    uint64_t connections, connections_most, connections_taken;
    uint64_t connections_refused;   /* for want of room, for their address or at all */
    uint64_t connections_late;      /* ended because they were over a deadline, */
    uint64_t connections_displaced; /* and to make room for others */
    uint64_t streams, streams_begun;
    uint64_t streams_stalled; /* cut off because their clients read nothing, */
    uint64_t streams_behind;  /* and because they were too far behind */
    struct {
        const char *name;         /* NULL = there are no such threads */
        unsigned open, open_most; /* requests in work or waiting, and the limit */
    } pool[SERVER_POOLS];
    int64_t loop_cpu_us; /* processor time used by the loop */
};

/* Any thread, while the loop runs or before; not all as of one moment. */
void server_figures(const struct server *server, struct server_figures *figures);

/* May be called from any thread and from a signal handler. */
void server_stop(struct server *server);

/* Waits for handlers that still run; requests that wait for a worker get 503. */
void server_free(struct server *server);

#endif
