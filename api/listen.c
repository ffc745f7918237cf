#include "api/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LISTEN_BACKLOG = 512 };

static int fail(struct text *error, const char *what, const char *why)
{
    text_add(error, what);
    text_add(error, ": ");
    text_add(error, why);
    text_add(error, ".");
    return -1;
}

static bool copy(char *to, size_t capacity, struct span from)
{
    if (from.length == 0 || from.length >= capacity)
        return false;
    memcpy(to, from.at, from.length);
    to[from.length] = '\0';
    return true;
}

/* Splits `host:port` or `[host]:port`. */
static bool split(const char *address, char host[static 64], char port[static 6])
{
    const char *colon = strrchr(address, ':');
    if (colon == NULL || !copy(port, 6, span_of(colon + 1)))
        return false;
    struct span name = {address, (size_t)(colon - address)};
    if (name.length >= 2 && name.at[0] == '[' && name.at[name.length - 1] == ']')
        name = (struct span){name.at + 1, name.length - 2};
    uint64_t number;
    return span_number(span_of(port), 65535, &number) && copy(host, 64, name);
}

static struct addrinfo *resolve(const char *address)
{
    char host[64];
    char port[6];
    if (!split(address, host, port))
        return NULL;
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    return getaddrinfo(host, port, &hints, &found) == 0 ? found : NULL;
}

static bool set_option(int socket, int level, int option, int value)
{
    return setsockopt(socket, level, option, &value, sizeof value) == 0;
}

static bool bind_and_listen(int socket, const struct addrinfo *where)
{
    if (where->ai_family == AF_INET6 && !set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0))
        return false;
    return set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1) &&
           bind(socket, where->ai_addr, where->ai_addrlen) == 0 &&
           listen(socket, LISTEN_BACKLOG) == 0;
}

static unsigned port_of(int socket)
{
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } bound = {0};
    socklen_t size = sizeof bound;
    if (getsockname(socket, &bound.any, &size) != 0)
        return 0;
    return ntohs(bound.any.sa_family == AF_INET6 ? bound.ipv6.sin6_port : bound.ipv4.sin_port);
}

int listen_on(const char *address, unsigned *port, struct text *error)
{
    struct addrinfo *where = resolve(address);
    if (where == NULL)
        return fail(error, address, "not an address with port, such as 127.0.0.1:8080");
    int listening = socket(where->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool bound = listening >= 0 && bind_and_listen(listening, where);
    int reason = errno;
    freeaddrinfo(where);
    if (!bound) {
        if (listening >= 0)
            close(listening);
        return fail(error, address, strerrordesc_np(reason));
    }
    *port = port_of(listening);
    return listening;
}
