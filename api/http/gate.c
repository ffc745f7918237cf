/* One function per part of a request's head, which returns true if the part is valid, and otherwise
 * sets the refusal; gate_check() calls them in order and stops at the first refusal. */
#include "api/http/gate.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool refuse(struct gate_refusal *refusal, int status, const char *code, const char *message)
{
    *refusal = (struct gate_refusal){.status = status, .code = code, .message = message};
    return false;
}

/* A set of ASCII characters, one bit each; other bytes are never in it. */
struct set {
    uint64_t bits[4];
};

#define BIT(c)  (UINT64_C(1) << ((c)&63))
#define DIGITS  (BIT('9') | (BIT('9') - BIT('0')))
#define LETTERS (BIT('Z') | (BIT('Z') - BIT('A')) | BIT('z') | (BIT('z') - BIT('a')))
#define SET(low, up)                                                                               \
    {                                                                                              \
        {                                                                                          \
            DIGITS | (low), LETTERS | (up)                                                         \
        }                                                                                          \
    }

static const struct set path_set = SET(BIT('-') | BIT('.') | BIT('/'), BIT('_') | BIT('~'));
static const struct set query_set =
    SET(BIT('-') | BIT('.') | BIT('/') | BIT('=') | BIT('&') | BIT(':') | BIT('+'),
        BIT('_') | BIT('~'));
static const struct set host_set = SET(BIT('.') | BIT('-') | BIT(':'), BIT('[') | BIT(']'));
/* True if all bytes are in the set. */
static bool holds_only(struct span bytes, const struct set *set)
{
    for (size_t i = 0; i < bytes.length; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        if ((set->bits[c / 64] >> c % 64 & 1) == 0)
            return false;
    }
    return true;
}

static struct span part(struct span whole, size_t begin, size_t end)
{
    return (struct span){whole.at + begin, end - begin};
}

/* The position of the first `c` in `bytes`, or their length. */
static size_t find(struct span bytes, char c)
{
    const char *at = bytes.length == 0 ? NULL : memchr(bytes.at, c, bytes.length);
    return at == NULL ? bytes.length : (size_t)(at - bytes.at);
}

/* Cuts the bytes before the first `c` (or all) and that `c` off `rest`, and returns them without
 * the `c`. */
static struct span cut(struct span *rest, char c)
{
    size_t end = find(*rest, c);
    struct span head = part(*rest, 0, end);
    *rest = part(*rest, end < rest->length ? end + 1 : end, rest->length);
    return head;
}

static bool check_method(const char *method, struct http_request *request,
                         struct gate_refusal *refusal)
{
    for (int i = HTTP_GET; i <= HTTP_DELETE; i++) {
        if (strcmp(method, http_method_name((enum http_method)i)) == 0) {
            request->method = (enum http_method)i;
            return true;
        }
    }
    return refuse(refusal, 501, "unknown-method",
                  "The method must be GET, HEAD, POST, PUT, PATCH or DELETE, in capitals.");
}

static bool check_version(const char *version, struct gate_refusal *refusal)
{
    if (strcmp(version, "HTTP/1.1") == 0)
        return true;
    return refuse(refusal, 505, "unsupported-version", "The version of HTTP must be 1.1.");
}

static bool refuse_segment(struct gate_refusal *refusal)
{
    return refuse(refusal, 400, "bad-request-target",
                  "The path must not end with `/`, nor hold `//`, `.` or `..`.");
}

/* Refuses a path that ends with `/`; its segments are in `request`. Paths of the API get no
 * `elsewhere`: the developer of a client has to correct them. */
static bool refuse_slash(struct span path, const struct http_request *request,
                         struct gate_refusal *refusal)
{
    refuse_segment(refusal);
    if (request->method <= HTTP_HEAD && !span_is(request->segment[0], "v1"))
        refusal->elsewhere = part(path, 0, path.length - 1);
    return false;
}

/* `path` begins with `/`. */
static bool check_path(struct span path, struct http_request *request, struct gate_refusal *refusal)
{
    struct span rest = part(path, 1, path.length);
    size_t segments = 0;
    for (bool more = rest.length > 0; more; segments++) {
        more = find(rest, '/') < rest.length;
        struct span segment = cut(&rest, '/');
        if (segment.length == 0 && !more)
            return refuse_slash(path, request, refusal);
        if (segment.length == 0 || span_is(segment, ".") || span_is(segment, ".."))
            return refuse_segment(refusal);
        if (segments == HTTP_SEGMENTS_MAX)
            return refuse(refusal, 400, "bad-request-target", "The path has too many segments.");
        request->segment[segments] = segment;
    }
    request->path = path;
    request->segments = segments;
    return true;
}

