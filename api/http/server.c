/* The loop: an epoll that contains libmicrohttpd's epoll and all other sources of events.
 * libmicrohttpd's own thread is not used: in 0.9.75 it sleeps for ever after exactly 128 sockets
 * were ready together, and this loop can also wait for finished work and signals.
 */
#include "api/http/server.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "api/base/listen.h"
#include "api/http/peers.h"
#include "api/http/traffic.h"
#include "db/link/now.h"

/* A connection's memory holds the largest head that the gate accepts (HTTP_HEAD_MAX), with
 * libmicrohttpd's data for each field, and the head of the response. It is most of the cost of an
 * idle stream. */
enum { SWEEP_MS = 250, CONNECTION_MEMORY = 10 * 1024 };

struct watched {
    int fd;
    void (*ready)(void *context);
    void *context;
};

struct server {
    struct server_config config;
    struct traffic traffic;
    struct MHD_Daemon *daemon;
    int listening; /* -1 once the server has stopped accepting */
    unsigned port;
    int poll;
    int stop_event;       /* written by server_stop() */
    int signals;          /* SIGINT and SIGTERM */
    int timer;            /* for the sweep */
    bool heartbeats_left; /* heartbeats are due that the last turn has not sent */
    struct watched watched[SERVER_WATCHES];
    size_t watched_count;
    sigset_t signals_before;
    _Atomic bool asked_to_stop;
    _Atomic clockid_t loop_clock; /* processor time of the loop thread; 0 = not yet known */
};

/* -- setting up -- */

/* libmicrohttpd's messages may quote bytes from clients, which must not be logged. */
static void discard_message(void *context, const char *format, va_list values)
{
    (void)context;
    (void)format;
    (void)values;
}

/* libmicrohttpd keeps its lax setting: it only gets input that has passed the intake, and the gate
 * answers the rest that the strict setting would refuse (no Host) with a problem document. */
