/* What goes on between the socket and the handler: connections with their deadlines, and exchanges,
 * each one request and its answer. The server (api/server.c) owns the loop and calls in here;
 * libmicrohttpd calls the functions that traffic_options() hands it. Loop thread only.
 *
 *      phase of a connection      deadline                          ends with
 *      HEAD  between requests     header (after an answer: + idle)  head complete
 *      BODY                       body                              body complete
 *      HOLD  at work              a moment                          answer there, or WORK
 *      WORK  at work, suspended   none: the handler is trusted      answer there
 *      SEND                       send                              last byte given to the system
 *      STREAM                     see api/flow.h                    end of the stream
 *
 * libmicrohttpd's own timeout counts from the last byte that moved, so a client that sends one byte
 * a second never meets it. These deadlines count from the phase's start; traffic_sweep() shuts the
 * sockets down that are over theirs, which the library then sees as gone.
 *
 * While a request is at work its connection is held: the library is told that there is no answer
 * yet, and asks again whenever it runs. To suspend the connection and to resume it would cost two
 * changes of an epoll and a read in vain, a tenth of the loop's time. What takes longer than
 * a moment, or comes when many are held, is suspended after all: asking again costs a little for
 * each, and the library ends what is silent for too long. Of a held connection it notices that the
 * client has gone; the work goes on without him.
 *
 * A write takes several turns of the loop: into the batch, to the database, back, and out. So that
 * many who read do not make these long, a turn answers only some of them while there are writes at
 * work; the others are held and have their turn later, the oldest first.
 */
#ifndef TILLROLL_API_TRAFFIC_H
#define TILLROLL_API_TRAFFIC_H

#include <microhttpd.h>

#include "api/flow.h"
#include "api/server.h"
#include "api/workers.h"

/* Those who answer, those who do slow work, and those who fetch what an answer from memory needs:
 * it must not wait behind answers that wait for each other. */
enum traffic_pool { POOL_ANSWER, POOL_SLOW, POOL_FETCH, POOLS };

/* Counted on the loop. */
struct traffic_counts {
    struct counter taken, ended; /* connections */
    struct counter refused;      /* for which there was no room, of their address or at all */
    struct counter late;         /* that were over a deadline */
};

struct traffic {
    const struct server_config *config;
    struct workers *pool[POOLS];    /* NULL = POOL_ANSWER does that as well */
    struct connection *connections; /* all that are open, streams included */
    size_t connections_open;
    size_t held;      /* connections */
    bool stirred;     /* the library may have more to do than to ask for the answers of these */
    int64_t swept_us; /* when deadlines were last looked at */
    size_t writes;    /* requests at work that are not reads */
    size_t reads;     /* that have been answered, or begun, in this turn */
    struct work *put_off, *put_off_last; /* reads that wait for a later turn, the oldest first */
    struct traffic_counts counts;
    struct flows flows;
    struct peers *peers; /* their connections */
    bool behind_proxy;   /* there is one, at this address: */
    uint8_t proxy[16];   /* as http_address() makes it */
    bool stopping;       /* every answer ends its connection */
    uint8_t random[512]; /* for the ids of requests, taken from the end */
    size_t random_left;
    struct arena_spare spare; /* memory of requests that are done */
};

enum { TRAFFIC_OPTIONS = 5 };

/* Fills the options for MHD_START_DAEMON's MHD_OPTION_ARRAY that tie the library to `traffic`. */
void traffic_options(struct traffic *traffic, struct MHD_OptionItem options[TRAFFIC_OPTIONS]);

/* The library's access handler; `context` is the traffic, `*place` the exchange. */
enum MHD_Result traffic_handle(void *context, struct MHD_Connection *mhd, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *upload_size, void **place);

/* Run the handler, for one piece of work, and the fetcher, for at most TRAFFIC_FETCHES; the
 * workers' functions, and the only ones here for their threads. More would come sooner together,
 * but the first of them later. */
enum { TRAFFIC_FETCHES = 32 };
void traffic_work(struct work *work);
void traffic_fetch(struct work *first);

/* Ends a stream that has left the library, the exchange `owner`; struct flows calls it. */
void traffic_stream_over(void *owner);

/* Begins a turn of the loop: reads that were put off have theirs. The library must run afterwards.
 */
void traffic_turn(struct traffic *traffic);

/* Instead, when the server stops: those that were put off are told so. */
void traffic_give_up_reads(struct traffic *traffic);

/* Wakes the connections whose work these workers have done; the library must run afterwards. */
void traffic_resume(struct workers *workers);

/* What server_answer() and server_pass_on() do; the library must run afterwards. */
void traffic_answer(struct http_pending *pending);
bool traffic_pass_on(struct http_pending *pending);

/* When all connections are closed. */
void traffic_free(struct traffic *traffic);

/* Shuts down what is over its deadline, but for streams, and what clients have ended. */
void traffic_sweep(struct traffic *traffic);

/* Shuts down the connections that have no complete head of a request, and of which nothing waits to
 * be read. */
void traffic_close_idle(struct traffic *traffic);

/* True while a connection has a request whose answer has not been sent. */
bool traffic_is_busy(const struct traffic *traffic);

/* True while a connection is held or suspended, but for streams. */
bool traffic_is_at_work(const struct traffic *traffic);

#endif