static bool check_parameter(struct span pair, struct http_request *request,
                            struct gate_refusal *refusal)
{
    struct span value = pair;
    struct span name = cut(&value, '=');
    if (name.length == 0)
        return refuse(refusal, 400, "bad-query", "A parameter of the query has no name.");
    for (size_t i = 0; i < request->parameters; i++)
        if (span_equal(request->parameter[i].name, name))
            return refuse(refusal, 400, "bad-query", "A parameter of the query is repeated.");
    if (request->parameters == HTTP_PARAMETERS_MAX)
        return refuse(refusal, 400, "bad-query", "The query has too many parameters.");
    request->parameter[request->parameters++] = (struct http_parameter){name, value};
    return true;
}

static bool check_query(struct span query, struct http_request *request,
                        struct gate_refusal *refusal)
{
    for (bool more = query.length > 0; more;) {
        more = find(query, '&') < query.length;
        if (!check_parameter(cut(&query, '&'), request, refusal))
            return false;
    }
    return true;
}

static bool check_target(struct span target, struct http_request *request,
                         struct gate_refusal *refusal)
{
    if (target.length > HTTP_TARGET_MAX)
        return refuse(refusal, 414, "target-too-long", "The request target is too long.");
    struct span query = target;
    struct span path = cut(&query, '?');
    if (path.length == 0 || path.at[0] != '/' || !holds_only(path, &path_set))
        return refuse(refusal, 400, "bad-request-target",
                      "The path must begin with `/` and hold only letters, digits and `-._~/`.");
    if (!holds_only(query, &query_set))
        return refuse(refusal, 400, "bad-request-target",
                      "The query must hold only letters, digits and `-._~/=&:+`.");
    return check_path(path, request, refusal) && check_query(query, request, refusal);
}

static bool check_field_sizes(const struct gate_field *fields, size_t field_count,
                              struct gate_refusal *refusal)
{
    size_t bytes = 0;
    for (size_t i = 0; i < field_count && i < HTTP_FIELDS_MAX; i++)
        bytes += fields[i].name.length + fields[i].value.length;
    if (field_count > HTTP_FIELDS_MAX || bytes > HTTP_HEAD_MAX)
        return refuse(refusal, 431, "header-too-large", "The request has too many header fields.");
    return true;
}

/* How the gate treats a header field. ONCE, FIRST and LAST are kept in the request: there may be
 * one at most, or the first or last of several counts. */
enum meaning {
    ONCE,
    FIRST,
    LAST,
    UNREAD,
    HOST,
    CONTENT_LENGTH,
    CONTENT_ENCODING,
    TRANSFER_ENCODING,
    EXPECT
};

struct known_field {
    struct span name; /* in lower case */
    enum meaning meaning;
    size_t place;  /* in struct http_request; for ONCE, FIRST and LAST */
    bool of_proxy; /* only proxies add it */
};

#define PLACE(member) offsetof(struct http_request, member)
#define KEPT(name, meaning, member)                                                                \
    {                                                                                              \
        SPAN_LITERAL(name), meaning, PLACE(member), false                                          \
    }

static const struct known_field known_fields[] = {
    {.name = SPAN_LITERAL("host"), .meaning = HOST},
    KEPT("accept", FIRST, accept),
    KEPT("accept-encoding", FIRST, accept_encoding),
    KEPT("authorization", ONCE, authorization),
    KEPT("cookie", ONCE, cookie),
    KEPT("content-type", ONCE, content_type),
    KEPT("idempotency-key", ONCE, idempotency_key),
    KEPT("if-match", ONCE, if_match),
    KEPT("if-none-match", ONCE, if_none_match),
    KEPT("last-event-id", ONCE, last_event_id),
    KEPT("origin", ONCE, origin),
    KEPT("prefer", FIRST, prefer),
    KEPT("tillroll-signature", ONCE, official_signature),
    KEPT("x-request-id", LAST, request_id),
    {.name = SPAN_LITERAL("content-length"), .meaning = CONTENT_LENGTH},
    {.name = SPAN_LITERAL("content-encoding"), .meaning = CONTENT_ENCODING},
    {.name = SPAN_LITERAL("transfer-encoding"), .meaning = TRANSFER_ENCODING},
    {.name = SPAN_LITERAL("expect"), .meaning = EXPECT},
    {SPAN_LITERAL("x-forwarded-for"), LAST, PLACE(forwarded_for), true},
    {.name = SPAN_LITERAL("forwarded"), .meaning = UNREAD, .of_proxy = true},
    {.name = SPAN_LITERAL("via"), .meaning = UNREAD, .of_proxy = true},
    {.name = SPAN_LITERAL("x-forwarded-host"), .meaning = UNREAD, .of_proxy = true},
    {.name = SPAN_LITERAL("x-forwarded-proto"), .meaning = UNREAD, .of_proxy = true},
    {.name = SPAN_LITERAL("x-real-ip"), .meaning = UNREAD, .of_proxy = true},
};

