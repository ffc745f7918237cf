/* The HTTP server: one loop thread with its own epoll around libmicrohttpd, and workers that
 * answer what cannot be answered from memory.
 *
 *      socket ──> libmicrohttpd ──> gate ──> body ──> quick handler ──> answer
 *                       ▲                                  │
 *                       │                                 hold ──> queue ──> worker: handler
 *                       │                                                        │
 *                       └─────────── wake <── eventfd <── done list <────────────┘
 *
 * The loop thread owns every connection; a worker sees a request and an arena, nothing of HTTP.
 */
#ifndef TILLROLL_API_SERVER_H
#define TILLROLL_API_SERVER_H

#include "api/flow.h"
#include "api/gate.h"
#include "api/http.h"

struct server_config {
    const char *address;   /* `127.0.0.1:8080` or `[::1]:8080`; port 0 = any free one */
    unsigned workers;      /* threads that answer, 1 .. 64 */
    unsigned queue_max;    /* requests that may wait for a worker; beyond: 503 */
    unsigned slow_workers; /* threads for QUICK_SLOW; 0 = the others do that as well */
    unsigned slow_queue_max;
    unsigned fetch_workers; /* threads for QUICK_COLD; 0 = the handler answers at once */
    unsigned fetch_queue_max;
    unsigned connections_max;             /* open connections */
    unsigned connections_per_address_max; /* of what http_peer() takes for one; not for the proxy */
    /* The address of a proxy, 16 bytes as http_address() makes them, or NULL: requests from there
     * count for the client that http_forwarded_peer() finds, where it finds one. Copied. */
    const uint8_t *trusted_proxy;
    unsigned header_deadline_ms; /* from the first moment to the end of a request's head */
    unsigned body_deadline_ms;   /* from there to the end of its body */
    unsigned send_deadline_ms;   /* from the answer's first byte to its last */
    /* a kept-alive connection without a request, and any silence while one is read or answered;
     * counted in whole seconds, rounded up */
    unsigned idle_ms;
    struct feeds *feeds; /* what streams read; NULL = no answer is a stream */
    struct flow_config streams;
    http_handler *handler;
    http_quick_handler *quick; /* asked before a worker is; NULL = every request needs a worker */
    http_fetcher *fetch;       /* what fetch_workers do; NULL if there are none */
    void *context;
    /* Turns a refusal of the gate or the server (503, or 500 for an answer that cannot be sent)
     * into an answer. Called on the loop thread; must not block. A deadline that has passed gets no
     * answer, the connection is closed; nor does what libmicrohttpd itself refuses (a request line
     * that it cannot read, a head that does not fit into its memory of 10 KiB a connection) come
     * here: it sends a page of its own, or just closes. */
    void (*refuse)(const struct gate_refusal *refusal, struct arena *arena,
                   struct http_response *response);
    /* Called once per answered request on the loop thread, when the answer has been sent or the
     * client has gone, for the log; may be NULL. Of a refused request only id, peer and
     * received_ms are sure; the rest is zero where the gate had not come to it (path.length 0 =
     * unknown, and the method then as well). */
    void (*log)(void *context, const struct http_request *request,
                const struct http_outcome *outcome);
    /* Called when a worker is done with a request, before the answer is sent, and for one that the
     * quick handler wanted a worker for and that was refused instead. Loop thread; must not block;
     * may be NULL. */
    void (*worked)(void *context, const struct http_request *request,
                   const struct http_response *response);
    /* Called at the end of every turn of the loop, which may have handled many requests: hands on
     * what was gathered in it. Loop thread; must not block; may be NULL. */
    void (*turned)(void *context);
};

struct server;

/* Binds and listens. NULL with a sentence in `error`. SIGINT and SIGTERM are blocked in the calling
 * thread from here to server_free(): call it before other threads are made, and these three
 * functions on one thread. `config` is copied, what it points to is not, and its address is read
 * here only. */
struct server *server_new(const struct server_config *config, struct text *error);

/* The port that is listened on. */
unsigned server_port(const struct server *server);

/* Lets the loop call `ready(context)` whenever `fd` is readable; `ready` must take away what makes
 * it so. At most SERVER_WATCHES, before server_run(). False if there is no room. */
enum { SERVER_WATCHES = 8 };
bool server_watch(struct server *server, int fd, void (*ready)(void *context), void *context);

/* For a request that was answered with QUICK_LATER: its response, which the quick handler was
 * given, is complete now. Loop thread. */
void server_answer(struct http_pending *pending);

/* The same, where a worker has to answer it after all. False if too many wait for one already: then
 * it is refused. Loop thread. */
bool server_pass_on(struct http_pending *pending);

/* Serves until server_stop() is called or SIGINT or SIGTERM arrives. Goes on for `drain_ms`, so
 * that whoever sends requests here hears of it (server_is_stopping()) and sends them elsewhere; a
 * second signal cuts that short. From the beginning each answer ends its connection: a proxy that
 * keeps idle ones for less than `drain_ms` has none left afterwards, and no request is under way on
 * one that is closed. Then stops accepting, lets the requests at work and those that arrive within
 * a quarter of a second finish (at most `grace_ms`), closes idle connections, and returns. */
void server_run(struct server *server, unsigned drain_ms, unsigned grace_ms);

/* True since it was asked to stop. Any thread. */
bool server_is_stopping(const struct server *server);

/* What is counted here; the counts are since the start. */
enum { SERVER_POOLS = 3 };
struct server_figures {
    uint64_t connections, connections_most, connections_taken;
    uint64_t connections_refused; /* for which there was no room, of their address or at all */
    uint64_t connections_late;    /* that were ended because they were over a deadline */
    uint64_t streams, streams_begun;
    uint64_t streams_stalled; /* that were cut off because their readers took nothing, */
    uint64_t streams_behind;  /* and because they were too far behind */
    struct {
        const char *name;         /* NULL = there are no such threads */
        unsigned open, open_most; /* requests that are worked at or wait, and how many may */
    } pool[SERVER_POOLS];
    int64_t loop_cpu_us; /* time that the loop has used of a processor */
};

/* Any thread, while the loop runs or before; not all as of one moment. */
void server_figures(const struct server *server, struct server_figures *figures);

/* May be called from any thread and from a signal handler. */
void server_stop(struct server *server);

/* Waits for handlers that still run; requests that wait for a worker get 503. */
void server_free(struct server *server);

#endif
