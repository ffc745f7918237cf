/* The connections of a server: their limits, deadlines and ends. Their requests and responses are
 * in api/http/traffic.h. Loop thread only.
 *
 *      phase of a connection      deadline                          ends with
 *      HEAD  between requests     header (+ idle after a response)  head complete
 *      BODY                       body                              body complete
 *      HOLD  at work              a moment                          response ready, or WORK
 *      WORK  at work, suspended   none: the handler is trusted      response ready
 *      SEND                       send                              last byte given to the system,
 *                                                                   or WORK: at the next piece
 *      STREAM                     see api/http/sse_writer.h          end of the stream
 *
 * libmicrohttpd's own timeout counts from the last byte transferred, so a client that sends one
 * byte a second never reaches it. These deadlines count from the start of the phase;
 * connections_sweep() shuts down the sockets of overdue connections, which libmicrohttpd then
 * treats as closed by the client.
 *
 * When few places for connections are left, connections that have waited long for their clients to
 * send a request or read a response are shut down, beginning with the network that has most of
 * them. So clients from elsewhere find a place, however many connections some networks hold open.
 */
#ifndef TILLROLL_API_HTTP_CONNECTIONS_H
#define TILLROLL_API_HTTP_CONNECTIONS_H

#include <microhttpd.h>

#include "api/http/intake.h"
#include "api/http/peers.h"
#include "api/http/server_config.h"
#include "api/http/sse_writer.h"

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_HOLD, PHASE_WORK, PHASE_SEND, PHASE_STREAM };

struct connection {
    struct connection *previous, *next;
    int socket;
    struct peer *peer;      /* NULL: the trusted proxy, whose connections count against no limit */
    struct peer *network;   /* the network of the peer */
    struct peers *networks; /* the table that `network` is in */
    struct peer_waiter waiter; /* in use while the connection waits for its client */
    bool displaced;            /* the connection is being ended to make room */
    struct sse_writer *stream; /* a stream that goes on without libmicrohttpd, or NULL */
    enum phase phase;          /* set by connection_enter_phase() */
    int64_t deadline_us;       /* likewise */
    bool late;                 /* the connection is being ended because its deadline has passed */
    bool answered; /* a request was answered since the last check for the client's end */
    struct intake intake;
    unsigned heads; /* heads that libmicrohttpd has delivered, modulo 2^32 */
};

/* Counted on the loop thread. */
struct connection_counts {
    struct counter taken, ended;
    struct counter refused;   /* because of a limit: per address, per network or in total */
    struct counter late;      /* over a deadline */
    struct counter displaced; /* ended to make room for others */
};

struct connections {
    const struct server_config *config;
    struct connection *first; /* all open connections, streams included */
    size_t open;
    size_t displaced; /* open connections that were shut down to make room */
    int64_t swept_us; /* time of the last sweep */
    struct connection_counts counts;
    struct intakes intakes; /* for the connections that libmicrohttpd reads */
    struct peers *peers;    /* connections by address */
    struct peers *networks; /* connections by network, with those that wait for their clients */
    bool behind_proxy;      /* there is a trusted proxy, with the address `proxy` */
    uint8_t proxy[16];      /* as http_address() makes it */
};

/* Prepares zeroed connections with a configuration that outlives them. False if memory is short;
 * connections_free() must be called in any case. */
bool connections_begin(struct connections *all, const struct server_config *config);

/* To be called when all connections are closed. */
void connections_free(struct connections *all);

/* libmicrohttpd's MHD_OPTION_NOTIFY_CONNECTION; `context` is the connections. At the start of a
 * connection, creates its struct and sets `*place` to it; if a limit is reached, sets `*place` to
 * NULL and shuts the socket down. At its end, frees the struct at `*place`, unless a stream goes on
 * with it. */
void connections_notify(void *context, struct MHD_Connection *mhd, void **place,
                        enum MHD_ConnectionNotificationCode code);

/* Closes the connection of a stream that has gone on without libmicrohttpd, and frees it. */
void connection_close(struct connections *all, struct connection *connection);

/* The address of the other end, which may be a proxy. Owned by libmicrohttpd. */
const struct sockaddr *connection_address(struct MHD_Connection *mhd);

/* Begins a phase, with a deadline `deadline_ms` from now. */
void connection_enter_phase(struct connection *connection, enum phase phase, unsigned deadline_ms);

/* Shuts down connections that are over their deadlines, except streams, and connections that
 * clients have ended. */
void connections_sweep(struct connections *all);

/* Shuts down the connections that have no complete request head and no bytes left to read. */
void connections_close_idle(struct connections *all);

/* True while a connection has a request whose response has not been sent. */
bool connections_are_busy(const struct connections *all);

/* True while a connection is held or suspended, except streams. */
bool connections_are_at_work(const struct connections *all);

#endif
