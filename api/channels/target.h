/* Which addresses this service sends to on behalf of people: those of the public internet. Whoever
 * enters an address for web push or a webhook must not reach what only this machine or its network
 * can. This is the one place that decides; api/channels/post.h asks it about each connection. */
#ifndef TILLROLL_API_CHANNELS_TARGET_H
#define TILLROLL_API_CHANNELS_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

enum { TARGET_URL_MAX = 1000 /* bytes */ };

/* Why `url` is not accepted, static: a clause that continues "The address "; NULL if it is. It must
 * be https (or http, if `private_too`), printable ASCII, without user and fragment, and name
 * neither this machine nor a host of a local network. What its name resolves to is not known here.
 * Pure. */
const char *target_fault(const char *url, bool private_too);

/* True of a unicast address of the public internet, by IANA's special-purpose registries (RFC
 * 6890). Not true of IPv4 addresses inside IPv6 (mapped, NAT64, 6to4, Teredo), which lead wherever
 * a gateway likes, nor of any other family. Pure. */
bool target_address_public(const struct sockaddr *address);

#endif
