#include "api/flow.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    SLICE = 256, /* streams that are woken in one turn of the loop */
    /* What the system may hold for a reader that does not read: its share of memory, beside
     * lag_max. */
    SEND_BUFFER_BYTES = 32 * 1024,
    STOP_MS = 1000 /* for a stream that is sending when all are to end */
};

struct flow {
    struct flow *previous, *next;
    struct flow_queue *queue;
    struct flows *flows;
    struct MHD_Connection *mhd;
    struct feed_reader *reader;
    int socket;
    bool beat; /* a heartbeat is due */
    bool gone; /* the client has hung up */
    int64_t due_ms;
};

static int64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

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
    flow->queue = NULL;
}

static void enter(struct flow *flow, struct flow_queue *queue, unsigned wait_ms)
{
    leave(flow);
    flow->queue = queue;
    flow->due_ms = clock_ms(CLOCK_MONOTONIC) + wait_ms;
    flow->previous = queue->last;
    flow->next = NULL;
    if (queue->last != NULL)
        queue->last->next = flow;
    else
        queue->first = flow;
    queue->last = flow;
}

static void rest(struct flow *flow)
{
    enter(flow, &flow->flows->resting, flow->flows->config->heartbeat_ms);
    MHD_suspend_connection(flow->mhd);
}

static void resume(struct flow *flow)
{
    if (flow->queue != &flow->flows->resting)
        return;
    enter(flow, &flow->flows->sending, flow->flows->config->stall_ms);
    MHD_resume_connection(flow->mhd);
}

/* ---- One stream ---- */

/* The library's content reader. It is called again when what it returned has been sent. */
static ssize_t give(void *context, uint64_t position, char *bytes, size_t size)
{
    static const char heartbeat[] = ":\n\n";
    struct flow *flow = context;
    (void)position;
    if (flow->gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (flow->flows->stopping)
        return MHD_CONTENT_READER_END_OF_STREAM;
    ssize_t given = feed_read(flow->reader, bytes, size, clock_ms(CLOCK_REALTIME), flow);
    if (given == FEED_END)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (given == FEED_WAIT && flow->beat && size >= sizeof heartbeat - 1) {
        given = sizeof heartbeat - 1;
        memcpy(bytes, heartbeat, (size_t)given);
    }
    flow->beat = false;
    if (given > 0)
        enter(flow, &flow->flows->sending, flow->flows->config->stall_ms);
    else
        rest(flow);
    return given;
}

static void watch_hangup(struct flow *flow)
{
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = flow};
    (void)epoll_ctl(flow->flows->hangups, EPOLL_CTL_ADD, flow->socket, &event);
}

/* The library sends in chunks, straight from its own buffer, and has no use for a block. */
struct flow *flow_start(struct flows *flows, struct MHD_Connection *mhd, int socket,
                        struct feed_reader *reader, struct MHD_Response **answer)
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
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BUFFER_BYTES}, sizeof(int));
    enter(flow, &flows->sending, flows->config->stall_ms);
    watch_hangup(flow);
    return flow;
}

void flow_free(struct flow *flow)
{
    leave(flow);
    (void)epoll_ctl(flow->flows->hangups, EPOLL_CTL_DEL, flow->socket, NULL);
    feed_close(flow->reader);
    free(flow);
}

/* ---- All streams ---- */

bool flows_init(struct flows *flows, const struct flow_config *config, struct feeds *feeds)
{
    *flows = (struct flows){.config = config, .feeds = feeds};
    flows->hangups = epoll_create1(EPOLL_CLOEXEC);
    return flows->hangups >= 0;
}

void flows_close(struct flows *flows)
{
    if (flows->hangups >= 0)
        close(flows->hangups);
}

int flows_hangup_fd(const struct flows *flows)
{
    return flows->hangups;
}

/* A client that has closed one half only is taken as gone as well: it could not be told from one
 * that is. */
void flows_hang_up(struct flows *flows)
{
    struct epoll_event event[SLICE];
    int count = epoll_wait(flows->hangups, event, SLICE, 0);
    for (int i = 0; i < count; i++) {
        struct flow *flow = event[i].data.ptr;
        flow->gone = true;
        shutdown(flow->socket, SHUT_RDWR);
        resume(flow);
    }
}

void flows_wake(struct flows *flows)
{
    void *owner[SLICE];
    size_t count = feeds_take_awake(flows->feeds, owner, SLICE);
    for (size_t i = 0; i < count; i++)
        resume(owner[i]);
}

static void cut_off(struct flow *flow)
{
    shutdown(flow->socket, SHUT_RDWR);
}

void flows_sweep(struct flows *flows)
{
    int64_t now_ms = clock_ms(CLOCK_MONOTONIC);
    for (struct flow *each = flows->sending.first; each != NULL; each = each->next)
        if (each->due_ms <= now_ms || feed_lag(each->reader) > flows->config->lag_max)
            cut_off(each);
}

bool flows_beat(struct flows *flows)
{
    int64_t now_ms = clock_ms(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < SLICE; i++) {
        struct flow *flow = flows->resting.first;
        if (flow == NULL || flow->due_ms > now_ms)
            return false;
        flow->beat = true;
        resume(flow);
    }
    return true;
}

void flows_stop(struct flows *flows)
{
    flows->stopping = true;
    int64_t last_ms = clock_ms(CLOCK_MONOTONIC) + STOP_MS;
    for (struct flow *each = flows->sending.first; each != NULL; each = each->next)
        if (each->due_ms > last_ms)
            each->due_ms = last_ms;
    while (flows->resting.first != NULL)
        resume(flows->resting.first);
}

bool flows_are_resting(const struct flows *flows)
{
    return flows->resting.first != NULL;
}
