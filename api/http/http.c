#include "api/http/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

const char *http_method_name(enum http_method method)
{
    static const char *const name[] = {
        [HTTP_GET] = "GET", [HTTP_HEAD] = "HEAD",   [HTTP_POST] = "POST",
        [HTTP_PUT] = "PUT", [HTTP_PATCH] = "PATCH", [HTTP_DELETE] = "DELETE",
    };
    return name[method];
}

static const uint8_t ipv4_prefix[12] = {[10] = 0xff, [11] = 0xff};

static void write_ipv4(const struct in_addr *ipv4, uint8_t whole[static 16])
{
    memcpy(whole, ipv4_prefix, sizeof ipv4_prefix);
    memcpy(whole + sizeof ipv4_prefix, ipv4, sizeof *ipv4);
}

/* Reduces an address to the part that counts as one client. */
static void narrow(uint8_t address[static 16])
{
    if (memcmp(address, ipv4_prefix, sizeof ipv4_prefix) != 0)
        memset(address + 8, 0, 8);
}

void http_address(const struct sockaddr *address, uint8_t whole[static 16])
{
    if (address->sa_family == AF_INET6)
        memcpy(whole, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, 16);
    else
        write_ipv4(&((const struct sockaddr_in *)(const void *)address)->sin_addr, whole);
}

void http_peer(const struct sockaddr *address, uint8_t peer[static 16])
{
    http_address(address, peer);
    narrow(peer);
}

bool http_read_address(struct span text, uint8_t whole[static 16])
{
    char words[INET6_ADDRSTRLEN];
    struct in_addr ipv4;
    if (text.length == 0 || text.length >= sizeof words)
        return false;
    memcpy(words, text.at, text.length);
    words[text.length] = '\0';
    if (inet_pton(AF_INET, words, &ipv4) == 1) {
        write_ipv4(&ipv4, whole);
        return true;
    }
    return inet_pton(AF_INET6, words, whole) == 1;
}

bool http_forwarded_peer(const char *forwarded_for, uint8_t peer[static 16])
{
    if (forwarded_for == NULL)
        return false;
    const char *comma = strrchr(forwarded_for, ',');
    const char *last = comma == NULL ? forwarded_for : comma + 1;
    last += strspn(last, " \t");
    size_t length = strcspn(last, " \t");
    if (last[length + strspn(last + length, " \t")] != '\0' ||
        !http_read_address((struct span){last, length}, peer))
        return false;
    narrow(peer);
    return true;
}

/* http_peer() has zeroed the last bits of ::1. */
bool http_is_loopback(const uint8_t peer[static 16])
{
    static const uint8_t ipv6[16] = {0};
    bool is_ipv4 = memcmp(peer, ipv4_prefix, sizeof ipv4_prefix) == 0;
    return is_ipv4 ? peer[12] == 127 : memcmp(peer, ipv6, sizeof ipv6) == 0;
}

bool http_is_private(const uint8_t peer[static 16])
{
    const uint8_t *four = peer + 12;
    if (http_is_loopback(peer))
        return true;
    if (memcmp(peer, ipv4_prefix, sizeof ipv4_prefix) != 0)
        return (peer[0] & 0xfe) == 0xfc || (peer[0] == 0xfe && (peer[1] & 0xc0) == 0x80);
    return four[0] == 10 || (four[0] == 172 && (four[1] & 0xf0) == 16) ||
           (four[0] == 192 && four[1] == 168) || (four[0] == 169 && four[1] == 254);
}

bool http_is_request_id(const char *request_id)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    size_t length = request_id == NULL ? 0 : strspn(request_id, allowed);
    return length > 0 && length <= HTTP_ID_MAX && request_id[length] == '\0';
}

bool http_client_has(const char *if_none_match, const char *etag)
{
    return if_none_match != NULL &&
           (strcmp(if_none_match, "*") == 0 || strstr(if_none_match, etag) != NULL);
}

