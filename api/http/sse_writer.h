/* Streams: responses that go on, between a broadcast (api/http/broadcast.h) and the socket. Loop
 * thread only.
 *
 *      RESTING  nothing to send               a heartbeat is due heartbeat_ms after the last byte
 *         ▲ │ a message, or the heartbeat
 *         │ ▼
 *      SENDING                                cut off stall_ms after its client last read anything,
 *                                             or when it is more than lag_max bytes behind
 *
 * Both states are queues in the order of their deadlines, since every stream in a queue gets the
 * same time from its entry on: a turn of the loop looks only at the first streams, however many
 * there are.
 *
 * libmicrohttpd sends the head and the backlog. When a stream has nothing to send for the first
 * time, its socket leaves libmicrohttpd, which would keep 10 KiB for each connection, and scans all
 * suspended connections whenever one is resumed. From then on this code writes the chunks, and the
 * connection ends with its stream.
 */
#ifndef TILLROLL_API_HTTP_SSE_WRITER_H
#define TILLROLL_API_HTTP_SSE_WRITER_H

#include <microhttpd.h>

#include "api/http/broadcast.h"
#include "engine/base/counter.h"

struct sse_writer_config {
    unsigned heartbeat_ms;
    unsigned stall_ms;
    uint64_t lag_max; /* bytes of a broadcast */
};

struct sse_writer;

/* Counted on the loop thread. */
struct sse_writer_counts {
    struct counter begun, ended;
    struct counter stalled; /* cut off because their clients read nothing */
    struct counter behind;  /* cut off because they were too far behind */
};

struct sse_writer_queue {
    struct sse_writer *first, *last;
    size_t count;
};

struct sse_writers {
    const struct sse_writer_config *config;
    struct broadcasts *broadcasts; /* NULL = there are no streams */
    struct sse_writer_queue resting, sending;
    int64_t swept_ms;
    int poll;       /* epoll: clients that hang up, or can take more */
    int blank;      /* a socket that is not connected */
    size_t leaving; /* streams that libmicrohttpd has not released yet */
    bool stopping;
    struct sse_writer_counts counts;
    /* Called when a stream that had left libmicrohttpd is over; it must call sse_writer_free(). */
    void (*over)(void *owner);
};

/* False if the system has no descriptors left. */
bool sse_writers_init(struct sse_writers *sse_writers, const struct sse_writer_config *config,
                      struct broadcasts *broadcasts, void (*over)(void *owner));

/* Ends the streams that have left libmicrohttpd. */
void sse_writers_close(struct sse_writers *sse_writers);

/* Makes the response for a stream and its writer, which then owns the reader. NULL if memory is
 * short; the reader still belongs to the caller then. */
struct sse_writer *sse_writer_start(struct sse_writers *sse_writers, struct MHD_Connection *mhd,
                                    int socket, struct broadcast_reader *reader, void *owner,
                                    struct MHD_Response **answer);

/* To be called when the stream is over; closes the reader. */
void sse_writer_free(struct sse_writer *sse_writer);

/* True if the stream goes on although libmicrohttpd has finished with the response. */
bool sse_writer_has_left(const struct sse_writer *sse_writer);

/* To be called when libmicrohttpd has closed its connection: the stream goes on, unless it is over
 * at once. */
void sse_writer_go_on(struct sse_writer *sse_writer);

/* A descriptor that is readable when a client has hung up, or can take more; then call
 * sse_writers_look(). */
int sse_writers_fd(const struct sse_writers *sse_writers);
void sse_writers_look(struct sse_writers *sse_writers);

/* Wakes streams that have something to send; only some of them, so that a turn stays short: the
 * broadcasts' descriptor stays readable if there are more. libmicrohttpd must run afterwards. */
void sse_writers_wake(struct sse_writers *sse_writers);

/* Sends heartbeats that are due, a limited number per call. True if more are due now. */
bool sse_writers_beat(struct sse_writers *sse_writers);

/* Cuts off clients that do not read. Sends some heartbeats early, so that streams that were opened
 * together, or last had a message together, do not stay in step for ever. */
void sse_writers_sweep(struct sse_writers *sse_writers);

/* Ends all streams, including later ones. */
void sse_writers_stop(struct sse_writers *sse_writers);

/* True while streams are leaving libmicrohttpd, which must then run again at once. */
bool sse_writers_are_leaving(const struct sse_writers *sse_writers);

/* True while a stream rests. */
bool sse_writers_are_resting(const struct sse_writers *sse_writers);

#endif
