/* Many connections to one server, each of which sends a request, waits for the response, and sends
 * the next: a closed loop on one thread and one epoll. The mode writes the requests, and judges the
 * responses.
 *
 *      ask ──> send ──> answer ──> judge ──┬──> ask ...
 *                                          └──> think ──> ask ... */
#ifndef TILLROLL_API_CLI_LOAD_LOAD_LOOP_H
#define TILLROLL_API_CLI_LOAD_LOAD_LOOP_H

#include "api/cli/load/load_connect.h"
#include "api/cli/load/load_reader.h"
#include "api/cli/load/load_samples.h"

enum { LOAD_CONNECTIONS_MAX = 19000, LOAD_REQUEST_MAX = 2048 };

struct load_answer {
    int status;
    struct span body; /* or its beginning, if longer than READER_KEPT */
    bool counts;      /* the response came after the warm-up and before the end */
};

struct load_mode {
    void *context;
    /* Writes a connection's next request into `request`, which is empty. False if there is none. */
    bool (*ask)(void *context, unsigned connection, struct text *request);
    /* Processes the response to that request. */
    void (*answered)(void *context, unsigned connection, const struct load_answer *answer);
};

struct load_plan {
    struct load_server server;
    struct load_mode mode;
    unsigned connections;
    int64_t warm_up_ns, duration_ns;
    int64_t think_ns; /* mean time between a response and the next request; 0 = none */
    bool lock_step;   /* all send at the same moment, and again when all have responses */
};

enum { LOAD_STATUS_END = 600 };

struct load_result {
    struct samples times;
    uint64_t status[LOAD_STATUS_END]; /* responses by status */
    uint64_t answers;                 /* received before the end */
    uint64_t body_bytes;
    uint64_t broken;     /* requests whose connection was closed or gave an invalid response */
    uint64_t unanswered; /* requests without a response some seconds after the end */
    bool ran_out;        /* a connection ran out of requests before the end */
    double seconds;      /* counted */
    double client_us;    /* CPU time of this process per response, microseconds */
};

/* Runs until the time is over. False with a message in `error` if the connections cannot be opened.
 * The caller frees result->times. */
bool load_run(const struct load_plan *plan, struct load_result *result, struct text *error);

/* Monotonic time in nanoseconds. */
int64_t load_now_ns(void);

#endif
