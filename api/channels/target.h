/* The addresses to which this service sends on behalf of people: those of the public internet. An
 * address entered for web push or a webhook must not reach hosts that only this machine or its
 * network can reach. This is the only place that decides so; api/channels/post.h asks it about each
 * connection. */
#ifndef TILLROLL_API_CHANNELS_TARGET_H
#define TILLROLL_API_CHANNELS_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

enum { TARGET_URL_MAX = 1000 /* bytes */ };

/* The reason why `url` is refused, as a static clause that continues "The address "; NULL if it is
 * accepted. It must be https (or http, if `private_too`), printable ASCII, without user and
 * fragment, and name neither this machine nor a host of a local network. Does not resolve the name.
 * Pure. */
const char *target_fault(const char *url, bool private_too);

/* True for a unicast address of the public internet, by IANA's special-purpose registries (RFC
 * 6890). False for IPv4 addresses inside IPv6 (mapped, NAT64, 6to4, Teredo), which lead wherever a
 * gateway sends them, and for any other family. Pure. */
bool target_address_public(const struct sockaddr *address);

#endif
