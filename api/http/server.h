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

#include "api/http/server_config.h"

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
