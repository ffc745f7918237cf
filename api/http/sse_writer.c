#include "api/http/sse_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "db/link/now.h"

enum {
    SLICE = 256, /* streams that are woken in one turn of the loop */
    BEATS = 32,  /* heartbeats that are sent in one turn of the loop: they can wait */
    /* Bytes that the system may hold for a client that does not read: its share of memory, in
     * addition to lag_max. */
    SEND_BUFFER_BYTES = 32 * 1024,
    PIECE_BYTES = 16 * 1024, /* bytes of one chunk */
    PIECES = 4,              /* chunks of one stream in one turn of the loop */
    CHUNK_HEAD = 8,          /* room for a chunk's length and line end */
    CHUNK_END = 2,
    STOP_MS = 1000 /* limit for streams that are sending when all are to end */
};

/* The owner of a stream's socket. */
enum place {
    PLACE_LIBRARY,
    PLACE_LEAVING, /* this code, but libmicrohttpd has not released the connection */
    PLACE_OWN
};

struct sse_writer {
    struct sse_writer *previous, *next;
    struct sse_writer_queue *queue;
    struct sse_writers *sse_writers;
    struct MHD_Connection *mhd; /* until the stream has left libmicrohttpd */
    struct broadcast_reader *reader;
    void *owner;
    int socket;
    enum place place;
    bool beat;    /* a heartbeat is due */
    bool gone;    /* the client has hung up */
    bool watched; /* the epoll waits until the client can take more */
    bool ending;  /* the end of the response is in `unsent` or has been sent */
    bool cut;     /* the stream has been cut off */
    bool sent;    /* bytes were sent since the stream was last put into a queue */
    int64_t due_ms;
    char *unsent; /* owned; NULL = nothing */
    size_t unsent_from, unsent_to;
};

/* ---- Queues ----
 *
 * One message is sent to thousands of streams in a row, each of which reads both clocks: the coarse
 * clocks, updated every few ms, are precise enough for waits of seconds, and are read in a fraction
 * of the time. */

static void leave_queue(struct sse_writer *sse_writer)
{
    struct sse_writer_queue *queue = sse_writer->queue;
    if (queue == NULL)
        return;
    if (sse_writer->previous != NULL)
        sse_writer->previous->next = sse_writer->next;
    else
        queue->first = sse_writer->next;
    if (sse_writer->next != NULL)
        sse_writer->next->previous = sse_writer->previous;
    else
        queue->last = sse_writer->previous;
    queue->count--;
    sse_writer->queue = NULL;
}

static void enter_queue(struct sse_writer *sse_writer, struct sse_writer_queue *queue,
                        unsigned wait_ms)
{
    leave_queue(sse_writer);
    sse_writer->queue = queue;
    sse_writer->due_ms = now_ms(CLOCK_MONOTONIC_COARSE) + wait_ms;
    sse_writer->previous = queue->last;
    sse_writer->next = NULL;
    if (queue->last != NULL)
        queue->last->next = sse_writer;
    else
        queue->first = sse_writer;
    queue->last = sse_writer;
    queue->count++;
}

static void enter_sending(struct sse_writer *sse_writer)
{
    enter_queue(sse_writer, &sse_writer->sse_writers->sending,
                sse_writer->sse_writers->config->stall_ms);
}

static void enter_resting(struct sse_writer *sse_writer)
{
    enter_queue(sse_writer, &sse_writer->sse_writers->resting,
                sse_writer->sse_writers->config->heartbeat_ms);
}

/* ---- Waiting for clients ---- */

static bool watch(const struct sse_writer *sse_writer, int operation, uint32_t events)
{
    struct epoll_event event = {.events = EPOLLRDHUP | events, .data.ptr = (void *)sse_writer};
    return epoll_ctl(sse_writer->sse_writers->poll, operation, sse_writer->socket, &event) == 0;
}

static void watch_for_room(struct sse_writer *sse_writer, bool wanted)
{
    if (sse_writer->watched != wanted)
        (void)watch(sse_writer, EPOLL_CTL_MOD, wanted ? EPOLLOUT : 0);
    sse_writer->watched = wanted;
}

/* ---- Out of libmicrohttpd ---- */

static void end_stream(struct sse_writer *sse_writer)
{
    sse_writer->sse_writers->over(sse_writer->owner);
}

/* Sends bytes, and keeps those that the system does not take. False if the connection is broken or
 * memory is short. */
