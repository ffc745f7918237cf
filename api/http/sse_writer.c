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
    BEATS = 32,  /* heartbeats that are due and sent in one: they can wait */
    /* What the system may hold for a reader that does not read: its share of memory, beside
     * lag_max. */
    SEND_BUFFER_BYTES = 32 * 1024,
    PIECE_BYTES = 16 * 1024, /* of one chunk */
    PIECES = 4,              /* of one stream in one turn of the loop */
    CHUNK_HEAD = 8,          /* room for a chunk's length, and what ends the line */
    CHUNK_END = 2,
    STOP_MS = 1000 /* for a stream that is sending when all are to end */
};

/* Where a stream's socket is. */
enum place {
    PLACE_LIBRARY,
    PLACE_LEAVING, /* ours, but the library has not let go of what it knows */
    PLACE_OWN
};

struct sse_writer {
    struct sse_writer *previous, *next;
    struct sse_writer_queue *queue;
    struct sse_writers *sse_writers;
    struct MHD_Connection *mhd; /* until it has left */
    struct broadcast_reader *reader;
    void *owner;
    int socket;
    enum place place;
    bool beat;    /* a heartbeat is due */
    bool gone;    /* the client has hung up */
    bool watched; /* it is waited for until it takes more */
    bool ending;  /* what is unsent is all */
    bool cut;     /* it was cut off */
    bool sent;    /* something since it was last put into a queue */
    int64_t due_ms;
    char *unsent; /* owned; NULL = nothing */
    size_t unsent_from, unsent_to;
};

/* ---- Queues ----
 *
 * One message goes to thousands of streams in a row, each of which looks at both clocks: those that
 * a timer sets, every few ms, are fine enough for waits of seconds, and are read in a fraction of
 * the time. */

static void leave(struct sse_writer *sse_writer)
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

static void enter(struct sse_writer *sse_writer, struct sse_writer_queue *queue, unsigned wait_ms)
{
    leave(sse_writer);
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
    enter(sse_writer, &sse_writer->sse_writers->sending, sse_writer->sse_writers->config->stall_ms);
}

static void enter_resting(struct sse_writer *sse_writer)
{
    enter(sse_writer, &sse_writer->sse_writers->resting,
          sse_writer->sse_writers->config->heartbeat_ms);
}

/* ---- What the loop waits for ---- */

static bool watch(const struct sse_writer *sse_writer, int operation, uint32_t events)
{
    struct epoll_event event = {.events = EPOLLRDHUP | events, .data.ptr = (void *)sse_writer};
    return epoll_ctl(sse_writer->sse_writers->poll, operation, sse_writer->socket, &event) == 0;
}

static void watch_room(struct sse_writer *sse_writer, bool wanted)
{
    if (sse_writer->watched != wanted)
        (void)watch(sse_writer, EPOLL_CTL_MOD, wanted ? EPOLLOUT : 0);
    sse_writer->watched = wanted;
}

/* ---- Out of the library ---- */

static void end(struct sse_writer *sse_writer)
{
    sse_writer->sse_writers->over(sse_writer->owner);
}

/* What the system does not take is kept. False if the connection is broken. */
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

/* RFC 9112, 7.1. The bytes stand at `piece` + CHUNK_HEAD, with room for CHUNK_END behind them. */
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

/* Sends what there is next. False if the connection is broken, or there is nothing: then the stream
 * rests. */
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

/* Sends until there is nothing more, the system takes no more, or it is others' turn. */
static void send_more(struct sse_writer *sse_writer)
{
    bool rests = false;
    for (unsigned i = 0; i < PIECES && !rests; i++) {
        if (!send_piece(sse_writer, &rests) || (sse_writer->ending && sse_writer->unsent == NULL)) {
            end(sse_writer);
            return;
        }
        if (sse_writer->unsent != NULL)
            break;
    }
    rests = rests && sse_writer->unsent == NULL;
    watch_room(sse_writer, !rests);
    if (rests)
        enter_resting(sse_writer);
    else if (sse_writer->sent || sse_writer->queue != &sse_writer->sse_writers->sending)
        enter_sending(sse_writer);
    sse_writer->sent = false;
}

/* The library keeps a descriptor that leads nowhere, and is told that the stream has ended: it
 * closes the connection when it cannot send the last chunk. (Of an answer that ends with an error
 * it would keep the connection until that times out.) It must have no interest in the socket while
 * that is exchanged: that is when it is suspended. */
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

/* What the library has held back, to send it with more, goes out as well. */
void sse_writer_go_on(struct sse_writer *sse_writer)
{
    sse_writer->place = PLACE_OWN;
    sse_writer->sse_writers->leaving--;
    (void)setsockopt(sse_writer->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (sse_writer->gone || !watch(sse_writer, EPOLL_CTL_ADD, 0))
        end(sse_writer);
    else
        send_more(sse_writer);
}

/* ---- In the library ---- */

/* What is still to be fetched may be the last. */
static void rest(struct sse_writer *sse_writer, bool behind)
{
    MHD_suspend_connection(sse_writer->mhd);
    if (behind || !leave_library(sse_writer))
        enter_resting(sse_writer);
}

/* The library's content reader. It is called again when what it returned has been sent. */
static ssize_t give(void *context, uint64_t position, char *bytes, size_t size)
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
        rest(sse_writer, behind);
    return given;
}

/* The library sends in chunks, straight from its own buffer, and has no use for a block. It does
 * not look at suspended connections. */
struct sse_writer *sse_writer_start(struct sse_writers *sse_writers, struct MHD_Connection *mhd,
                                    int socket, struct broadcast_reader *reader, void *owner,
                                    struct MHD_Response **answer)
{
    enum { BLOCK_BYTES = 1 };
    struct sse_writer *sse_writer = calloc(1, sizeof *sse_writer);
    if (sse_writer == NULL)
        return NULL;
    *answer =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, give, sse_writer, NULL);
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
    leave(sse_writer);
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
        end(sse_writers->sending.first);
    if (sse_writers->poll >= 0)
        close(sse_writers->poll);
    if (sse_writers->blank >= 0)
        close(sse_writers->blank);
}

int sse_writers_fd(const struct sse_writers *sse_writers)
{
    return sse_writers->poll;
}

/* A client that has closed one half only is taken as gone as well: it could not be told from one
 * that is. */
static void hang_up(struct sse_writer *sse_writer)
{
    sse_writer->gone = true;
    if (sse_writer->place == PLACE_OWN) {
        end(sse_writer);
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
            hang_up(sse_writer);
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

/* The system, or the library, tells later that it has gone. */
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

/* The share that is due in this time if they are spread evenly, of those that have rested for half
 * of it. */
static void beat_ahead(struct sse_writers *sse_writers, int64_t now)
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
        beat_ahead(sse_writers, now);
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
