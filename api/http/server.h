/* The HTTP server: one loop thread with its own epoll around libmicrohttpd, and workers that answer
 * requests which cannot be answered from memory.
 *
 *      socket ──> libmicrohttpd ──> gate ──> body ──> quick handler ──> response
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
    unsigned workers;          /* threads that answer requests, 1 .. 64 */
    unsigned queue_max;        /* requests that may wait for a worker; beyond: 503 */
    unsigned password_workers; /* threads for QUICK_SLOW; 0 = `workers` do that as well */
    unsigned password_queue_max;
    unsigned step_workers; /* threads for QUICK_STEP; likewise */
    unsigned step_queue_max;
    unsigned report_workers;   /* threads for http_request.costly; likewise */
    unsigned report_queue_max; /* half of it for requests without a token */
    unsigned piece_workers;    /* threads for pieces of long bodies; 0 = no response has any */
    unsigned fetch_workers;    /* threads for QUICK_COLD; 0 = `handler` answers at once */
    unsigned fetch_queue_max;
    unsigned connections_max;             /* limit of open connections */
    unsigned connections_per_address_max; /* for an address as in http_peer(); not for the proxy */
    unsigned connections_per_network_max; /* for a network as in peers_network(); likewise */
    /* The address of a proxy, 16 bytes as http_address() makes them, or NULL: requests from there
     * are attributed to the client that http_forwarded_peer() finds, if any. Copied. */
    const uint8_t *trusted_proxy;
    unsigned header_deadline_ms; /* from the beginning to the end of a request's head */
    unsigned body_deadline_ms;   /* from there to the end of the body */
    unsigned send_deadline_ms;   /* from the response's first byte to its last */
    /* limit for a kept-alive connection without a request, and for any silence while a request is
     * read or answered; counted in whole seconds, rounded up */
    unsigned idle_ms;
    struct broadcasts *broadcasts; /* read by streams; NULL = no response is a stream */
    struct sse_writer_config streams;
    http_handler *handler;
    http_quick_handler *quick; /* called before a worker; NULL = every request needs a worker */
    http_fetcher *fetch;       /* run by fetch_workers; NULL if there are none */
    void *context;
    /* Turns a refusal of the gate or the server (503, or 500 for a response that cannot be sent)
     * into a response. Called on the loop thread; must not block. After a missed deadline there is
     * no response: the connection is closed. */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response);
    /* Called once per answered request on the loop thread, when the response has been sent or the
     * client has gone, for the log; may be NULL. For a refused request only id, peer and
     * received_ms are certain; parts that the gate had not reached are zero (path.length 0 = path
     * and method unknown). */
    void (*log)(void *context, const struct http_request *request,
                const struct http_outcome *outcome);
    /* Called when a worker has finished a request, before the response is sent, and for a request
     * that the quick handler left to a worker but that was refused instead. Loop thread; must not
     * block; may be NULL. */
    void (*worked)(void *context, const struct http_request *request,
                   const struct http_response *response);
    /* Called at the end of every turn of the loop, which may have handled many requests, to pass on
     * the work that they have gathered. Loop thread; must not block; may be NULL. */
    void (*turned)(void *context);
};

struct server;

/* Binds and listens. NULL with a sentence in `error`. SIGINT and SIGTERM are blocked in the calling
 * thread from here to server_free(): call it before creating other threads, and call server_new(),
 * server_run() and server_free() on one thread. `config` is copied, but not what it points to; its
 * address is only read here. */
struct server *server_new(const struct server_config *config, struct text *error);

/* The port on which the server listens. */
unsigned server_port(const struct server *server);

/* Lets the loop call `ready(context)` whenever `fd` is readable; `ready` must consume whatever
 * makes it readable. At most SERVER_WATCHES descriptors, before server_run(). False if there is no
 * room. */
enum { SERVER_WATCHES = 24 };
bool server_watch(struct server *server, int fd, void (*ready)(void *context), void *context);

/* Sends the response of a request that was answered with QUICK_LATER; the response that the quick
 * handler was given is now complete. Loop thread. */
void server_answer(struct http_pending *pending);

/* Leaves such a request to a worker after all. False if too many already wait for one: then the
 * request is refused. Loop thread. */
bool server_pass_on(struct http_pending *pending);

/* Serves until server_stop() is called or SIGINT or SIGTERM arrives. Then goes on for `drain_ms`,
 * so that load balancers and proxies can notice it (server_is_stopping()) and send requests
 * elsewhere; a second signal cuts that short. From the start of the drain each response ends its
 * connection: a proxy that keeps idle connections for less than `drain_ms` has none left
 * afterwards, and no connection is closed with a request under way. Finally stops accepting, lets
 * running requests and those that arrive within a quarter of a second finish (at most `grace_ms`),
 * closes idle connections, and returns. */
void server_run(struct server *server, unsigned drain_ms, unsigned grace_ms);

/* True once the server was asked to stop. Any thread. */
bool server_is_stopping(const struct server *server);

/* Counters and gauges; counters count from the start. */
enum { SERVER_POOLS = 6 };
struct server_figures {
    uint64_t connections, connections_most, connections_taken;
    uint64_t connections_refused;   /* because of a limit: per address, per network or in total */
    uint64_t connections_late;      /* ended because a deadline had passed */
    uint64_t connections_displaced; /* ended to make room for others */
    uint64_t streams, streams_begun;
    uint64_t streams_stalled; /* cut off because their clients read nothing */
    uint64_t streams_behind;  /* cut off because they were too far behind */
    struct {
        const char *name;         /* NULL = there are no such threads */
        unsigned open, open_most; /* requests in work or waiting, and the limit */
    } pool[SERVER_POOLS];
    int64_t loop_cpu_us; /* processor time used by the loop */
};

/* Any thread, while the loop runs or before; the values need not be of one moment. */
void server_figures(const struct server *server, struct server_figures *figures);

/* May be called from any thread and from a signal handler. */
void server_stop(struct server *server);

/* Waits for running handlers; requests that wait for a worker get 503. */
void server_free(struct server *server);

#endif
