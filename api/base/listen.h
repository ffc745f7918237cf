/* A listening TCP socket from an address in text. */
#ifndef TILLROLL_API_BASE_LISTEN_H
#define TILLROLL_API_BASE_LISTEN_H

#include "engine/base/text.h"

/* Opens a listening socket. A socket from the service manager (LISTEN_PID and LISTEN_FDS, see
 * sd_listen_fds(3)) is used whatever the address; it must be a single listening TCP socket.
 * Otherwise listens on an address with port, `127.0.0.1:8080` or `[::1]:8080`; `[::]` accepts IPv4
 * as well; port 0 = any free one. A name such as `localhost` is looked up once: its first IPv4
 * address is used, or its first address if it has no IPv4 one. Returns a non-blocking socket that
 * the caller closes, and its port; or -1 with a sentence in `error`. */
int listen_on(const char *address, unsigned *port, struct text *error);

/* The same, ignoring a socket from the service manager. */
int listen_at(const char *address, unsigned *port, struct text *error);

/* True if listen_on() could read this address, and look up its name if it has one. */
bool listen_address_good(const char *address);

#endif
