/* Exchanges, each one request and its response: everything between a connection
 * (api/http/connections.h) and the handler. The server (api/http/server.c) owns the loop and calls
 * these functions; libmicrohttpd calls the functions that traffic_options() passes to it. Loop
 * thread only.
 *
 * While a request is at work its connection is held: libmicrohttpd is told that there is no
 * response yet, and calls again in each of its runs. Suspending and resuming the connection would
 * cost two changes of an epoll and a futile read, a tenth of the loop's time. A request that takes
 * longer than a moment, or comes when many are held, is suspended after all: each call costs a
 * little, and libmicrohttpd ends connections that are silent for too long. On a held connection
 * libmicrohttpd notices that the client has gone; the work goes on regardless.
 *
 * A write takes several turns of the loop: into the batch, to the database, back, and out. To keep
 * these turns short, a turn answers only some of the reads while writes are at work; the other
 * reads are held for a later turn, the oldest first.
 */
#ifndef TILLROLL_API_HTTP_TRAFFIC_H
#define TILLROLL_API_HTTP_TRAFFIC_H

#include <microhttpd.h>

#include "api/http/connections.h"
#include "api/http/server_config.h"
#include "api/http/sse_writer.h"
#include "api/http/workers.h"

/* Pools of workers. POOL_ANSWER answers requests; POOL_PASSWORD computes passwords; POOL_STEP waits
 * for jobs; POOL_REPORT makes reports, which take long and must delay nothing else; POOL_PIECE
 * makes pieces of long bodies; POOL_FETCH fetches data for responses from memory, which must not
 * wait behind requests that wait for each other. */
enum traffic_pool {
    POOL_ANSWER,
    POOL_PASSWORD,
    POOL_STEP,
    POOL_REPORT,
    POOL_PIECE,
    POOL_FETCH,
    POOLS
};

struct traffic {
    const struct server_config *config;
    struct workers *pool[POOLS]; /* NULL = POOL_ANSWER does that as well */
    struct connections connections;
    size_t held;    /* connections in PHASE_HOLD */
    bool needs_run; /* libmicrohttpd may have more to do than to ask for the responses of held
                       connections */
    size_t writes;  /* requests at work that are not reads */
    size_t reads;   /* reads that this turn has answered or begun */
    size_t reports; /* requests with bodies beyond HTTP_BODY_MAX, at most TRAFFIC_REPORTS */
    struct work *deferred, *deferred_last; /* reads that wait for a later turn, the oldest first */
    struct sse_writers sse_writers;
    struct peers *long_body_peers; /* long bodies being sent, by client */
    size_t long_bodies;            /* long bodies being sent, at most TRAFFIC_LONG_BODIES */
    bool stopping;                 /* every response ends its connection */
    uint8_t random[4096];          /* for the ids of requests, taken from the end */
    size_t random_left;
    struct arena_spare spare; /* memory of finished requests */
};

enum {
    TRAFFIC_OPTIONS = 5,
    TRAFFIC_REPORTS = 16,
    TRAFFIC_LONG_BODIES = 32,
    TRAFFIC_LONG_BODIES_OF_ONE = 4
};

/* Fills the options for MHD_START_DAEMON's MHD_OPTION_ARRAY that connect libmicrohttpd to
 * `traffic`. */
void traffic_options(struct traffic *traffic, struct MHD_OptionItem options[TRAFFIC_OPTIONS]);

/* libmicrohttpd's access handler; `context` is the traffic, `*place` the exchange. */
enum MHD_Result traffic_handle(void *context, struct MHD_Connection *mhd, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_size, void **place);

/* Run by workers, and the only functions here for their threads: run the handler for one request,
 * make one piece of a long body, and run the fetcher for at most TRAFFIC_FETCHES requests. A larger
 * batch would be faster altogether, but its first requests would wait longer. */
enum { TRAFFIC_FETCHES = 32 };
void traffic_work(struct work *work);
void traffic_piece(struct work *work);
void traffic_fetch(struct work *first);

/* Ends a stream that has left libmicrohttpd, the exchange `owner`; called by struct sse_writers. */
void traffic_stream_over(void *owner);

/* Begins a turn of the loop: deferred reads are resumed. libmicrohttpd must run afterwards. */
void traffic_turn(struct traffic *traffic);

/* Replaces traffic_turn() when the server stops: wakes all deferred reads. */
void traffic_wake_reads(struct traffic *traffic);

/* Wakes the connections whose work these workers have finished; libmicrohttpd must run
 * afterwards. */
void traffic_resume(struct workers *workers);

/* Implement server_answer() and server_pass_on(); libmicrohttpd must run afterwards. */
void traffic_answer(struct http_pending *pending);
bool traffic_pass_on(struct http_pending *pending);

/* To be called when all connections are closed. */
void traffic_free(struct traffic *traffic);

#endif
