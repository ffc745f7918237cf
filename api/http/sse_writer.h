/* Streams: answers that go on, between a broadcast (api/http/broadcast.h) and the socket. Loop
 * thread only.
 *
 *      RESTING  nothing to send               a heartbeat is due heartbeat_ms after the last byte
 *         ▲ │ news, or the heartbeat
 *         │ ▼
 *      SENDING                                cut off stall_ms after its client last read anything,
 *                                             or when it is more than lag_max bytes behind
 *
 * Both are lists in the order of their deadlines, because these are always the same time ahead: a
 * turn of the loop looks at their heads only, however many streams there are.
 *
 * libmicrohttpd sends the head and the backlog. When a stream has nothing to send for the first
 * time, its socket leaves the library, which would keep 10 KiB for each connection, and goes
 * through all suspended ones whenever one is resumed. From then on chunks are written here, and the
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

/* Counted on the loop. */
struct sse_writer_counts {
    struct counter begun, ended;
    struct counter stalled; /* cut off because they read nothing, */
    struct counter behind;  /* and because they were too far behind */
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
    int blank;      /* a socket that is connected to nothing */
    size_t leaving; /* streams that the library still has */
    bool stopping;
    struct sse_writer_counts counts;
    /* A stream that had left the library is over; sse_writer_free() is to follow. */
    void (*over)(void *owner);
};

/* False if the system has no descriptors left. */
bool sse_writers_init(struct sse_writers *sse_writers, const struct sse_writer_config *config,
                      struct broadcasts *broadcasts, void (*over)(void *owner));

/* Ends the streams that have left the library. */
void sse_writers_close(struct sse_writers *sse_writers);

/* Makes the answer for a stream and its writer, which owns the reader from then on. NULL, and the
 * reader still belongs to the caller, if memory is short. */
struct sse_writer *sse_writer_start(struct sse_writers *sse_writers, struct MHD_Connection *mhd,
                                    int socket, struct broadcast_reader *reader, void *owner,
                                    struct MHD_Response **answer);

/* To be called when the stream is over; closes the reader. */
void sse_writer_free(struct sse_writer *sse_writer);

/* True if the stream goes on although the library is done with the answer. */
bool sse_writer_has_left(const struct sse_writer *sse_writer);

/* To be called when the library has closed its connection: the stream goes on, unless it is over at
 * once. */
void sse_writer_go_on(struct sse_writer *sse_writer);

/* Readable when a client has hung up, or can take more; then call sse_writers_look(). */
int sse_writers_fd(const struct sse_writers *sse_writers);
void sse_writers_look(struct sse_writers *sse_writers);

/* Wakes streams that have something to send; only some of them, so that a turn stays short: the
 * broadcasts' descriptor stays readable if there are more. The library must run afterwards. */
void sse_writers_wake(struct sse_writers *sse_writers);

/* Sends heartbeats that are due, only some of them. True if more are due now. */
bool sse_writers_beat(struct sse_writers *sse_writers);

/* Cuts off clients that do not read. Sends some heartbeats early, so that streams that were opened
 * together, or last had the same news, do not stay in step for ever. */
void sse_writers_sweep(struct sse_writers *sse_writers);

/* Ends all streams, also those that begin later. */
void sse_writers_stop(struct sse_writers *sse_writers);

/* True while the library must run again at once, for streams that leave it. */
bool sse_writers_are_leaving(const struct sse_writers *sse_writers);

/* True while a stream rests. */
bool sse_writers_are_resting(const struct sse_writers *sse_writers);

#endif
