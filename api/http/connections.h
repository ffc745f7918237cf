/* The connections of a server: their places, their deadlines and their ends. What passes through
 * them is api/http/traffic.h. Loop thread only.
 *
 *      phase of a connection      deadline                          ends with
 *      HEAD  between requests     header (after an answer: + idle)  head complete
 *      BODY                       body                              body complete
 *      HOLD  at work              a moment                          answer there, or WORK
 *      WORK  at work, suspended   none: the handler is trusted      answer there
 *      SEND                       send                              last byte given to the system,
 *                                                                   or WORK: at the next piece
 *      STREAM                     see api/http/sse_writer.h          end of the stream
 *
 * libmicrohttpd's own timeout counts from the last byte that moved, so a client that sends one byte
 * a second never meets it. These deadlines count from the phase's start; connections_sweep() shuts
 * down the sockets that are over theirs, which the library then treats as gone.
 *
 * When few places for connections are left, those that have waited long for their clients, to send
 * a request or to read an answer, are shut down, first of the network that has most that wait. So
 * clients from elsewhere find a place, however many connections some networks hold open.
 */
#ifndef TILLROLL_API_HTTP_CONNECTIONS_H
#define TILLROLL_API_HTTP_CONNECTIONS_H

#include <microhttpd.h>

#include "api/http/intake.h"
#include "api/http/peers.h"
#include "api/http/server.h"
#include "api/http/sse_writer.h"

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_HOLD, PHASE_WORK, PHASE_SEND, PHASE_STREAM };

struct connection {
    struct connection *previous, *next;
    int socket;
    struct peer *peer;         /* NULL: the trusted proxy, whose connections are nobody's share */
    struct peer *network;      /* of the peer */
    struct peers *networks;    /* of all connections */
    struct peer_waiter waiter; /* while it waits for its client */
    bool displaced;            /* it is being ended to make room */
    struct sse_writer *stream; /* that goes on without the library, or NULL */
    enum phase phase;          /* changed by connection_enter_phase(), */
    int64_t deadline_us;       /* with its deadline */
    bool late;                 /* it is being ended for that */
    bool answered;             /* since its end was last looked for */
    struct intake intake;
    unsigned heads; /* that have come out of the library, modulo 2^32 */
};

/* Counted on the loop. */
struct connection_counts {
    struct counter taken, ended;
    struct counter refused;   /* for want of room, for their address or at all */
    struct counter late;      /* over a deadline */
    struct counter displaced; /* to make room for others */
};

struct connections {
    const struct server_config *config;
    struct connection *first; /* of all that are open, streams included */
    size_t open;
    size_t displaced; /* of these, shut down to make room */
    int64_t swept_us; /* when deadlines were last looked at */
    struct connection_counts counts;
    struct intakes intakes; /* for the connections that the library reads */
    struct peers *peers;    /* their connections, by address */
    struct peers *networks; /* and by network; who waits is known there */
    bool behind_proxy;      /* there is one, at this address: */
    uint8_t proxy[16];      /* as http_address() makes it */
};

/* Prepares connections that are zeroed, by a configuration that outlives them. False if memory is
 * short; connections_free() is to be called in any case. */
bool connections_begin(struct connections *all, const struct server_config *config);

/* To be called when all connections are closed. */
void connections_free(struct connections *all);

/* The library's MHD_OPTION_NOTIFY_CONNECTION; `context` is the connections. Makes a connection and
 * sets `*place` to it, or to NULL and shuts the socket down if there is no place for it; or ends
 * that of `*place`, unless it has a stream that goes on. */
void connections_notify(void *context, struct MHD_Connection *mhd, void **place,
                        enum MHD_ConnectionNotificationCode code);

/* Closes the connection of a stream that has gone on without the library, and frees it. */
void connection_close(struct connections *all, struct connection *connection);

/* The address of the other end, which may be a proxy. Owned by the library. */
const struct sockaddr *connection_address(struct MHD_Connection *mhd);

/* Begins a phase, with a deadline from now on. */
void connection_enter_phase(struct connection *connection, enum phase phase, unsigned deadline_ms);

/* Shuts down connections that are over their deadlines, except streams, and those that clients have
 * ended. */
void connections_sweep(struct connections *all);

/* Shuts down the connections that have no complete head of a request, and nothing left to be
 * read. */
void connections_close_idle(struct connections *all);

/* True while a connection has a request whose answer has not been sent. */
bool connections_are_busy(const struct connections *all);

/* True while a connection is held or suspended, except streams. */
bool connections_are_at_work(const struct connections *all);

#endif
