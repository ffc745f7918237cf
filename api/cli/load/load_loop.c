#include "api/cli/load/load_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/arena.h"

enum { EVENTS = 256, SCRATCH = 256 * 1024 };
static const int64_t second_ns = INT64_C(1000000000);
static const int64_t patience_ns =
    INT64_C(5000000000); /* how long to wait for responses after the end */

struct connection {
    int fd; /* -1 = closed */
    bool waiting;
    int64_t sent_ns;
    struct reader reader;
};

/* Thinking connections, ordered by the time of their next request (a binary heap). */
struct thinker {
    int64_t due_ns;
    unsigned connection;
};

struct loop {
    const struct load_plan *plan;
    struct load_result *result;
    struct connection *connection;
    struct thinker *thinker;
    size_t thinkers;
    unsigned waiting; /* connections with a pending request */
    int poll;
    uint64_t luck;
    bool counting, ended;
    int64_t count_from_ns, end_ns;
    char *scratch;
};

int64_t load_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * second_ns + now.tv_nsec;
}

/* ---- Thinking ---- */

static void swap_thinkers(struct thinker *a, struct thinker *b)
{
    struct thinker kept = *a;
    *a = *b;
    *b = kept;
}

static void think_until(struct loop *loop, unsigned connection, int64_t due_ns)
{
    size_t i = loop->thinkers++;
    struct thinker *heap = loop->thinker;
    heap[i] = (struct thinker){due_ns, connection};
    while (i > 0 && heap[i].due_ns < heap[(i - 1) / 2].due_ns) {
        swap_thinkers(&heap[i], &heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
}

static unsigned take_thinker(struct loop *loop)
{
    struct thinker *heap = loop->thinker;
    unsigned connection = heap[0].connection;
    size_t count = --loop->thinkers;
    heap[0] = heap[count];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2; child++)
            if (child < count && heap[child].due_ns < heap[least].due_ns)
                least = child;
        if (least == i)
            return connection;
        swap_thinkers(&heap[i], &heap[least]);
        i = least;
    }
}

/* Returns 0 .. n - 1 (xorshift64): good enough to vary thinking times. */
static int64_t random_below(struct loop *loop, int64_t n)
{
    loop->luck ^= loop->luck << 13;
    loop->luck ^= loop->luck >> 7;
    loop->luck ^= loop->luck << 17;
    return (int64_t)(loop->luck >> 1) % n;
}

/* ---- Sending ---- */

static bool open_connection(struct loop *loop, unsigned number)
{
    struct connection *connection = &loop->connection[number];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    reader_clear(&connection->reader);
    connection->waiting = false;
    connection->fd = load_connect(&loop->plan->server);
    return connection->fd >= 0 && epoll_ctl(loop->poll, EPOLL_CTL_ADD, connection->fd, &event) == 0;
}

/* Closes a connection and opens it again. */
static void renew(struct loop *loop, unsigned number)
{
    struct connection *connection = &loop->connection[number];
    if (connection->waiting)
        loop->waiting--;
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
    if (!loop->ended && !open_connection(loop, number) && connection->fd >= 0) {
        close(connection->fd);
        connection->fd = -1;
    }
}

/* Schedules another request after the server was down or closed the connection. In lock-step mode,
 * all connections send together anyway. */
static void try_later(struct loop *loop, unsigned number)
{
    const int64_t pause_ns = second_ns / 20;
    if (!loop->plan->lock_step)
        think_until(loop, number, load_now_ns() + pause_ns);
}

