/* Answers that flow on: streams, between a feed (api/feed.h) and libmicrohttpd. Loop thread only.
 *
 *      RESTING  suspended; nothing to send    a heartbeat is due heartbeat_ms after the last byte
 *         ▲ │ news, or the heartbeat
 *         │ ▼
 *      SENDING                                cut off stall_ms after it last took something, or
 * when it is more than lag_max bytes behind
 *
 * Both are lists in the order of what is due, because what is due is always the same time ahead: a
 * turn of the loop looks at their heads only, however many streams there are. Whoever hangs up is
 * noticed by an epoll of its own, because the library does not look at suspended connections.
 */
#ifndef TILLROLL_API_FLOW_H
#define TILLROLL_API_FLOW_H

#include <microhttpd.h>

#include "api/feed.h"

struct flow_config {
    unsigned heartbeat_ms;
    unsigned stall_ms;
    uint64_t lag_max; /* bytes of a feed */
};

struct flow;

struct flow_queue {
    struct flow *first, *last;
};

struct flows {
    const struct flow_config *config;
    struct feeds *feeds; /* NULL = there are no streams */
    struct flow_queue resting, sending;
    int hangups; /* epoll */
    bool stopping;
};

/* False if the system has no descriptors left. */
bool flows_init(struct flows *flows, const struct flow_config *config, struct feeds *feeds);
void flows_close(struct flows *flows);

/* Makes the answer for a stream and its flow, which owns the reader from then on. NULL, and the
 * reader is the caller's still, if memory is short. */
struct flow *flow_start(struct flows *flows, struct MHD_Connection *mhd, int socket,
                        struct feed_reader *reader, struct MHD_Response **answer);

/* When the library is done with the answer; closes the reader. */
void flow_free(struct flow *flow);

/* Readable when a client has hung up; then flows_hang_up(). */
int flows_hangup_fd(const struct flows *flows);
void flows_hang_up(struct flows *flows);

/* Wakes the streams that have something to send. A slice of them, so that a turn stays short; the
 * feeds' descriptor stays readable if there are more. The library must run afterwards. */
void flows_wake(struct flows *flows);

/* Sends the heartbeats that are due, a slice of them. True if more are due at once. */
bool flows_beat(struct flows *flows);

/* Cuts off who does not read. */
void flows_sweep(struct flows *flows);

/* Ends all streams, and those that are begun later. */
void flows_stop(struct flows *flows);

/* True while a stream is suspended. */
bool flows_are_resting(const struct flows *flows);

#endif