static struct MHD_Daemon *start_daemon(struct server *server)
{
    const struct server_config *config = &server->config;
    struct MHD_OptionItem options[TRAFFIC_OPTIONS];
    traffic_options(&server->traffic, options);
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL,
                            NULL, traffic_handle, &server->traffic, MHD_OPTION_EXTERNAL_LOGGER,
                            discard_message, NULL, MHD_OPTION_LISTEN_SOCKET, server->listening,
                            MHD_OPTION_CONNECTION_LIMIT, config->connections_max,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                            MHD_OPTION_CONNECTION_TIMEOUT, (config->idle_ms + 999) / 1000,
                            MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static bool watch(const struct server *server, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(server->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Threads inherit the blocked signals, so that only the signalfd sees them. */
static void block_signals(struct server *server, sigset_t *ours)
{
    sigemptyset(ours);
    sigaddset(ours, SIGINT);
    sigaddset(ours, SIGTERM);
    pthread_sigmask(SIG_BLOCK, ours, &server->signals_before);
}

static int sweep_timer(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    struct timespec period = {0, SWEEP_MS * 1000000L};
    if (timer >= 0)
        timerfd_settime(timer, 0, &(struct itimerspec){period, period}, NULL);
    return timer;
}

static bool open_descriptors(struct server *server)
{
    sigset_t ours;
    block_signals(server, &ours);
    server->poll = epoll_create1(EPOLL_CLOEXEC);
    server->stop_event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    server->signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    server->timer = sweep_timer();
    return server->poll >= 0 && watch(server, server->stop_event) &&
           watch(server, server->signals) && watch(server, server->timer);
}

/* Starts no workers if `threads` is 0. */
static bool start_pool(struct server *server, enum traffic_pool pool, unsigned threads,
                       unsigned queue_max)
{
    if (threads == 0)
        return true;
    bool fetches = pool == POOL_FETCH;
    struct workers *workers = workers_new(threads, fetches ? TRAFFIC_FETCHES : 1, queue_max,
                                          fetches              ? traffic_fetch
                                          : pool == POOL_PIECE ? traffic_piece
                                                               : traffic_work);
    server->traffic.pool[pool] = workers;
    return workers != NULL && watch(server, workers_done_fd(workers));
}

static bool start_workers(struct server *server)
{
    const struct server_config *config = &server->config;
    server->traffic.config = config;
    server->traffic.long_body_peers = peers_new(TRAFFIC_LONG_BODIES_OF_ONE);
    if (!connections_begin(&server->traffic.connections, config) ||
        server->traffic.long_body_peers == NULL ||
        !sse_writers_init(&server->traffic.sse_writers, &config->streams, config->broadcasts,
                          traffic_stream_over) ||
        !watch(server, sse_writers_fd(&server->traffic.sse_writers)) ||
        (config->broadcasts != NULL && !watch(server, broadcasts_awake_fd(config->broadcasts))))
        return false;
    return start_pool(server, POOL_ANSWER, config->workers, config->queue_max) &&
           start_pool(server, POOL_PASSWORD, config->password_workers,
                      config->password_queue_max) &&
           start_pool(server, POOL_STEP, config->step_workers, config->step_queue_max) &&
           start_pool(server, POOL_REPORT, config->report_workers, config->report_queue_max) &&
           start_pool(server, POOL_PIECE, config->piece_workers, TRAFFIC_LONG_BODIES) &&
           start_pool(server, POOL_FETCH, config->fetch_workers, config->fetch_queue_max);
}

static int daemon_poll(const struct server *server)
{
    return MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

static bool start(struct server *server, struct text *error)
{
    if (sodium_init() < 0 || !open_descriptors(server) || !start_workers(server)) {
        text_add(error, "The system has no descriptors or threads left for the server.");
        return false;
    }
    server->listening = listen_on(server->config.address, &server->port, error);
    if (server->listening < 0)
        return false;
    server->daemon = start_daemon(server);
    if (server->daemon != NULL && watch(server, daemon_poll(server)))
        return true;
    text_add(error, "The HTTP library did not start.");
    return false;
}

struct server *server_new(const struct server_config *config, struct text *error)
{
    struct server *server = malloc(sizeof *server);
    if (server == NULL) {
        text_add(error, "There is not enough memory for the server.");
        return NULL;
    }
    *server = (struct server){.config = *config,
                              .traffic.sse_writers.poll = -1,
                              .traffic.sse_writers.blank = -1,
                              .listening = -1,
                              .poll = -1,
                              .stop_event = -1,
                              .signals = -1,
                              .timer = -1};
    if (start(server, error))
        return server;
    server_free(server);
    return NULL;
}

unsigned server_port(const struct server *server)
{
    return server->port;
}

bool server_watch(struct server *server, int fd, void (*ready)(void *context), void *context)
{
    if (server->watched_count == SERVER_WATCHES || !watch(server, fd))
        return false;
    server->watched[server->watched_count++] = (struct watched){fd, ready, context};
    return true;
}

void server_answer(struct http_pending *pending)
{
    traffic_answer(pending);
}

bool server_pass_on(struct http_pending *pending)
{
    return traffic_pass_on(pending);
}

/* -- the loop -- */

/* Milliseconds that the loop may sleep. libmicrohttpd's inner epoll is edge-triggered: there may be
 * pending work for which no descriptor becomes readable. While connections are held,
 * MHD_get_timeout() always reports 0 ms and so hides other pending work; the loop then runs
 * libmicrohttpd a millisecond later in any case. */
static int sleep_ms(const struct server *server)
{
    MHD_UNSIGNED_LONG_LONG wanted;
    if (server->heartbeats_left || server->traffic.deferred != NULL ||
        sse_writers_are_leaving(&server->traffic.sse_writers))
        return 0;
    if (server->traffic.held > 0)
        return server->traffic.needs_run ? 0 : 1;
    if (MHD_get_timeout(server->daemon, &wanted) != MHD_YES || wanted > SWEEP_MS)
        return SWEEP_MS;
    return (int)wanted;
}

static void drain(int fd)
{
    char bytes[sizeof(struct signalfd_siginfo)];
    while (read(fd, bytes, sizeof bytes) > 0) {
    }
}

static void call_watched(const struct server *server, int fd)
{
    for (size_t i = 0; i < server->watched_count; i++)
        if (server->watched[i].fd == fd)
            server->watched[i].ready(server->watched[i].context);
}

/* Returns the workers with this descriptor, or NULL. */
static struct workers *find_workers(const struct traffic *traffic, int fd)
{
    for (size_t i = 0; i < POOLS; i++)
        if (traffic->pool[i] != NULL && workers_done_fd(traffic->pool[i]) == fd)
            return traffic->pool[i];
    return NULL;
}

/* Runs one turn of the loop. True if the server was asked to stop. */
static bool turn(struct server *server)
{
    enum { EVENTS = 16 };
    struct epoll_event event[EVENTS];
    bool stop = false;
    int count = epoll_wait(server->poll, event, EVENTS, sleep_ms(server));
    for (int i = 0; i < count; i++) {
        int fd = event[i].data.fd;
        struct workers *workers = find_workers(&server->traffic, fd);
        if (workers != NULL) {
            traffic_resume(workers);
        } else if (fd == sse_writers_fd(&server->traffic.sse_writers)) {
            sse_writers_look(&server->traffic.sse_writers);
        } else if (server->config.broadcasts != NULL &&
                   fd == broadcasts_awake_fd(server->config.broadcasts)) {
            sse_writers_wake(&server->traffic.sse_writers);
        } else if (fd == server->timer) {
            drain(fd);
            connections_sweep(&server->traffic.connections);
            sse_writers_sweep(&server->traffic.sse_writers);
        } else if (fd == server->stop_event || fd == server->signals) {
            drain(fd);
            stop = true;
        } else {
            call_watched(server, fd);
        }
    }
    server->heartbeats_left = sse_writers_beat(&server->traffic.sse_writers);
    server->traffic.needs_run = false;
    traffic_turn(&server->traffic);
    intakes_run(&server->traffic.connections.intakes, server->daemon);
    if (server->config.turned != NULL)
        server->config.turned(server->config.context);
    for (size_t i = 0; i < POOLS; i++)
        if (server->traffic.pool[i] != NULL)
            workers_hand_over(server->traffic.pool[i]);
    return stop;
}

/* -- figures -- */

static int64_t loop_cpu_us(const struct server *server)
{
    struct timespec used = {0, 0};
    clockid_t clock = atomic_load(&server->loop_clock);
    if (clock != 0)
        (void)clock_gettime(clock, &used);
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static void read_pools(const struct server *server, struct server_figures *figures)
{
    static const char *const name[POOLS] = {
        [POOL_ANSWER] = "answer", [POOL_PASSWORD] = "password", [POOL_STEP] = "step",
        [POOL_REPORT] = "report", [POOL_PIECE] = "piece",       [POOL_FETCH] = "fetch"};
    const struct server_config *config = &server->config;
    const unsigned most[POOLS] = {[POOL_ANSWER] = config->workers + config->queue_max,
                                  [POOL_PASSWORD] =
                                      config->password_workers + config->password_queue_max,
                                  [POOL_STEP] = config->step_workers + config->step_queue_max,
                                  [POOL_REPORT] = config->report_workers + config->report_queue_max,
                                  [POOL_PIECE] = config->piece_workers + TRAFFIC_LONG_BODIES,
                                  [POOL_FETCH] = config->fetch_workers + config->fetch_queue_max};
    static_assert(POOLS == (int)SERVER_POOLS, "all are told of");
    for (size_t i = 0; i < POOLS; i++) {
        struct workers *workers = server->traffic.pool[i];
        if (workers == NULL)
            continue;
        figures->pool[i].name = name[i];
        figures->pool[i].open = workers_open(workers);
        figures->pool[i].open_most = most[i];
    }
}

/* Counts of ends are read before counts of beginnings, so that the difference is never negative. */
void server_figures(const struct server *server, struct server_figures *figures)
{
    const struct connection_counts *connections = &server->traffic.connections.counts;
    const struct sse_writer_counts *sse_writers = &server->traffic.sse_writers.counts;
    uint64_t connections_ended = counter_read(&connections->ended);
    uint64_t streams_ended = counter_read(&sse_writers->ended);
    *figures =
        (struct server_figures){.connections_most = server->config.connections_max,
                                .connections_taken = counter_read(&connections->taken),
                                .connections_refused = counter_read(&connections->refused),
                                .connections_late = counter_read(&connections->late),
                                .connections_displaced = counter_read(&connections->displaced),
                                .streams_begun = counter_read(&sse_writers->begun),
                                .streams_stalled = counter_read(&sse_writers->stalled),
                                .streams_behind = counter_read(&sse_writers->behind),
                                .loop_cpu_us = loop_cpu_us(server)};
    figures->connections = figures->connections_taken - connections_ended;
    figures->streams = figures->streams_begun - streams_ended;
    read_pools(server, figures);
}

/* -- stopping -- */

/* Accepts connections that the system has already established, which it would reset when the socket
 * is closed. A socket of the service manager may fill as fast as it is emptied, so the turns are
 * limited; closing it here does not close it for the service manager. */
static void accept_waiting(struct server *server)
{
    enum { TURNS_MOST = 64 };
    struct pollfd listening = {.fd = server->listening, .events = POLLIN};
    for (int i = 0; i < TURNS_MOST && poll(&listening, 1, 0) == 1; i++)
        turn(server);
}

static void stop_listening(struct server *server)
{
    if (server->listening < 0)
        return;
    accept_waiting(server);
    MHD_quiesce_daemon(server->daemon);
    close(server->listening);
    server->listening = -1;
    sse_writers_stop(&server->traffic.sse_writers);
}

/* loop_clock 0 means unknown: the clock with that number is CLOCK_REALTIME, never a thread's. */
static void set_loop_clock(struct server *server)
{
    clockid_t clock;
    if (pthread_getcpuclockid(pthread_self(), &clock) == 0)
        atomic_store(&server->loop_clock, clock);
}

static void serve_until(struct server *server, int64_t end_ms)
{
    bool stop = false;
    while (!stop && now_ms(CLOCK_MONOTONIC) < end_ms)
        stop = turn(server);
}

/* A request may be on its way while its connection is still idle, so it gets a moment to arrive. */
static void finish(struct server *server, unsigned grace_ms)
{
    enum { ARRIVAL_MS = 250 };
    int64_t begin_ms = now_ms(CLOCK_MONOTONIC);
    int64_t end_ms = begin_ms + grace_ms;
    int64_t arrived_ms = begin_ms + (grace_ms < ARRIVAL_MS ? grace_ms : ARRIVAL_MS);
    while (server->traffic.connections.first != NULL && now_ms(CLOCK_MONOTONIC) < arrived_ms)
        turn(server);
    while (connections_are_busy(&server->traffic.connections) && now_ms(CLOCK_MONOTONIC) < end_ms) {
        connections_close_idle(&server->traffic.connections);
        turn(server);
    }
}

void server_run(struct server *server, unsigned drain_ms, unsigned grace_ms)
{
    set_loop_clock(server);
    serve_until(server, INT64_MAX);
    atomic_store(&server->asked_to_stop, true);
    server->traffic.stopping = true;
    serve_until(server, now_ms(CLOCK_MONOTONIC) + drain_ms);
    stop_listening(server);
    finish(server, grace_ms);
}

bool server_is_stopping(const struct server *server)
{
    return atomic_load(&server->asked_to_stop);
}

void server_stop(struct server *server)
{
    int before = errno;
    (void)eventfd_write(server->stop_event, 1);
    errno = before;
}

/* Finishes all connections: libmicrohttpd aborts the program if it is stopped with suspended ones.
 * A held connection's response is queued in one run of libmicrohttpd and sent in the next. */
static void finish_all(struct server *server)
{
    for (size_t i = 0; i < POOLS; i++)
        if (server->traffic.pool[i] != NULL)
            traffic_resume(server->traffic.pool[i]);
    traffic_wake_reads(&server->traffic);
    sse_writers_stop(&server->traffic.sse_writers);
    while (connections_are_at_work(&server->traffic.connections) ||
           sse_writers_are_resting(&server->traffic.sse_writers) ||
           sse_writers_are_leaving(&server->traffic.sse_writers))
        intakes_run(&server->traffic.connections.intakes, server->daemon);
    intakes_run(&server->traffic.connections.intakes, server->daemon);
}

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

void server_free(struct server *server)
{
    struct workers *const *workers = server->traffic.pool;
    for (size_t i = 0; i < POOLS; i++)
        if (workers[i] != NULL)
            workers_stop(workers[i]);
    if (server->daemon != NULL) {
        stop_listening(server);
        finish_all(server);
        MHD_stop_daemon(server->daemon);
    } else if (server->listening >= 0) {
        close(server->listening);
    }
    for (size_t i = 0; i < POOLS; i++)
        if (workers[i] != NULL)
            workers_free(workers[i]);
    traffic_free(&server->traffic);
    close_all((int[]){server->poll, server->stop_event, server->signals, server->timer}, 4);
    pthread_sigmask(SIG_SETMASK, &server->signals_before, NULL);
    free(server);
}
