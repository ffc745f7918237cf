/* `bench_sink`: stands for the push services and programs that notices are sent to, and costs next
 * to nothing, so that what is measured is the service. It answers 201 to every POST; to a GET, how
 * many there were. Requests are known by a Content-Length, and come one after another on
 * connections that stay open. Prints its port and runs until it is ended. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 1024, REQUEST_MAX = 16 * 1024, EVENTS = 64 };

/* What has come of a request on a connection; by descriptor. */
struct incoming {
    size_t size;
    char bytes[REQUEST_MAX + 1];
};

static struct incoming *connections[CONNECTIONS_MAX];
static unsigned long long count;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int listen_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, size) != 0 ||
        listen(listening, CONNECTIONS_MAX) != 0 ||
        getsockname(listening, (struct sockaddr *)&address, &size) != 0)
        fail("listen");
    printf("%u\n", (unsigned)ntohs(address.sin_port));
    (void)fflush(stdout);
    return listening;
}

static void begin(int poll, int listening)
{
    int on = 1;
    int socket = accept(listening, NULL, NULL);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
    if (socket < 0)
        return;
    if (socket >= CONNECTIONS_MAX) {
        close(socket);
        return;
    }
    if (connections[socket] == NULL)
        connections[socket] = malloc(sizeof *connections[socket]);
    if (connections[socket] == NULL ||
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) != 0)
        fail("accept");
    connections[socket]->size = 0;
}

/* Bytes of the first request; 0 while some are missing. */
static size_t request_size(struct incoming *incoming)
{
    incoming->bytes[incoming->size] = '\0';
    const char *end = strstr(incoming->bytes, "\r\n\r\n");
    if (end == NULL)
        return 0;
    const char *length = strcasestr(incoming->bytes, "\r\ncontent-length:");
    size_t body = length == NULL || length > end ? 0 : strtoul(length + 17, NULL, 10);
    size_t size = (size_t)(end - incoming->bytes) + 4 + body;
    return size <= incoming->size ? size : 0;
}

static void answer(int socket, const struct incoming *incoming)
{
    char text[128] = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
    if (strncmp(incoming->bytes, "GET", 3) == 0) {
        char body[32];
        int size = snprintf(body, sizeof body, "%llu", count);
        (void)snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", size,
                       body);
    } else {
        count++;
    }
    (void)!write(socket, text, strlen(text));
}

static void take(int socket)
{
    struct incoming *incoming = connections[socket];
    ssize_t got = read(socket, incoming->bytes + incoming->size, REQUEST_MAX - incoming->size);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        close(socket);
        return;
    }
    incoming->size += (size_t)got;
    for (size_t size; (size = request_size(incoming)) > 0;) {
        answer(socket, incoming);
        incoming->size -= size;
        memmove(incoming->bytes, incoming->bytes + size, incoming->size);
    }
}

int main(void)
{
    int poll = epoll_create1(EPOLL_CLOEXEC);
    int listening = listen_somewhere();
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening};
    if (poll < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, listening, &event) != 0)
        fail("epoll");
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == listening)
                begin(poll, listening);
            else
                take(events[i].data.fd);
        }
    }
}