/* True for the weight 0: `;q=0`, `; q=0.000`. An unreadable weight is ignored. */
static bool is_refused(const char *parameters, const char *end)
{
    const char *weight = memchr(parameters, '=', (size_t)(end - parameters));
    if (weight == NULL)
        return false;
    size_t zeros = strspn(weight + 1, "0.");
    return zeros > 0 && weight + 1 + zeros + strspn(weight + 1 + zeros, " \t") == end;
}

/* Looks up a coding in a list: 1 = allowed, 0 = refused, -1 = not listed. */
static int find_coding(const char *list, const char *coding)
{
    size_t length = strlen(coding);
    for (const char *at = list; *at != '\0';) {
        at += strspn(at, ", \t");
        const char *end = at + strcspn(at, ",");
        size_t name = strcspn(at, ",; \t");
        if (name == length && strncasecmp(at, coding, length) == 0)
            return is_refused(at + name, end) ? 0 : 1;
        at = end;
    }
    return -1;
}

bool http_takes_gzip(const char *accept_encoding)
{
    if (accept_encoding == NULL)
        return false;
    int gzip = find_coding(accept_encoding, "gzip");
    return gzip == 1 || (gzip == -1 && find_coding(accept_encoding, "*") == 1);
}

struct span http_parameter(const struct http_request *request, const char *name)
{
    for (size_t i = 0; i < request->parameters; i++)
        if (span_is(request->parameter[i].name, name))
            return request->parameter[i].value;
    return (struct span){NULL, 0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct span trim(struct span text)
{
    while (text.length > 0 && is_blank(text.at[0]))
        text = (struct span){text.at + 1, text.length - 1};
    while (text.length > 0 && is_blank(text.at[text.length - 1]))
        text.length--;
    return text;
}

/* Cuts the text before the first `mark` (or all) and that mark off `rest`, and returns it without
 * the mark. */
static struct span cut(struct span *rest, char mark)
{
    const char *at = rest->length == 0 ? NULL : memchr(rest->at, mark, rest->length);
    size_t length = at == NULL ? rest->length : (size_t)(at - rest->at);
    struct span head = {rest->at, length};
    size_t taken = length + (at != NULL);
    *rest = (struct span){rest->at + taken, rest->length - taken};
    return head;
}

/* Parameters of a preference, after `;`, are ignored. */
struct span http_preference(const char *prefer, const char *name)
{
    struct span rest = span_of(prefer == NULL ? "" : prefer);
    while (rest.length > 0) {
        struct span value = cut(&rest, ',');
        value = cut(&value, ';');
        struct span found = trim(cut(&value, '='));
        if (found.length == strlen(name) && strncasecmp(found.at, name, found.length) == 0)
            return trim(value);
    }
    return (struct span){NULL, 0};
}

static const char *copy_field(struct arena *arena, const char *field)
{
    return field == NULL ? NULL : arena_copy(arena, span_of(field));
}

static struct span copy_span(struct arena *arena, struct span span)
{
    return span.at == NULL ? span : (struct span){arena_copy(arena, span), span.length};
}

void http_request_copy(struct arena *arena, const struct http_request *request,
                       struct http_request *copy)
{
    *copy = *request;
    copy->path = copy_span(arena, request->path);
    copy->body = copy_span(arena, request->body);
    for (size_t i = 0; i < request->segments; i++)
        copy->segment[i] = copy_span(arena, request->segment[i]);
    for (size_t i = 0; i < request->parameters; i++) {
        copy->parameter[i].name = copy_span(arena, request->parameter[i].name);
        copy->parameter[i].value = copy_span(arena, request->parameter[i].value);
    }
    const char **const fields[] = {
        &copy->authorization, &copy->content_type,  &copy->idempotency_key,
        &copy->if_match,      &copy->if_none_match, &copy->accept_encoding,
        &copy->origin,        &copy->cookie,        &copy->host,
        &copy->last_event_id, &copy->forwarded_for, &copy->request_id,
        &copy->prefer,        &copy->accept,        &copy->official_signature};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        *fields[i] = copy_field(arena, *fields[i]);
}
