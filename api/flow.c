#include "api/flow.h"

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

#include "db/now.h"

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

struct flow {
    struct flow *previous, *next;
    struct flow_queue *queue;
    struct flows *flows;
    struct MHD_Connection *mhd; /* until it has left */
    struct feed_reader *reader;
    void *owner;
    int socket;
    enum place place;
    bool beat;    /* a heartbeat is due */
    bool gone;    /* the client has hung up */
    bool watched; /* it is waited for until it takes more */
    bool ending;  /* what is unsent is all */
    bool cut;     /* it was cut off */
    int64_t due_ms;
    char *unsent; /* owned; NULL = nothing */
    size_t unsent_from, unsent_to;
};

/* ---- Queues ---- */

static void leave(struct flow *flow)
{
    struct flow_queue *queue = flow->queue;
    if (queue == NULL)
        return;
    if (flow->previous != NULL)
        flow->previous->next = flow->next;
    else
        queue->first = flow->next;
    if (flow->next != NULL)
        flow->next->previous = flow->previous;
    else
        queue->last = flow->previous;
    queue->count--;
    flow->queue = NULL;
}

static void enter(struct flow *flow, struct flow_queue *queue, unsigned wait_ms)
{
    leave(flow);
    flow->queue = queue;
    flow->due_ms = now_ms(CLOCK_MONOTONIC) + wait_ms;
    flow->previous = queue->last;
    flow->next = NULL;
    if (queue->last != NULL)
        queue->last->next = flow;
    else
        queue->first = flow;
    queue->last = flow;
    queue->count++;
}

static void enter_sending(struct flow *flow)
{
    enter(flow, &flow->flows->sending, flow->flows->config->stall_ms);
}

static void enter_resting(struct flow *flow)
{
    enter(flow, &flow->flows->resting, flow->flows->config->heartbeat_ms);
}

/* ---- Whom the loop waits for ---- */

static bool watch(const struct flow *flow, int operation, uint32_t events)
{
    struct epoll_event event = {.events = EPOLLRDHUP | events, .data.ptr = (void *)flow};
    return epoll_ctl(flow->flows->poll, operation, flow->socket, &event) == 0;
}

static void watch_room(struct flow *flow, bool wanted)
{
    if (flow->watched != wanted)
        (void)watch(flow, EPOLL_CTL_MOD, wanted ? EPOLLOUT : 0);
    flow->watched = wanted;
}

/* ---- Out of the library ---- */

static void end(struct flow *flow)
{
    flow->flows->over(flow->owner);
}

