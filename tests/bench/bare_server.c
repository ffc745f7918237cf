/* `bench_bare_server BYTES FIELDS`: answers every request with the same BYTES of body and FIELDS
 * header fields of its own (libmicrohttpd adds Date and Content-Length), and does nothing else.
 * What a service could reach at best with the same library and the same kind of loop. Prints its
 * port and runs until it is ended. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "engine/base/text.h"

enum { CONNECTIONS_MAX = 4096, CONNECTION_MEMORY = 32 * 1024 };

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **place)
{
    (void)url;
    (void)method;
    (void)version;
    (void)upload;
    if (*place == NULL) {
        *place = context;
        return MHD_YES;
    }
    *upload_size = 0;
    return MHD_queue_response(connection, MHD_HTTP_OK, context);
}

static struct MHD_Response *make_response(size_t bytes, unsigned fields)
{
    char *body = malloc(bytes + 1);
    if (body == NULL)
        abort();
    memset(body, 'x', bytes);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(bytes, body, MHD_RESPMEM_MUST_FREE);
    for (unsigned i = 0; i < fields; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "X-Field-%u", i);
        if (MHD_add_response_header(response, name, "a value of usual length") != MHD_YES)
            abort();
    }
    return response;
}

static struct MHD_Daemon *start(struct MHD_Response *response)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, answer, response, MHD_OPTION_SOCK_ADDR,
                            &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
                            MHD_OPTION_END);
}

/* The same loop as api/http/server.c has: an epoll of our own around the library's. */
static void run(struct MHD_Daemon *daemon)
{
    int poll = epoll_create1(EPOLL_CLOEXEC);
    int inner = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    struct epoll_event event = {.events = EPOLLIN};
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, inner, &event) != 0)
        abort();
    for (;;) {
        MHD_UNSIGNED_LONG_LONG wanted;
        int wait_ms =
            MHD_get_timeout(daemon, &wanted) == MHD_YES && wanted < 250 ? (int)wanted : 250;
        epoll_wait(poll, &event, 1, wait_ms);
        MHD_run(daemon);
    }
}

int main(int argc, char **argv)
{
    uint64_t bytes;
    uint64_t fields;
    if (argc != 3 || !span_number(span_of(argv[1]), 1 << 28, &bytes) ||
        !span_number(span_of(argv[2]), 32, &fields)) {
        (void)fprintf(stderr, "usage: bench_bare_server BYTES FIELDS\n");
        return 2;
    }
    struct MHD_Daemon *daemon = start(make_response((size_t)bytes, (unsigned)fields));
    if (daemon == NULL)
        return 1;
    printf("%u\n", (unsigned)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    (void)fflush(stdout);
    run(daemon);
}
