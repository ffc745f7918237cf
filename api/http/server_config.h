/* What a server (api/http/server.h) is started with: its limits and deadlines, and the functions
 * that answer requests. */
#ifndef TILLROLL_API_HTTP_SERVER_CONFIG_H
#define TILLROLL_API_HTTP_SERVER_CONFIG_H

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

#endif
