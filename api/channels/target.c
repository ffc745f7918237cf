#include "api/channels/target.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

/* ---- Addresses ---- */

/* Ranges of IPv4 that are not public. */
static const struct {
    uint8_t address[4];
    unsigned bits;
} closed[] = {
    {{0, 0, 0, 0}, 8},        /* this network */
    {{10, 0, 0, 0}, 8},       /* private */
    {{100, 64, 0, 0}, 10},    /* shared by carriers; metadata services of some clouds */
    {{127, 0, 0, 0}, 8},      /* this machine */
    {{168, 63, 129, 16}, 32}, /* Azure's platform */
    {{169, 254, 0, 0}, 16},   /* link-local, metadata services of clouds */
    {{172, 16, 0, 0}, 12},    /* private */
    {{192, 0, 0, 0}, 24},     /* protocols */
    {{192, 0, 2, 0}, 24},     /* documentation */
    {{192, 88, 99, 0}, 24},   /* 6to4 relays */
    {{192, 168, 0, 0}, 16},   /* private */
    {{198, 18, 0, 0}, 15},    /* benchmarks */
    {{198, 51, 100, 0}, 24},  /* documentation */
    {{203, 0, 113, 0}, 24},   /* documentation */
    {{224, 0, 0, 0}, 3},      /* multicast, reserved, broadcast */
};

/* Ranges within 2000::/3 that are not public; nothing outside of it is. */
static const struct {
    uint8_t address[6];
    unsigned bits;
} closed6[] = {
    {{0x20, 0x01, 0x00}, 23},       /* protocols, Teredo, ORCHID */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x20, 0x02}, 16},             /* 6to4 */
    {{0x3f, 0xff, 0x00}, 20},       /* documentation */
};

static bool starts(const uint8_t *address, const uint8_t *prefix, unsigned bits)
{
    unsigned whole = bits / 8;
    unsigned rest = bits % 8;
    if (memcmp(address, prefix, whole) != 0)
        return false;
    return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
}

static bool is_public_4(const uint8_t *address)
{
    for (size_t i = 0; i < sizeof closed / sizeof closed[0]; i++)
        if (starts(address, closed[i].address, closed[i].bits))
            return false;
    return true;
}

static bool is_public_6(const uint8_t *address)
{
    if (address[0] >> 5 != 1)
        return false;
    for (size_t i = 0; i < sizeof closed6 / sizeof closed6[0]; i++)
        if (starts(address, closed6[i].address, closed6[i].bits))
            return false;
    return true;
}

bool target_address_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return is_public_4((const uint8_t *)&((const struct sockaddr_in *)address)->sin_addr);
    return address->sa_family == AF_INET6 &&
           is_public_6((const uint8_t *)&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* ---- URLs ---- */

static bool ends_with(const char *host, const char *end)
{
    size_t length = strlen(host);
    size_t wanted = strlen(end);
    return length >= wanted && strcasecmp(host + length - wanted, end) == 0;
}

/* True for names without a dot, and for names that are never in the public DNS (RFC 6761, RFC 6762,
 * ICANN). */
static bool is_local_name(const char *host)
{
    static const char *const ends[] = {".localhost", ".local",       ".internal", ".lan",
                                       ".home.arpa", ".localdomain", ".test",     ".invalid"};
    const char *dot = strchr(host, '.');
    if (dot == NULL || dot[1] == '\0')
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends_with(host, ends[i]))
            return true;
    return false;
}

/* Checks `host` as libcurl normalizes it: IPv4 in any spelling is dotted, IPv6 is in brackets. */
static bool is_public_host(char *host)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    size_t length = strlen(host);
    if (length > 1 && host[length - 1] == '.')
        host[--length] = '\0';
    if (host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        return inet_pton(AF_INET6, host + 1, &six.sin6_addr) == 1 &&
               target_address_public((const struct sockaddr *)&six);
    }
    if (inet_pton(AF_INET, host, &four.sin_addr) == 1)
        return target_address_public((const struct sockaddr *)&four);
    return !is_local_name(host);
}

static char *part(CURLU *parts, CURLUPart which)
{
    char *found = NULL;
    return curl_url_get(parts, which, &found, 0) == CURLUE_OK ? found : NULL;
}

static const char *fault_of(CURLU *parts, bool private_too)
{
    char *scheme = part(parts, CURLUPART_SCHEME);
    char *host = part(parts, CURLUPART_HOST);
    char *user = part(parts, CURLUPART_USER);
    char *fragment = part(parts, CURLUPART_FRAGMENT);
    const char *fault = NULL;
    if (scheme == NULL || host == NULL)
        fault = "is not complete.";
    else if (strcmp(scheme, "https") != 0 && !(private_too && strcmp(scheme, "http") == 0))
        fault = "must begin with https://.";
    else if (user != NULL)
        fault = "must have no user or password in it.";
    else if (fragment != NULL)
        fault = "must have no part after #.";
    else if (!private_too && !is_public_host(host))
        fault = "must name a host on the public internet.";
    curl_free(scheme);
    curl_free(host);
    curl_free(user);
    curl_free(fragment);
    return fault;
}

const char *target_fault(const char *url, bool private_too)
{
    size_t length = strlen(url);
    if (length > TARGET_URL_MAX)
        return "is longer than 1000 bytes.";
    for (const char *c = url; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~' || *c == '\\')
            return "may hold only ASCII letters, digits and signs; encode others with %.";
    CURLU *parts = curl_url();
    const char *fault = "is not a URL such as https://chat.example/hooks/1.";
    if (parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK)
        fault = fault_of(parts, private_too);
    curl_url_cleanup(parts);
    return fault;
}
