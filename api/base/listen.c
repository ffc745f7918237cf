#include "api/base/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* INHERITED is the first descriptor that a service manager passes on. */
enum { LISTEN_BACKLOG = 512, INHERITED = 3 };

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

/* Returns the addresses of this family; NULL if there are none. */
static struct addrinfo *look_up(const char *host, const char *port, int family)
{
    struct addrinfo hints = {
        .ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    return getaddrinfo(host, port, &hints, &found) == 0 ? found : NULL;
}

static struct addrinfo *resolve(const char *address)
{
    char host[64];
    char port[6];
    if (!split(address, host, port))
        return NULL;
    struct addrinfo *found = look_up(host, port, AF_INET);
    return found != NULL ? found : look_up(host, port, AF_UNSPEC);
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

bool listen_address_good(const char *address)
{
    struct addrinfo *where = resolve(address);
    if (where == NULL)
        return false;
    freeaddrinfo(where);
    return true;
}

static uint64_t number_in_environment(const char *name)
{
    uint64_t number = 0;
    const char *value = getenv(name);
    if (value != NULL)
        (void)span_number(span_of(value), INT32_MAX, &number);
    return number;
}

/* The variables count only if LISTEN_PID is this process: they may have been meant for its
 * parent. */
static uint64_t inherited_count(void)
{
    return number_in_environment("LISTEN_PID") == (uint64_t)getpid()
               ? number_in_environment("LISTEN_FDS")
               : 0;
}

static int option_of(int socket, int option)
{
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

static int take_inherited(unsigned *port, struct text *error)
{
    int domain = option_of(INHERITED, SO_DOMAIN);
    if (inherited_count() != 1 || (domain != AF_INET && domain != AF_INET6) ||
        option_of(INHERITED, SO_TYPE) != SOCK_STREAM || option_of(INHERITED, SO_ACCEPTCONN) != 1)
        return fail(error, "LISTEN_FDS", "hand over one listening TCP socket");
    int flags = fcntl(INHERITED, F_GETFL);
    if (flags < 0 || fcntl(INHERITED, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(INHERITED, F_SETFD, FD_CLOEXEC) != 0)
        return fail(error, "LISTEN_FDS", strerrordesc_np(errno));
    *port = port_of(INHERITED);
    return INHERITED;
}

int listen_on(const char *address, unsigned *port, struct text *error)
{
    return inherited_count() > 0 ? take_inherited(port, error) : listen_at(address, port, error);
}

int listen_at(const char *address, unsigned *port, struct text *error)
{
    struct addrinfo *where = resolve(address);
    if (where == NULL)
        return fail(error, address,
                    "not an address or a known name with port, such as 127.0.0.1:8080");
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
