/* Answers that flow on: streams, between a feed (api/feed.h) and the socket. Loop thread only.
 *
 *      RESTING  nothing to send               a heartbeat is due heartbeat_ms after the last byte
 *         ▲ │ news, or the heartbeat
 *         │ ▼
 *      SENDING                                cut off stall_ms after it last took something, or
 * when it is more than lag_max bytes behind
 *
 * Both are lists in the order of what is due, because what is due is always the same time ahead: a
 * turn of the loop looks at their heads only, however many streams there are.
 *
 * libmicrohttpd sends the head and what there is to catch up with. Then, when a stream has nothing
 * to send for the first time, its socket leaves the library: that keeps 10 KiB for each connection,
 * and goes through all that are suspended whenever one is resumed. From then on chunks are written
 * here, and the connection ends with its stream.
 */
#ifndef TILLROLL_API_FLOW_H
#define TILLROLL_API_FLOW_H

#include <microhttpd.h>

#include "api/feed.h"
#include "db/counter.h"

struct flow_config {
    unsigned heartbeat_ms;
    unsigned stall_ms;
    uint64_t lag_max; /* bytes of a feed */
};

struct flow;

/* Counted on the loop. */
struct flow_counts {
    struct counter begun, ended;
    struct counter stalled; /* cut off because they took nothing, */
    struct counter behind;  /* and because they were too far behind */
};

struct flow_queue {
    struct flow *first, *last;
    size_t count;
};

struct flows {
    const struct flow_config *config;
    struct feeds *feeds; /* NULL = there are no streams */
    struct flow_queue resting, sending;
    int64_t swept_ms;
    int poll;       /* epoll: who hangs up, and who takes more */
    int blank;      /* a socket that is connected to nothing */
    size_t leaving; /* streams of which the library knows yet */
    bool stopping;
    struct flow_counts counts;
    /* A stream that had left the library is over; flow_free() is to follow. */
    void (*over)(void *owner);
};

/* False if the system has no descriptors left. */
bool flows_init(struct flows *flows, const struct flow_config *config, struct feeds *feeds,
                void (*over)(void *owner));

/* Ends what has left the library. */
void flows_close(struct flows *flows);

/* Makes the answer for a stream and its flow, which owns the reader from then on. NULL, and the
 * reader is the caller's still, if memory is short. */
struct flow *flow_start(struct flows *flows, struct MHD_Connection *mhd, int socket,
                        struct feed_reader *reader, void *owner, struct MHD_Response **answer);

/* When the stream is over; closes the reader. */
void flow_free(struct flow *flow);

/* True if the stream goes on although the library is done with the answer. */
bool flow_has_left(const struct flow *flow);

/* When the library has closed its connection: the stream goes on, unless it is over at once. */
void flow_go_on(struct flow *flow);

/* Readable when a client has hung up, or takes more; then flows_look(). */
int flows_fd(const struct flows *flows);
void flows_look(struct flows *flows);

/* Wakes the streams that have something to send. A slice of them, so that a turn stays short; the
 * feeds' descriptor stays readable if there are more. The library must run afterwards. */
void flows_wake(struct flows *flows);

/* Sends the heartbeats that are due, a slice of them. True if more are due at once. */
bool flows_beat(struct flows *flows);

/* Cuts off who does not read. Sends some heartbeats ahead of time, so that those of streams that
 * were opened together, or last had the same news, do not come together for ever. */
void flows_sweep(struct flows *flows);

/* Ends all streams, and those that are begun later. */
void flows_stop(struct flows *flows);

/* True while the library must run again at once, for streams that leave it. */
bool flows_are_leaving(const struct flows *flows);

/* True while a stream rests. */
bool flows_are_resting(const struct flows *flows);

#endif
