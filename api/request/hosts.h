/* By which names a service lets itself be asked for.
 *
 * A page of the internet can have its own name stand for an address in the network of whoever reads
 * it (DNS rebinding). For the browser, a service at that address is then of the page's own origin:
 * the page can read what is meant for that network alone, and write. But what it asks for has its
 * name as the Host, which no page can change. So requests from private networks have to name an
 * address, or what the internet's DNS leads nowhere, or the site's own address. A proxy sees to its
 * names itself, and what comes from the internet is for everyone to read.
 */
#ifndef TILLROLL_API_REQUEST_HOSTS_H
#define TILLROLL_API_REQUEST_HOSTS_H

#include "api/http/http.h"

/* True if the service may be asked for by this request's Host. `site` is the site's address, such
 * as `https://club.example`, or NULL if it is not known. Pure; any thread. */
bool hosts_know(const struct http_request *request, const char *site);

/* True if the request came straight from a private network, by a name that can have no TLS: that of
 * an address, one of that network, or the site's own if its address begins with `http://`. Pure;
 * any thread. */
bool hosts_at_home(const struct http_request *request, const char *site);

#endif
