#include "api/request/hosts.h"

#include <string.h>
#include <strings.h>

/* Domains that do not exist in the public DNS: those of RFC 6761, RFC 6762 and RFC 8375, those that
 * ICANN has reserved or refused, and those that routers use. AVM owns `fritz.box`. */
static const char *const home_domains[] = {".localhost", ".local",     ".internal", ".lan",
                                           ".home",      ".home.arpa", ".fritz.box"};

/* The host's name without the port. */
static struct span name_of(const char *host)
{
    const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
    return (struct span){host, end != NULL ? (size_t)(end - host) + 1 : strcspn(host, ":/")};
}

static bool is_address(struct span name)
{
    bool digits = name.length > 0;
    for (size_t i = 0; i < name.length; i++)
        digits = digits && ((name.at[i] >= '0' && name.at[i] <= '9') || name.at[i] == '.');
    return digits || (name.length > 0 && name.at[0] == '[');
}

static bool ends_with(struct span name, const char *domain)
{
    size_t length = strlen(domain);
    return name.length > length && strncasecmp(name.at + name.length - length, domain, length) == 0;
}

/* Names without a dot are resolved only in the local network. */
static bool is_home(struct span name)
{
    if (is_address(name) || memchr(name.at, '.', name.length) == NULL)
        return true;
    for (size_t i = 0; i < sizeof home_domains / sizeof home_domains[0]; i++)
        if (ends_with(name, home_domains[i]))
            return true;
    return false;
}

static bool is_of_site(struct span name, const char *site)
{
    const char *host = site == NULL ? NULL : strstr(site, "://");
    if (host == NULL)
        return false;
    struct span own = name_of(host + 3);
    return own.length == name.length && strncasecmp(own.at, name.at, own.length) == 0;
}

bool hosts_know(const struct http_request *request, const char *site)
{
    struct span name = name_of(request->host);
    return request->forwarded || !http_is_private(request->peer) || is_home(name) ||
           is_of_site(name, site);
}

bool hosts_at_home(const struct http_request *request, const char *site)
{
    static const char scheme[] = "http://";
    struct span name = name_of(request->host);
    bool without_tls = site != NULL && strncasecmp(site, scheme, sizeof scheme - 1) == 0;
    return !request->proxied && http_is_private(request->peer) &&
           (is_home(name) || (without_tls && is_of_site(name, site)));
}