/* What the system does not take is kept. False if the connection is broken. */
static bool send_bytes(struct flow *flow, const char *bytes, size_t size)
{
    ssize_t sent = send(flow->socket, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    size_t done = sent < 0 ? 0 : (size_t)sent;
    if (done > 0)
        enter_sending(flow);
    if (done == size)
        return true;
    flow->unsent = malloc(size - done);
    if (flow->unsent == NULL)
        return false;
    memcpy(flow->unsent, bytes + done, size - done);
    flow->unsent_from = 0;
    flow->unsent_to = size - done;
    return true;
}

static bool send_unsent(struct flow *flow)
{
    char *kept = flow->unsent;
    flow->unsent = NULL;
    bool good = send_bytes(flow, kept + flow->unsent_from, flow->unsent_to - flow->unsent_from);
    free(kept);
    return good;
}

/* RFC 9112, 7.1. The bytes stand at `piece` + CHUNK_HEAD, with room for CHUNK_END behind them. */
static bool send_chunk(struct flow *flow, char *piece, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *at = piece + CHUNK_HEAD;
    memcpy(at + size, "\r\n", CHUNK_END);
    *--at = '\n';
    *--at = '\r';
    for (size_t rest = size; rest > 0; rest >>= 4)
        *--at = digits[rest & 15];
    return send_bytes(flow, at, (size_t)(piece + CHUNK_HEAD - at) + size + CHUNK_END);
}

static bool send_end(struct flow *flow)
{
    static const char last[] = "0\r\n\r\n";
    flow->ending = true;
    return send_bytes(flow, last, sizeof last - 1);
}

/* Sends what there is next. False if the connection is broken, or there is nothing: then the stream
 * rests. */
static bool send_piece(struct flow *flow, bool *rests)
{
    static const char heartbeat[] = ":\n\n";
    char piece[CHUNK_HEAD + PIECE_BYTES + CHUNK_END];
    if (flow->unsent != NULL)
        return send_unsent(flow);
    if (flow->flows->stopping)
        return send_end(flow);
    ssize_t given =
        feed_read(flow->reader, piece + CHUNK_HEAD, PIECE_BYTES, now_ms(CLOCK_REALTIME), flow);
    if (given == FEED_END)
        return send_end(flow);
    bool beat = flow->beat;
    flow->beat = false;
    if (given > 0)
        return send_chunk(flow, piece, (size_t)given);
    *rests = true;
    if (!beat)
        return true;
    memcpy(piece + CHUNK_HEAD, heartbeat, sizeof heartbeat - 1);
    return send_chunk(flow, piece, sizeof heartbeat - 1);
}

/* Sends until there is nothing more, the system takes no more, or it is others' turn. */
static void send_more(struct flow *flow)
{
    bool rests = false;
    for (unsigned i = 0; i < PIECES && !rests; i++) {
        if (!send_piece(flow, &rests) || (flow->ending && flow->unsent == NULL)) {
            end(flow);
            return;
        }
        if (flow->unsent != NULL)
            break;
    }
    rests = rests && flow->unsent == NULL;
    watch_room(flow, !rests);
    if (rests)
        enter_resting(flow);
    else if (flow->queue != &flow->flows->sending)
        enter_sending(flow);
}

/* The library keeps a descriptor that leads nowhere, and is told that the stream has ended: it
 * closes the connection when it cannot send the last chunk. (Of an answer that ends with an error
 * it would keep the connection until that times out.) It must have no interest in the socket while
 * that is exchanged: that is when it is suspended. */
static bool leave_library(struct flow *flow)
{
    int own = fcntl(flow->socket, F_DUPFD_CLOEXEC, 0);
    if (own < 0)
        return false;
    (void)epoll_ctl(flow->flows->poll, EPOLL_CTL_DEL, flow->socket, NULL);
    if (dup3(flow->flows->blank, flow->socket, O_CLOEXEC) < 0) {
        close(own);
        (void)watch(flow, EPOLL_CTL_ADD, EPOLLONESHOT);
        return false;
    }
    flow->socket = own;
    flow->place = PLACE_LEAVING;
    flow->flows->leaving++;
    MHD_resume_connection(flow->mhd);
    flow->mhd = NULL;
    return true;
}

bool flow_has_left(const struct flow *flow)
{
    return flow->place != PLACE_LIBRARY;
}

/* What the library has held back, to send it with more, goes out as well. */
void flow_go_on(struct flow *flow)
{
    flow->place = PLACE_OWN;
    flow->flows->leaving--;
    (void)setsockopt(flow->socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (flow->gone || !watch(flow, EPOLL_CTL_ADD, 0))
        end(flow);
    else
        send_more(flow);
}

/* ---- In the library ---- */

/* What is still to be fetched may be the last. */
static void rest(struct flow *flow, bool hungry)
{
    MHD_suspend_connection(flow->mhd);
    if (hungry || !leave_library(flow))
        enter_resting(flow);
}

/* The library's content reader. It is called again when what it returned has been sent. */
static ssize_t give(void *context, uint64_t position, char *bytes, size_t size)
{
    static const char heartbeat[] = ":\n\n";
    struct flow *flow = context;
    (void)position;
    if (flow->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (flow->place != PLACE_LIBRARY || flow->flows->stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    ssize_t given = feed_read(flow->reader, bytes, size, now_ms(CLOCK_REALTIME), flow);
    bool hungry = given == FEED_HUNGRY;
    if (given == FEED_END)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (hungry)
        given = 0;
    if (given == 0 && flow->beat && size >= sizeof heartbeat - 1) {
        given = sizeof heartbeat - 1;
        memcpy(bytes, heartbeat, (size_t)given);
    }
    flow->beat = false;
    if (given > 0)
        enter_sending(flow);
    else
        rest(flow, hungry);
    return given;
}

/* The library sends in chunks, straight from its own buffer, and has no use for a block. It does
 * not look at suspended connections. */
struct flow *flow_start(struct flows *flows, struct MHD_Connection *mhd, int socket,
                        struct feed_reader *reader, void *owner, struct MHD_Response **answer)
{
    enum { BLOCK_BYTES = 1 };
    struct flow *flow = calloc(1, sizeof *flow);
    if (flow == NULL)
        return NULL;
    *answer = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, give, flow, NULL);
    if (*answer == NULL) {
        free(flow);
        return NULL;
    }
    flow->flows = flows;
    flow->mhd = mhd;
    flow->socket = socket;
    flow->reader = reader;
    flow->owner = owner;
    counter_add(&flows->counts.begun, 1);
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BUFFER_BYTES}, sizeof(int));
    enter_sending(flow);
    (void)watch(flow, EPOLL_CTL_ADD, EPOLLONESHOT);
    return flow;
}

void flow_free(struct flow *flow)
{
    counter_add(&flow->flows->counts.ended, 1);
    leave(flow);
    (void)epoll_ctl(flow->flows->poll, EPOLL_CTL_DEL, flow->socket, NULL);
    if (flow->place != PLACE_LIBRARY)
        close(flow->socket);
    feed_close(flow->reader);
    free(flow->unsent);
    free(flow);
}

static void resume(struct flow *flow)
{
    if (flow->queue != &flow->flows->resting)
        return;
    if (flow->place == PLACE_OWN) {
        send_more(flow);
        return;
    }
    enter_sending(flow);
    MHD_resume_connection(flow->mhd);
}

/* ---- All streams ---- */

bool flows_init(struct flows *flows, const struct flow_config *config, struct feeds *feeds,
                void (*over)(void *owner))
{
    *flows = (struct flows){.config = config, .feeds = feeds, .over = over};
    flows->poll = epoll_create1(EPOLL_CLOEXEC);
    flows->blank = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return flows->poll >= 0 && flows->blank >= 0;
}

void flows_close(struct flows *flows)
{
    while (flows->sending.first != NULL)
        end(flows->sending.first);
    if (flows->poll >= 0)
        close(flows->poll);
    if (flows->blank >= 0)
        close(flows->blank);
}

int flows_fd(const struct flows *flows)
{
    return flows->poll;
}

/* A client that has closed one half only is taken as gone as well: it could not be told from one
 * that is. */
static void hang_up(struct flow *flow)
{
    flow->gone = true;
    if (flow->place == PLACE_OWN) {
        end(flow);
        return;
    }
    shutdown(flow->socket, SHUT_RDWR);
    resume(flow);
}

void flows_look(struct flows *flows)
{
    struct epoll_event event[SLICE];
    int count = epoll_wait(flows->poll, event, SLICE, 0);
    for (int i = 0; i < count; i++) {
        struct flow *flow = event[i].data.ptr;
        if ((event[i].events & ~(uint32_t)EPOLLOUT) != 0)
            hang_up(flow);
        else
            send_more(flow);
    }
}

void flows_wake(struct flows *flows)
{
    void *owner[SLICE];
    size_t count = feeds_take_awake(flows->feeds, owner, SLICE);
    for (size_t i = 0; i < count; i++)
        resume(owner[i]);
}

/* The system, or the library, tells later that it has gone. */
static void cut_off(struct flow *flow, struct counter *why)
{
    if (!flow->cut)
        counter_add(why, 1);
    flow->cut = true;
    shutdown(flow->socket, SHUT_RDWR);
}

static void send_heartbeat(struct flow *flow)
{
    flow->beat = true;
    resume(flow);
}

/* The share that is due in this time if they are spread evenly, of those that have rested for half
 * of it. */
static void beat_ahead(struct flows *flows, int64_t now)
{
    int64_t wait_ms = flows->config->heartbeat_ms;
    int64_t share = (int64_t)flows->resting.count * (now - flows->swept_ms) / wait_ms;
    for (; share > 0; share--) {
        struct flow *flow = flows->resting.first;
        if (flow == NULL || flow->due_ms - now > wait_ms / 2)
            return;
        send_heartbeat(flow);
    }
}

void flows_sweep(struct flows *flows)
{
    const int64_t now = now_ms(CLOCK_MONOTONIC);
    for (struct flow *each = flows->sending.first; each != NULL; each = each->next)
        if (each->due_ms <= now)
            cut_off(each, &flows->counts.stalled);
        else if (feed_lag(each->reader) > flows->config->lag_max)
            cut_off(each, &flows->counts.behind);
    if (flows->resting.count > 0)
        beat_ahead(flows, now);
    flows->swept_ms = now;
}

bool flows_beat(struct flows *flows)
{
    const int64_t now = now_ms(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < BEATS; i++) {
        struct flow *flow = flows->resting.first;
        if (flow == NULL || flow->due_ms > now)
            return false;
        send_heartbeat(flow);
    }
    return true;
}

void flows_stop(struct flows *flows)
{
    flows->stopping = true;
    int64_t last_ms = now_ms(CLOCK_MONOTONIC) + STOP_MS;
    for (struct flow *each = flows->sending.first; each != NULL; each = each->next)
        if (each->due_ms > last_ms)
            each->due_ms = last_ms;
    while (flows->resting.first != NULL)
        resume(flows->resting.first);
}

bool flows_are_leaving(const struct flows *flows)
{
    return flows->leaving > 0;
}

bool flows_are_resting(const struct flows *flows)
{
    return flows->resting.first != NULL;
}