static void ask(struct loop *loop, unsigned number)
{
    struct connection *connection = &loop->connection[number];
    const struct load_mode *mode = &loop->plan->mode;
    char bytes[LOAD_REQUEST_MAX];
    struct text request = TEXT_OVER(bytes);
    if (loop->ended)
        return;
    if (connection->fd < 0)
        renew(loop, number);
    if (connection->fd < 0) {
        try_later(loop, number);
        return;
    }
    if (!mode->ask(mode->context, number, &request) || request.overflow) {
        loop->result->ran_out = true;
        return;
    }
    connection->sent_ns = load_now_ns();
    connection->waiting = true;
    loop->waiting++;
    /* A request is small and nothing else is being sent, so it is sent whole or not at all. */
    if (send(connection->fd, bytes, request.length, MSG_NOSIGNAL) != (ssize_t)request.length) {
        loop->result->broken++;
        renew(loop, number);
        try_later(loop, number);
    }
}

static void ask_all(struct loop *loop)
{
    for (unsigned i = 0; i < loop->plan->connections; i++)
        ask(loop, i);
}

static void begin_asking(struct loop *loop, int64_t now_ns)
{
    if (loop->plan->think_ns == 0) {
        ask_all(loop);
        return;
    }
    for (unsigned i = 0; i < loop->plan->connections; i++)
        think_until(loop, i, now_ns + random_below(loop, loop->plan->think_ns));
}

static void ask_next(struct loop *loop, unsigned number, int64_t now_ns)
{
    int64_t think_ns = loop->plan->think_ns;
    if (loop->plan->lock_step)
        return;
    if (think_ns == 0)
        ask(loop, number);
    else
        think_until(loop, number, now_ns + think_ns / 2 + random_below(loop, think_ns));
}

/* ---- Responses ---- */

static void count_answer(struct loop *loop, const struct connection *connection, int64_t now_ns)
{
    struct load_result *result = loop->result;
    if (!loop->counting)
        return;
    result->status[connection->reader.status]++;
    result->body_bytes += connection->reader.body_length;
    result->answers += !loop->ended;
    samples_add(&result->times, now_ns - connection->sent_ns);
}

static void take_answer(struct loop *loop, unsigned number)
{
    struct connection *connection = &loop->connection[number];
    const struct load_mode *mode = &loop->plan->mode;
    const struct load_answer answer = {connection->reader.status, reader_body(&connection->reader),
                                       loop->counting && !loop->ended};
    int64_t now_ns = load_now_ns();
    bool close_after = connection->reader.close;
    loop->waiting--;
    connection->waiting = false;
    count_answer(loop, connection, now_ns);
    mode->answered(mode->context, number, &answer);
    reader_clear(&connection->reader);
    if (close_after)
        renew(loop, number);
    ask_next(loop, number, now_ns);
}

/* A connection that closes while idle (keep-alive timeout) is not an error. */
static void handle_close(struct loop *loop, unsigned number)
{
    loop->result->broken += loop->connection[number].waiting && loop->counting;
    bool waited = loop->connection[number].waiting;
    renew(loop, number);
    if (waited)
        ask_next(loop, number, load_now_ns());
}

