#include "api/cli/load/load_connect.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool split(const char *url, char host[static 256], char port[static 8])
{
    static const char scheme[] = "http://";
    if (strncmp(url, scheme, sizeof scheme - 1) != 0)
        return false;
    const char *start = url + sizeof scheme - 1;
    const char *colon = strrchr(start, ':');
    if (colon == NULL || colon == start || colon - start >= 256)
        return false;
    size_t port_length = strcspn(colon + 1, "/");
    if (port_length == 0 || port_length > 5)
        return false;
    memcpy(host, start, (size_t)(colon - start));
    host[colon - start] = '\0';
    memcpy(port, colon + 1, port_length);
    port[port_length] = '\0';
    return true;
}

bool load_server_find(const char *url, struct load_server *server, struct text *error)
{
    char host[256];
    char port[8];
    struct addrinfo *found;
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    if (!split(url, host, port)) {
        text_add(error, "--server takes http://host:port");
        return false;
    }
    if (getaddrinfo(host, port, &wanted, &found) != 0) {
        text_add(error, "there is no host ");
        text_add(error, host);
        return false;
    }
    memcpy(&server->address, found->ai_addr, found->ai_addrlen);
    server->address_length = found->ai_addrlen;
    freeaddrinfo(found);
    (void)snprintf(server->host, sizeof server->host, "%.240s:%s", host, port);
    return true;
}

int load_connect(const struct load_server *server)
{
    int on = 1;
    int fd = socket(server->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (const struct sockaddr *)&server->address, server->address_length) == 0 &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
        fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
        return fd;
    close(fd);
    return -1;
}
