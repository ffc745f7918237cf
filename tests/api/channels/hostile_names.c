/* Preloaded into a service (tests/api/channels/targets.test.mjs): the names below hostile.example,
 * as a hostile name server would resolve them. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int resolve(const char *node, const char *service, const struct addrinfo *hints,
                    struct addrinfo **result);

/* `rebind` is at an address of nobody at first (one that does not answer), then here. */
static atomic_int rebinds;

static int numeric(const char *address, const char *service, const struct addrinfo *hints,
                   struct addrinfo **result)
{
    resolve *real;
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    struct addrinfo wanted = *hints;
    wanted.ai_family = AF_UNSPEC;
    return real(address, service, &wanted, result);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result)
{
    resolve *real;
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    char name[64];
    int a, b, c, d;
    if (node == NULL || hints == NULL || strstr(node, ".hostile.example") == NULL)
        return real(node, service, hints, result);
    if (sscanf(node, "v4-%d-%d-%d-%d", &a, &b, &c, &d) == 4) {
        snprintf(name, sizeof name, "%d.%d.%d.%d", a, b, c, d);
        return numeric(name, service, hints, result);
    }
    if (strncmp(node, "v6-loopback", 11) == 0)
        return numeric("::1", service, hints, result);
    if (strncmp(node, "v6-mapped", 9) == 0)
        return numeric("::ffff:127.0.0.1", service, hints, result);
    if (strncmp(node, "v6-nat64", 8) == 0)
        return numeric("64:ff9b::7f00:1", service, hints, result);
    if (strncmp(node, "v6-metadata", 11) == 0)
        return numeric("fd00:ec2::254", service, hints, result);
    if (strncmp(node, "rebind", 6) == 0)
        return numeric(atomic_fetch_add(&rebinds, 1) == 0 ? "192.0.1.1" : "127.0.0.1", service,
                       hints, result);
    /* `both`: two addresses of this machine. */
    int outcome = numeric("::1", service, hints, result);
    return outcome != 0 ? outcome : numeric("127.0.0.1", service, hints, &(*result)->ai_next);
}