static void receive(struct loop *loop, unsigned number)
{
    struct connection *connection = &loop->connection[number];
    size_t size = SCRATCH;
    if (connection->fd < 0)
        return;
    char *room = reader_room(&connection->reader, loop->scratch, &size);
    ssize_t come = recv(connection->fd, room, size, 0);
    if (come < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (come <= 0 || !connection->waiting) {
        handle_close(loop, number);
        return;
    }
    switch (reader_take(&connection->reader, (size_t)come)) {
    case READER_MORE:
        break;
    case READER_WHOLE:
        take_answer(loop, number);
        break;
    case READER_BROKEN:
        handle_close(loop, number);
        break;
    }
}

/* ---- Time ---- */

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void start_counting(struct loop *loop, int64_t now_ns)
{
    struct load_result *result = loop->result;
    samples_clear(&result->times);
    result->client_us = -cpu_seconds();
    loop->counting = true;
    loop->count_from_ns = now_ns;
}

static void stop_counting(struct loop *loop, int64_t now_ns)
{
    struct load_result *result = loop->result;
    result->seconds = 1e-9 * (double)(now_ns - loop->count_from_ns);
    result->client_us += cpu_seconds();
    if (result->answers > 0)
        result->client_us *= 1e6 / (double)result->answers;
    loop->ended = true;
}

static void wake_thinkers(struct loop *loop, int64_t now_ns)
{
    while (loop->thinkers > 0 && loop->thinker[0].due_ns <= now_ns)
        ask(loop, take_thinker(loop));
}

static struct timespec time_to_wait(const struct loop *loop, int64_t now_ns)
{
    int64_t until_ns = loop->counting ? loop->end_ns : loop->count_from_ns;
    if (loop->ended)
        until_ns = loop->end_ns + patience_ns;
    else if (loop->thinkers > 0 && loop->thinker[0].due_ns < until_ns)
        until_ns = loop->thinker[0].due_ns;
    int64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    return (struct timespec){wait_ns / second_ns, wait_ns % second_ns};
}

static void poll_once(struct loop *loop)
{
    struct epoll_event event[EVENTS];
    struct timespec wait = time_to_wait(loop, load_now_ns());
    int count = epoll_pwait2(loop->poll, event, EVENTS, &wait, NULL);
    for (int i = 0; i < count; i++)
        receive(loop, event[i].data.u32);
    int64_t now_ns = load_now_ns();
    if (!loop->counting && now_ns >= loop->count_from_ns)
        start_counting(loop, now_ns);
    if (!loop->ended && loop->counting && now_ns >= loop->end_ns)
        stop_counting(loop, now_ns);
    wake_thinkers(loop, now_ns);
    if (loop->plan->lock_step && loop->waiting == 0)
        ask_all(loop);
}

static bool is_over(const struct loop *loop)
{
    if (loop->ended)
        return loop->waiting == 0 || load_now_ns() >= loop->end_ns + patience_ns;
    return loop->waiting == 0 && loop->thinkers == 0;
}

/* ---- Running ---- */

static bool open_all(struct loop *loop, struct text *error)
{
    for (unsigned i = 0; i < loop->plan->connections; i++)
        loop->connection[i].fd = -1;
    for (unsigned i = 0; i < loop->plan->connections; i++) {
        if (open_connection(loop, i))
            continue;
        text_add(error, "cannot open connection ");
        text_add_number(error, i + 1);
        text_add(error, ": ");
        text_add(error, strerror(errno));
        return false;
    }
    return true;
}

static void free_loop(struct loop *loop)
{
    for (unsigned i = 0; i < loop->plan->connections; i++)
        if (loop->connection[i].fd >= 0)
            close(loop->connection[i].fd);
    close(loop->poll);
    free(loop->connection);
    free(loop->thinker);
    free(loop->scratch);
}

bool load_run(const struct load_plan *plan, struct load_result *result, struct text *error)
{
    struct loop loop = {.plan = plan, .result = result, .luck = 88172645463325252ULL};
    *result = (struct load_result){.answers = 0};
    loop.connection = must(calloc(plan->connections, sizeof *loop.connection));
    loop.thinker = must(calloc(plan->connections, sizeof *loop.thinker));
    loop.scratch = must(malloc(SCRATCH));
    loop.poll = epoll_create1(EPOLL_CLOEXEC);
    bool open = open_all(&loop, error);
    if (open) {
        int64_t now_ns = load_now_ns();
        loop.count_from_ns = now_ns + plan->warm_up_ns;
        loop.end_ns = loop.count_from_ns + plan->duration_ns;
        if (plan->warm_up_ns == 0)
            start_counting(&loop, now_ns);
        begin_asking(&loop, now_ns);
        while (!is_over(&loop))
            poll_once(&loop);
        if (!loop.ended)
            stop_counting(&loop, load_now_ns());
        result->unanswered = loop.waiting;
        samples_sort(&result->times);
    }
    free_loop(&loop);
    return open;
}