/* NULL for a field that is ignored. Comparing length and first letter rules out most fields. */
static const struct known_field *find_field(struct span name)
{
    const struct known_field *end = known_fields + sizeof known_fields / sizeof known_fields[0];
    for (const struct known_field *each = known_fields; each < end; each++)
        if (each->name.length == name.length && (name.at[0] | 0x20) == each->name.at[0] &&
            strncasecmp(name.at, each->name.at, name.length) == 0)
            return each;
    return NULL;
}

/* Fields that are checked for every route. */
struct framing {
    struct span host, content_length;
};

/* Stores a field that may occur only once. */
static bool keep_once(struct span *kept, struct span value, struct gate_refusal *refusal,
                      const char *code, const char *message)
{
    if (kept->at != NULL)
        return refuse(refusal, 400, code, message);
    *kept = value;
    return true;
}

static bool keep_in_request(const struct known_field *known, const char *value,
                            struct http_request *request, struct gate_refusal *refusal)
{
    const char **place = (const char **)((char *)request + known->place);
    if (*place != NULL && known->meaning == ONCE)
        return refuse(refusal, 400, "repeated-header-field", "A header field is repeated.");
    if (*place == NULL || known->meaning == LAST)
        *place = value;
    return true;
}

static bool check_field(const struct gate_field *field, struct framing *framing,
                        struct http_request *request, struct gate_refusal *refusal)
{
    const struct known_field *known = find_field(field->name);
    if (known == NULL)
        return true;
    request->proxied = request->proxied || known->of_proxy;
    switch (known->meaning) {
    case HOST:
        return keep_once(&framing->host, field->value, refusal, "bad-host",
                         "There must be one Host.");
    case CONTENT_LENGTH:
        return keep_once(&framing->content_length, field->value, refusal, "bad-content-length",
                         "There must be one Content-Length at most.");
    case TRANSFER_ENCODING:
        return refuse(refusal, 400, "transfer-encoding",
                      "Transfer-Encoding is not accepted; give the body's Content-Length.");
    case CONTENT_ENCODING:
        return refuse(refusal, 415, "unsupported-media-type",
                      "Content-Encoding is not accepted; send the body as it is.");
    case EXPECT:
        return strcasecmp(field->value.at, "100-continue") == 0 ||
               refuse(refusal, 417, "bad-expectation", "Expect may only be 100-continue.");
    case UNREAD:
        return true;
    case ONCE:
    case FIRST:
    case LAST:
        break;
    }
    return keep_in_request(known, field->value.at, request, refusal);
}

static bool check_host(struct span host, struct gate_refusal *refusal)
{
    if (host.length > 0 && holds_only(host, &host_set))
        return true;
    return refuse(refusal, 400, "bad-host", "Host is missing or is not the name of a host.");
}

static size_t body_max(const struct http_request *request)
{
    struct span reports = SPAN_LITERAL(HTTP_REPORTS);
    bool is_report = request->path.length > reports.length &&
                     memcmp(request->path.at, reports.at, reports.length) == 0;
    return is_report ? HTTP_REPORT_MAX : HTTP_BODY_MAX;
}

bool gate_read_length(struct span given, uint64_t *length)
{
    if (given.length == 0 || (given.length > 1 && given.at[0] == '0'))
        return false;
    for (size_t i = 0; i < given.length; i++)
        if (given.at[i] < '0' || given.at[i] > '9')
            return false;
    if (!span_number(given, UINT64_MAX, length))
        *length = UINT64_MAX;
    return true;
}

static bool check_content_length(struct span given, struct http_request *request,
                                 struct gate_refusal *refusal)
{
    if (given.at == NULL)
        return true;
    uint64_t length;
    if (!gate_read_length(given, &length))
        return refuse(refusal, 400, "bad-content-length", "Content-Length is not a number.");
    if (length > 0 && (request->method == HTTP_GET || request->method == HTTP_HEAD))
        return refuse(refusal, 400, "unexpected-body", "GET and HEAD take no body.");
    if (length > body_max(request))
        return refuse(refusal, 413, "body-too-large",
                      "The body has more than 65,536 bytes, or, if it is a report file, more than "
                      "1,048,576.");
    request->body.length = (size_t)length;
    return true;
}

static bool check_fields(const struct gate_field *fields, size_t field_count,
                         struct http_request *request, struct gate_refusal *refusal)
{
    struct framing framing = {0};
    if (!check_field_sizes(fields, field_count, refusal))
        return false;
    for (size_t i = 0; i < field_count; i++)
        if (!check_field(&fields[i], &framing, request, refusal))
            return false;
    request->host = framing.host.at;
    return check_host(framing.host, refusal) &&
           check_content_length(framing.content_length, request, refusal);
}

bool gate_check(const char *method, struct span target, const char *version,
                const struct gate_field *fields, size_t field_count, struct http_request *request,
                struct gate_refusal *refusal)
{
    return check_method(method, request, refusal) && check_version(version, refusal) &&
           check_target(target, request, refusal) &&
           check_fields(fields, field_count, request, refusal);
}
