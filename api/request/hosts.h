/* The host names under which a service answers.
 *
 * A page on the internet can let its own name resolve to an address in a visitor's network (DNS
 * rebinding). For the browser, a service at that address is then of the page's own origin: the page
 * can read data that is meant for that network alone, and write. But its requests have the page's
 * name as Host, which the page cannot change. So requests from private networks must name an
 * address, a name that the internet's DNS does not resolve, or the site's own address. A proxy
 * checks names itself, and data that can be reached from the internet is public anyway.
 */
#ifndef TILLROLL_API_REQUEST_HOSTS_H
#define TILLROLL_API_REQUEST_HOSTS_H

#include "api/http/http.h"

/* True if the service answers requests with this Host. `site` is the site's address, such as
 * `https://club.example`, or NULL if it is not known. Pure; any thread. */
bool hosts_know(const struct http_request *request, const char *site);

/* True if the request came directly from a private network, under a name that can have no TLS: an
 * address, a name of that network, or the site's own name if its address begins with `http://`.
 * Pure; any thread. */
bool hosts_at_home(const struct http_request *request, const char *site);

#endif