static bool send_bytes(struct sse_writer *sse_writer, const char *bytes, size_t size)
{
    ssize_t sent = send(sse_writer->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    size_t done = sent < 0 ? 0 : (size_t)sent;
    sse_writer->sent |= done > 0;
    if (done == size)
        return true;
    sse_writer->unsent = malloc(size - done);
    if (sse_writer->unsent == NULL)
        return false;
    memcpy(sse_writer->unsent, bytes + done, size - done);
    sse_writer->unsent_from = 0;
    sse_writer->unsent_to = size - done;
    return true;
}

static bool send_unsent(struct sse_writer *sse_writer)
{
    char *kept = sse_writer->unsent;
    sse_writer->unsent = NULL;
    bool good = send_bytes(sse_writer, kept + sse_writer->unsent_from,
                           sse_writer->unsent_to - sse_writer->unsent_from);
    free(kept);
    return good;
}

/* Sends a chunk (RFC 9112 section 7.1). Its bytes are at `piece` + CHUNK_HEAD, with room for
 * CHUNK_END behind them. */
static bool send_chunk(struct sse_writer *sse_writer, char *piece, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *at = piece + CHUNK_HEAD;
    memcpy(at + size, "\r\n", CHUNK_END);
    *--at = '\n';
    *--at = '\r';
    for (size_t rest = size; rest > 0; rest >>= 4)
        *--at = digits[rest & 15];
    return send_bytes(sse_writer, at, (size_t)(piece + CHUNK_HEAD - at) + size + CHUNK_END);
}

static bool send_end(struct sse_writer *sse_writer)
{
    static const char last[] = "0\r\n\r\n";
    sse_writer->ending = true;
    return send_bytes(sse_writer, last, sizeof last - 1);
}

/* Sends the next bytes, or sets `rests` if there are none after them. False if the connection is
 * broken. */
static bool send_piece(struct sse_writer *sse_writer, bool *rests)
{
    static const char heartbeat[] = ":\n\n";
    char piece[CHUNK_HEAD + PIECE_BYTES + CHUNK_END];
    if (sse_writer->unsent != NULL)
        return send_unsent(sse_writer);
    if (sse_writer->sse_writers->stopping)
        return send_end(sse_writer);
    ssize_t given = broadcast_read(sse_writer->reader, piece + CHUNK_HEAD, PIECE_BYTES,
                                   now_ms(CLOCK_REALTIME_COARSE), sse_writer);
    if (given == BROADCAST_END)
        return send_end(sse_writer);
    bool beat = sse_writer->beat;
    sse_writer->beat = false;
    *rests = given <= 0 || broadcast_waits(sse_writer->reader);
    if (given > 0)
        return send_chunk(sse_writer, piece, (size_t)given);
    if (!beat)
        return true;
    memcpy(piece + CHUNK_HEAD, heartbeat, sizeof heartbeat - 1);
    return send_chunk(sse_writer, piece, sizeof heartbeat - 1);
}

/* Sends until there is nothing more, the system takes no more, or the turn of this stream is
 * over. */
static void send_more(struct sse_writer *sse_writer)
{
    bool rests = false;
    for (unsigned i = 0; i < PIECES && !rests; i++) {
        if (!send_piece(sse_writer, &rests) || (sse_writer->ending && sse_writer->unsent == NULL)) {
            end_stream(sse_writer);
            return;
        }
        if (sse_writer->unsent != NULL)
            break;
    }
    rests = rests && sse_writer->unsent == NULL;
    watch_for_room(sse_writer, !rests);
    if (rests)
        enter_resting(sse_writer);
    else if (sse_writer->sent || sse_writer->queue != &sse_writer->sse_writers->sending)
        enter_sending(sse_writer);
    sse_writer->sent = false;
}

/* Takes the socket from libmicrohttpd, which keeps a descriptor that is not connected, and is told
 * that the stream has ended: it closes the connection when it cannot send the last chunk. (If the
 * content reader returned an error, it would keep the connection until the timeout.) libmicrohttpd
 * must not be waiting for the socket during the exchange, so the connection is suspended then. */
static bool leave_library(struct sse_writer *sse_writer)
{
    int own = fcntl(sse_writer->socket, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return false;
    (void)epoll_ctl(sse_writer->sse_writers->poll, EPOLL_CTL_DEL, sse_writer->socket, NULL);
    if (dup3(sse_writer->sse_writers->blank, sse_writer->socket, O_CLOEXEC) < 0) {
        close(own);
        (void)watch(sse_writer, EPOLL_CTL_ADD, EPOLLONESHOT);
        return false;
    }
    sse_writer->socket = own;
    sse_writer->place = PLACE_LEAVING;
    sse_writer->sse_writers->leaving++;
    MHD_resume_connection(sse_writer->mhd);
    sse_writer->mhd = NULL;
    return true;
}

bool sse_writer_has_left(const struct sse_writer *sse_writer)
{
    return sse_writer->place != PLACE_LIBRARY;
}

/* TCP_NODELAY also flushes bytes that libmicrohttpd has held back to send them with more. */
void sse_writer_go_on(struct sse_writer *sse_writer)
{
    sse_writer->place = PLACE_OWN;
    sse_writer->sse_writers->leaving--;
    (void)setsockopt(sse_writer->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (sse_writer->gone || !watch(sse_writer, EPOLL_CTL_ADD, 0))
        end_stream(sse_writer);
    else
        send_more(sse_writer);
}

/* ---- In libmicrohttpd ---- */

/* A stream that waits for a backfill stays in libmicrohttpd: the backfill may be its last
 * message. */
static void rest_in_library(struct sse_writer *sse_writer, bool behind)
{
    MHD_suspend_connection(sse_writer->mhd);
    if (behind || !leave_library(sse_writer))
        enter_resting(sse_writer);
}

/* libmicrohttpd's content reader, which is called again when the bytes that it returned have been
 * sent. */
static ssize_t read_content(void *context, uint64_t position, char *bytes, size_t size)
{
    static const char heartbeat[] = ":\n\n";
    struct sse_writer *sse_writer = context;
    (void)position;
    if (sse_writer->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (sse_writer->place != PLACE_LIBRARY || sse_writer->sse_writers->stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    ssize_t given =
        broadcast_read(sse_writer->reader, bytes, size, now_ms(CLOCK_REALTIME), sse_writer);
    bool behind = given == BROADCAST_NEEDS_BACKFILL;
    if (given == BROADCAST_END)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (behind)
        given = 0;
    if (given == 0 && sse_writer->beat && size >= sizeof heartbeat - 1) {
        given = sizeof heartbeat - 1;
        memcpy(bytes, heartbeat, (size_t)given);
    }
    sse_writer->beat = false;
    if (given > 0)
        enter_sending(sse_writer);
    else
        rest_in_library(sse_writer, behind);
    return given;
}

/* The block size is 1 because libmicrohttpd sends chunks straight from its own buffer and does not
 * use the block. libmicrohttpd does not watch suspended connections, so the epoll here does. */
struct sse_writer *sse_writer_start(struct sse_writers *sse_writers, struct MHD_Connection *mhd,
                                    int socket, struct broadcast_reader *reader, void *owner,
                                    struct MHD_Response **answer)
{
    enum { BLOCK_BYTES = 1 };
    struct sse_writer *sse_writer = calloc(1, sizeof *sse_writer);
    if (sse_writer == NULL)
        return NULL;
    *answer = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_content,
                                                sse_writer, NULL);
    if (*answer == NULL) {
        free(sse_writer);
        return NULL;
    }
    sse_writer->sse_writers = sse_writers;
    sse_writer->mhd = mhd;
    sse_writer->socket = socket;
    sse_writer->reader = reader;
    sse_writer->owner = owner;
    counter_add(&sse_writers->counts.begun, 1);
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BUFFER_BYTES}, sizeof(int));
    enter_sending(sse_writer);
    (void)watch(sse_writer, EPOLL_CTL_ADD, EPOLLONESHOT);
    return sse_writer;
}

void sse_writer_free(struct sse_writer *sse_writer)
{
    counter_add(&sse_writer->sse_writers->counts.ended, 1);
    leave_queue(sse_writer);
    (void)epoll_ctl(sse_writer->sse_writers->poll, EPOLL_CTL_DEL, sse_writer->socket, NULL);
    if (sse_writer->place != PLACE_LIBRARY)
        close(sse_writer->socket);
    broadcast_close(sse_writer->reader);
    free(sse_writer->unsent);
    free(sse_writer);
}

static void resume(struct sse_writer *sse_writer)
{
    if (sse_writer->queue != &sse_writer->sse_writers->resting)
        return;
    if (sse_writer->place == PLACE_OWN) {
        send_more(sse_writer);
        return;
    }
    enter_sending(sse_writer);
    MHD_resume_connection(sse_writer->mhd);
}

/* ---- All streams ---- */

bool sse_writers_init(struct sse_writers *sse_writers, const struct sse_writer_config *config,
                      struct broadcasts *broadcasts, void (*over)(void *owner))
{
    *sse_writers = (struct sse_writers){.config = config, .broadcasts = broadcasts, .over = over};
    sse_writers->poll = epoll_create1(EPOLL_CLOEXEC);
    sse_writers->blank = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return sse_writers->poll >= 0 && sse_writers->blank >= 0;
}

void sse_writers_close(struct sse_writers *sse_writers)
{
    while (sse_writers->sending.first != NULL)
        end_stream(sse_writers->sending.first);
    if (sse_writers->poll >= 0)
        close(sse_writers->poll);
    if (sse_writers->blank >= 0)
        close(sse_writers->blank);
}

int sse_writers_fd(const struct sse_writers *sse_writers)
{
    return sse_writers->poll;
}

/* A client that has closed only one half is treated as gone as well: the two cases look the
 * same. */
static void handle_hang_up(struct sse_writer *sse_writer)
{
    sse_writer->gone = true;
    if (sse_writer->place == PLACE_OWN) {
        end_stream(sse_writer);
        return;
    }
    shutdown(sse_writer->socket, SHUT_RDWR);
    resume(sse_writer);
}

void sse_writers_look(struct sse_writers *sse_writers)
{
    struct epoll_event event[SLICE];
    int count = epoll_wait(sse_writers->poll, event, SLICE, 0);
    for (int i = 0; i < count; i++) {
        struct sse_writer *sse_writer = event[i].data.ptr;
        if ((event[i].events & ~(uint32_t)EPOLLOUT) != 0)
            handle_hang_up(sse_writer);
        else
            send_more(sse_writer);
    }
}

void sse_writers_wake(struct sse_writers *sse_writers)
{
    void *owner[SLICE];
    size_t count = broadcasts_take_awake(sse_writers->broadcasts, owner, SLICE);
    for (size_t i = 0; i < count; i++)
        resume(owner[i]);
}

/* Shuts the socket down; the epoll, or libmicrohttpd, reports later that the client has gone. */
static void cut_off(struct sse_writer *sse_writer, struct counter *why)
{
    if (!sse_writer->cut)
        counter_add(why, 1);
    sse_writer->cut = true;
    shutdown(sse_writer->socket, SHUT_RDWR);
}

static void send_heartbeat(struct sse_writer *sse_writer)
{
    sse_writer->beat = true;
    resume(sse_writer);
}

/* Sends the share of heartbeats that would be due in this time if they were spread evenly, to
 * streams that have rested for at least half of heartbeat_ms. */
static void send_early_heartbeats(struct sse_writers *sse_writers, int64_t now)
{
    int64_t wait_ms = sse_writers->config->heartbeat_ms;
    int64_t share = (int64_t)sse_writers->resting.count * (now - sse_writers->swept_ms) / wait_ms;
    for (; share > 0; share--) {
        struct sse_writer *sse_writer = sse_writers->resting.first;
        if (sse_writer == NULL || sse_writer->due_ms - now > wait_ms / 2)
            return;
        send_heartbeat(sse_writer);
    }
}

void sse_writers_sweep(struct sse_writers *sse_writers)
{
    const int64_t now = now_ms(CLOCK_MONOTONIC);
    for (struct sse_writer *each = sse_writers->sending.first; each != NULL; each = each->next)
        if (each->due_ms <= now)
            cut_off(each, &sse_writers->counts.stalled);
        else if (broadcast_lag(each->reader) > sse_writers->config->lag_max)
            cut_off(each, &sse_writers->counts.behind);
    if (sse_writers->resting.count > 0)
        send_early_heartbeats(sse_writers, now);
    sse_writers->swept_ms = now;
}

bool sse_writers_beat(struct sse_writers *sse_writers)
{
    const int64_t now = now_ms(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < BEATS; i++) {
        struct sse_writer *sse_writer = sse_writers->resting.first;
        if (sse_writer == NULL || sse_writer->due_ms > now)
            return false;
        send_heartbeat(sse_writer);
    }
    return true;
}

void sse_writers_stop(struct sse_writers *sse_writers)
{
    sse_writers->stopping = true;
    int64_t last_ms = now_ms(CLOCK_MONOTONIC) + STOP_MS;
    for (struct sse_writer *each = sse_writers->sending.first; each != NULL; each = each->next)
        if (each->due_ms > last_ms)
            each->due_ms = last_ms;
    while (sse_writers->resting.first != NULL)
        resume(sse_writers->resting.first);
}

bool sse_writers_are_leaving(const struct sse_writers *sse_writers)
{
    return sse_writers->leaving > 0;
}

bool sse_writers_are_resting(const struct sse_writers *sse_writers)
{
    return sse_writers->resting.first != NULL;
}
