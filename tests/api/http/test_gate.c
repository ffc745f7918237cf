/* The gate, one table per part of the head: what must be refused, how, and what must pass. */
#include <stdlib.h>
#include <string.h>

#include "api/http/gate.h"
#include "tests/test.h"

enum { FIELDS = 6 };

/* A head: a request that would pass, but for what the case sets. */
struct head {
    const char *name; /* of the case */
    const char *method;
    const char *target;
    const char *version;
    const char *field[FIELDS]; /* `name: value` */
    bool no_host;
    int status; /* 0 = must pass */
    const char *code;
};

static struct gate_field field_of(const char *line)
{
    const char *colon = strchr(line, ':');
    assert_non_null(colon);
    return (struct gate_field){{line, (size_t)(colon - line)}, span_of(colon + 2)};
}

static bool check(const struct head *head, struct http_request *request,
                  struct gate_refusal *refusal)
{
    struct gate_field field[FIELDS + 1];
    size_t count = 0;
    if (!head->no_host)
        field[count++] = field_of("Host: tillroll.example:8080");
    for (size_t i = 0; i < FIELDS && head->field[i] != NULL; i++)
        field[count++] = field_of(head->field[i]);
    *request = (struct http_request){0};
    return gate_check(head->method == NULL ? "GET" : head->method,
                      span_of(head->target == NULL ? "/" : head->target),
                      head->version == NULL ? "HTTP/1.1" : head->version, field, count, request,
                      refusal);
}

static void check_heads(const struct head *heads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct http_request request;
        struct gate_refusal refusal = {.code = "none", .message = ""};
        bool passed = check(&heads[i], &request, &refusal);
        if (passed != (heads[i].status == 0) || refusal.status != heads[i].status ||
            (!passed && strcmp(refusal.code, heads[i].code) != 0))
            fail_msg("%s: passed %d, got %d %s", heads[i].name, passed, refusal.status,
                     refusal.code);
    }
}

#define CHECK_HEADS(heads) check_heads((heads), sizeof(heads) / sizeof((heads)[0]))

TEST(test_methods)
{
    static const struct head heads[] = {
        {"GET", .method = "GET"},
        {"HEAD", .method = "HEAD"},
        {"POST", .method = "POST"},
        {"PATCH", .method = "PATCH"},
        {"DELETE", .method = "DELETE"},
        {"PUT", .method = "PUT"},
        {"OPTIONS", .method = "OPTIONS", .status = 501, .code = "unknown-method"},
        {"TRACE", .method = "TRACE", .status = 501, .code = "unknown-method"},
        {"CONNECT", .method = "CONNECT", .status = 501, .code = "unknown-method"},
        {"lower case", .method = "get", .status = 501, .code = "unknown-method"},
        {"longer", .method = "GETS", .status = 501, .code = "unknown-method"},
        {"shorter", .method = "GE", .status = 501, .code = "unknown-method"},
        {"empty", .method = "", .status = 501, .code = "unknown-method"},
    };
    CHECK_HEADS(heads);
}

TEST(test_versions)
{
    static const struct head heads[] = {
        {"1.1", .version = "HTTP/1.1"},
        {"1.0", .version = "HTTP/1.0", .status = 505, .code = "unsupported-version"},
        {"1.2", .version = "HTTP/1.2", .status = 505, .code = "unsupported-version"},
        {"2.0", .version = "HTTP/2.0", .status = 505, .code = "unsupported-version"},
        {"none", .version = "", .status = 505, .code = "unsupported-version"},
        {"lower case", .version = "http/1.1", .status = 505, .code = "unsupported-version"},
        {"more", .version = "HTTP/1.11", .status = 505, .code = "unsupported-version"},
    };
    CHECK_HEADS(heads);
}

TEST(test_targets)
{
    static const char code[] = "bad-request-target";
    static const struct head heads[] = {
        {"root", .target = "/"},
        {"plain", .target = "/v1/games/0197-ab_c~d.json"},
        {"dots in a name", .target = "/a..b/...c/.d/...."},
        {"eight segments", .target = "/1/2/3/4/5/6/7/8"},
        {"nine segments", .target = "/1/2/3/4/5/6/7/8/9", .status = 400, .code = code},
        {"empty", .target = "", .status = 400, .code = code},
        {"absolute form", .target = "http://a.example/b", .status = 400, .code = code},
        {"asterisk", .target = "*", .status = 400, .code = code},
        {"no slash", .target = "a", .status = 400, .code = code},
        {"query only", .target = "?a=b", .status = 400, .code = code},
        {"two slashes", .target = "//", .status = 400, .code = code},
        {"empty segment", .target = "/a//b", .status = 400, .code = code},
        {"slash at the end", .target = "/a/", .status = 400, .code = code},
        {"dot", .target = "/a/./b", .status = 400, .code = code},
        {"dot at the end", .target = "/a/.", .status = 400, .code = code},
        {"two dots", .target = "/a/../b", .status = 400, .code = code},
        {"two dots first", .target = "/..", .status = 400, .code = code},
        {"escaped NUL", .target = "/a%00b", .status = 400, .code = code},
        {"escaped dots", .target = "/%2e%2e/a", .status = 400, .code = code},
        {"escaped slash", .target = "/a%2fb", .status = 400, .code = code},
        {"escaped letter", .target = "/%41", .status = 400, .code = code},
        {"backslash", .target = "/a\\b", .status = 400, .code = code},
        {"semicolon", .target = "/a;b", .status = 400, .code = code},
        {"at", .target = "/a@b", .status = 400, .code = code},
        {"colon", .target = "/a:b", .status = 400, .code = code},
        {"fragment", .target = "/a#b", .status = 400, .code = code},
        {"equals in the path", .target = "/a=b", .status = 400, .code = code},
        {"and in the path", .target = "/a&b", .status = 400, .code = code},
        {"plus", .target = "/a+b", .status = 400, .code = code},
        {"quote", .target = "/a\"b", .status = 400, .code = code},
        {"blank", .target = "/a b", .status = 400, .code = code},
        {"tab", .target = "/a\tb", .status = 400, .code = code},
        {"line feed", .target = "/a\nb", .status = 400, .code = code},
        {"carriage return", .target = "/a\rb", .status = 400, .code = code},
        {"delete", .target = "/a\x7f", .status = 400, .code = code},
        {"UTF-8", .target = "/\xc3\xa4", .status = 400, .code = code},
    };
    CHECK_HEADS(heads);
}

TEST(test_queries)
{
    static const char code[] = "bad-query";
    static const struct head heads[] = {
        {"none", .target = "/a?"},
        {"one", .target = "/a?b=c"},
        {"empty value", .target = "/a?b="},
        {"no value", .target = "/a?b"},
        {"equals in a value", .target = "/a?b=c=d=="},
        {"words", .target = "/a?b=c+d"},
        {"same value", .target = "/a?b=c&d=c"},
        {"eight", .target = "/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8"},
        {"nine", .target = "/?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8&i=9", .status = 400, .code = code},
        {"repeated", .target = "/?a=1&a=2", .status = 400, .code = code},
        {"repeated, equal", .target = "/?a=1&b&a=1", .status = 400, .code = code},
        {"repeated without value", .target = "/?a&a", .status = 400, .code = code},
        {"nameless", .target = "/?=1", .status = 400, .code = code},
        {"and first", .target = "/?&a=1", .status = 400, .code = code},
        {"and last", .target = "/?a=1&", .status = 400, .code = code},
        {"and twice", .target = "/?a=1&&b=2", .status = 400, .code = code},
        {"escape", .target = "/?a=%41", .status = 400, .code = "bad-request-target"},
        {"second mark", .target = "/?a=b?c", .status = 400, .code = "bad-request-target"},
        {"semicolon", .target = "/?a=b;c=d", .status = 400, .code = "bad-request-target"},
        {"bracket", .target = "/?a[]=b", .status = 400, .code = "bad-request-target"},
    };
    CHECK_HEADS(heads);
}

TEST(test_hosts)
{
    static const char code[] = "bad-host";
    static const struct head heads[] = {
        {.name = "one"},
        {"name", .no_host = true, .field = {"Host: a-b.example"}},
        {"IPv6", .no_host = true, .field = {"host: [::1]:8080"}},
        {"capitals", .no_host = true, .field = {"HOST: A.EXAMPLE"}},
        {"none", .no_host = true, .status = 400, .code = code},
        {"empty", .no_host = true, .field = {"Host: "}, .status = 400, .code = code},
        {"two", .field = {"Host: b.example"}, .status = 400, .code = code},
        {"two, equal", .field = {"host: tillroll.example:8080"}, .status = 400, .code = code},
        {"slash", .no_host = true, .field = {"Host: a/b"}, .status = 400, .code = code},
        {"user", .no_host = true, .field = {"Host: a@b"}, .status = 400, .code = code},
        {"blank", .no_host = true, .field = {"Host: a b"}, .status = 400, .code = code},
        {"list", .no_host = true, .field = {"Host: a, b"}, .status = 400, .code = code},
        {"underscore", .no_host = true, .field = {"Host: a_b"}, .status = 400, .code = code},
        {"empty, then good", .no_host = true, .field = {"Host: ", "Host: a"}, .status = 400,
         .code = code},
    };
    CHECK_HEADS(heads);
}

TEST(test_content_lengths)
{
    static const char code[] = "bad-content-length";
    static const struct head heads[] = {
        {"zero", .field = {"Content-Length: 0"}},
        {"largest", .method = "POST", .field = {"Content-Length: 65536"}},
        {"GET", .field = {"Content-Length: 1"}, .status = 400, .code = "unexpected-body"},
        {"HEAD", .method = "HEAD", .field = {"Content-Length: 1"}, .status = 400,
         .code = "unexpected-body"},
        {"DELETE", .method = "DELETE", .field = {"Content-Length: 1"}},
        {"one too many", .method = "POST", .field = {"Content-Length: 65537"}, .status = 413,
         .code = "body-too-large"},
        {"a report", .method = "POST", .target = "/v1/exchange/trf/check",
         .field = {"Content-Length: 1048576"}},
        {"too large a report", .method = "POST", .target = "/v1/exchange/trf/check",
         .field = {"Content-Length: 1048577"}, .status = 413, .code = "body-too-large"},
        {"no report", .method = "POST", .target = "/v1/exchange",
         .field = {"Content-Length: 65537"}, .status = 413, .code = "body-too-large"},
        {"64 bits", .method = "POST", .field = {"Content-Length: 18446744073709551615"},
         .status = 413, .code = "body-too-large"},
        {"over 64 bits", .method = "POST", .field = {"Content-Length: 18446744073709551616"},
         .status = 413, .code = "body-too-large"},
        {"empty", .field = {"Content-Length: "}, .status = 400, .code = code},
        {"negative", .field = {"Content-Length: -1"}, .status = 400, .code = code},
        {"plus", .field = {"Content-Length: +1"}, .status = 400, .code = code},
        {"leading zero", .field = {"Content-Length: 05"}, .status = 400, .code = code},
        {"hexadecimal", .field = {"Content-Length: 0x5"}, .status = 400, .code = code},
        {"list", .field = {"Content-Length: 5, 5"}, .status = 400, .code = code},
        {"blank after", .field = {"Content-Length: 5 "}, .status = 400, .code = code},
        {"two, different", .field = {"Content-Length: 5", "Content-Length: 6"}, .status = 400,
         .code = code},
        {"two, equal", .field = {"Content-Length: 5", "content-length: 5"}, .status = 400,
         .code = code},
        {"empty, then good", .field = {"Content-Length: ", "content-length: 5"}, .status = 400,
         .code = code},
    };
    CHECK_HEADS(heads);
}

TEST(test_transfer_encodings)
{
    static const char code[] = "transfer-encoding";
    static const struct head heads[] = {
        {"chunked", .field = {"Transfer-Encoding: chunked"}, .status = 400, .code = code},
        {"other case", .field = {"tRANSFER-eNCODING: chunked"}, .status = 400, .code = code},
        {"xchunked", .field = {"Transfer-Encoding: xchunked"}, .status = 400, .code = code},
        {"gzip", .field = {"Transfer-Encoding: gzip, chunked"}, .status = 400, .code = code},
        {"identity", .field = {"Transfer-Encoding: identity"}, .status = 400, .code = code},
        {"empty", .field = {"Transfer-Encoding: "}, .status = 400, .code = code},
        {"after a length", .field = {"Content-Length: 5", "Transfer-Encoding: chunked"},
         .status = 400, .code = code},
        {"before a length", .field = {"Transfer-Encoding: chunked", "Content-Length: 5"},
         .status = 400, .code = code},
    };
    CHECK_HEADS(heads);
}

TEST(test_content_encodings)
{
    static const char code[] = "unsupported-media-type";
    static const struct head heads[] = {
        {"gzip", .field = {"Content-Encoding: gzip"}, .status = 415, .code = code},
        {"identity", .field = {"content-encoding: identity"}, .status = 415, .code = code},
        {"empty", .field = {"Content-Encoding: "}, .status = 415, .code = code},
    };
    CHECK_HEADS(heads);
}

TEST(test_expectations)
{
    static const struct head heads[] = {
        {"continue", .field = {"Expect: 100-continue"}},
        {"other case", .field = {"expect: 100-Continue"}},
        {"other", .field = {"Expect: 200-ok"}, .status = 417, .code = "bad-expectation"},
        {"longer", .field = {"Expect: 100-continue, a"}, .status = 417, .code = "bad-expectation"},
        {"empty", .field = {"Expect: "}, .status = 417, .code = "bad-expectation"},
    };
    CHECK_HEADS(heads);
}

TEST(test_repeated_fields)
{
    static const char code[] = "repeated-header-field";
    static const struct head heads[] = {
        {"one of each", .field = {"Authorization: a", "Content-Type: a", "Idempotency-Key: a",
                                  "If-Match: a", "If-None-Match: a", "Origin: a"}},
        {"Authorization", .field = {"Authorization: a", "authorization: b"}, .status = 400,
         .code = code},
        {"Content-Type", .field = {"Content-Type: a", "content-type: a"}, .status = 400,
         .code = code},
        {"Idempotency-Key", .field = {"Idempotency-Key: a", "idempotency-key: a"}, .status = 400,
         .code = code},
        {"If-Match", .field = {"If-Match: a", "if-match: a"}, .status = 400, .code = code},
        {"If-None-Match", .field = {"If-None-Match: a", "if-none-match: a"}, .status = 400,
         .code = code},
        {"Origin", .field = {"Origin: a", "origin: a"}, .status = 400, .code = code},
        {"Cookie", .field = {"Cookie: a=1", "cookie: b=2"}, .status = 400, .code = code},
        {"empty first", .field = {"Authorization: ", "Authorization: b"}, .status = 400,
         .code = code},
    };
    CHECK_HEADS(heads);
}

static bool check_target_length(size_t length, struct gate_refusal *refusal)
{
    static const struct gate_field host = {SPAN_LITERAL("Host"), SPAN_LITERAL("a")};
    char *target = malloc(length);
    assert_non_null(target);
    memset(target, 'a', length);
    target[0] = '/';
    struct http_request request = {0};
    bool passed =
        gate_check("GET", (struct span){target, length}, "HTTP/1.1", &host, 1, &request, refusal);
    free(target);
    return passed;
}

TEST(test_longest_target)
{
    struct gate_refusal refusal;
    assert_true(check_target_length(HTTP_TARGET_MAX, &refusal));
    assert_false(check_target_length(HTTP_TARGET_MAX + 1, &refusal));
    assert_int_equal(refusal.status, 414);
    assert_string_equal(refusal.code, "target-too-long");
}

static bool check_field_count(size_t count, struct gate_refusal *refusal)
{
    struct gate_field field[HTTP_FIELDS_MAX];
    for (size_t i = 0; i < HTTP_FIELDS_MAX; i++)
        field[i] = (struct gate_field){span_of("X-A"), span_of("a")};
    field[0].name = span_of("Host");
    struct http_request request = {0};
    return gate_check("GET", span_of("/"), "HTTP/1.1", field, count, &request, refusal);
}

/* A count beyond the limit comes with no more fields than the limit. */
TEST(test_most_fields)
{
    struct gate_refusal refusal;
    assert_true(check_field_count(HTTP_FIELDS_MAX, &refusal));
    assert_false(check_field_count(HTTP_FIELDS_MAX + 1, &refusal));
    assert_int_equal(refusal.status, 431);
    assert_string_equal(refusal.code, "header-too-large");
}

static bool check_field_bytes(size_t bytes, struct gate_refusal *refusal)
{
    char value[HTTP_HEAD_MAX];
    memset(value, 'a', sizeof value);
    struct gate_field field[] = {{span_of("Host"), span_of("a")},
                                 {span_of("X"), {value, bytes - strlen("HostaX")}}};
    struct http_request request = {0};
    return gate_check("GET", span_of("/"), "HTTP/1.1", field, 2, &request, refusal);
}

TEST(test_largest_head)
{
    struct gate_refusal refusal;
    assert_true(check_field_bytes(HTTP_HEAD_MAX, &refusal));
    assert_false(check_field_bytes(HTTP_HEAD_MAX + 1, &refusal));
    assert_int_equal(refusal.status, 431);
}

static void assert_span(struct span actual, const char *expected)
{
    assert_int_equal(actual.length, strlen(expected));
    assert_memory_equal(actual.at, expected, actual.length);
}

TEST(test_what_is_filled)
{
    static const struct head head = {.method = "PATCH",
                                     .target = "/v1/games/7?after=9&limit=a=b&flag&none=",
                                     .field = {"Authorization: Bearer x",
                                               "CONTENT-TYPE: text/plain", "Content-Length: 12",
                                               "If-Match: \"7\"", "Origin: https://a.example"}};
    struct http_request request;
    struct gate_refusal refusal;
    assert_true(check(&head, &request, &refusal));
    assert_int_equal(request.method, HTTP_PATCH);
    assert_span(request.path, "/v1/games/7");
    assert_int_equal(request.segments, 3);
    assert_span(request.segment[0], "v1");
    assert_span(request.segment[1], "games");
    assert_span(request.segment[2], "7");
    assert_int_equal(request.parameters, 4);
    assert_span(http_parameter(&request, "after"), "9");
    assert_span(http_parameter(&request, "limit"), "a=b");
    assert_span(http_parameter(&request, "flag"), "");
    assert_non_null(http_parameter(&request, "flag").at);
    assert_span(http_parameter(&request, "none"), "");
    assert_non_null(http_parameter(&request, "none").at);
    assert_null(http_parameter(&request, "afte").at);
    assert_int_equal(request.body.length, 12);
    assert_null(request.body.at);
    assert_string_equal(request.authorization, "Bearer x");
    assert_string_equal(request.content_type, "text/plain");
    assert_string_equal(request.if_match, "\"7\"");
    assert_string_equal(request.origin, "https://a.example");
    assert_null(request.if_none_match);
    assert_null(request.idempotency_key);
}

/* Where a page is that was asked for with a slash at its end. */
TEST(test_pages_elsewhere)
{
    static const struct {
        const char *method, *target, *elsewhere;
    } cases[] = {
        {"GET", "/docs/", "/docs"},
        {"HEAD", "/games/shinjuku/?a=b", "/games/shinjuku"},
        {"POST", "/docs/", ""},
        {"GET", "/v1/games/", ""},
        {"GET", "//", ""},
        {"GET", "//a.example/", ""},
        {"GET", "/docs//", ""},
        {"GET", "/docs/./", ""},
        {"GET", "/1/2/3/4/5/6/7/8/", "/1/2/3/4/5/6/7/8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct http_request request;
        struct gate_refusal refusal;
        const struct head head = {.method = cases[i].method, .target = cases[i].target};
        assert_false(check(&head, &request, &refusal));
        assert_int_equal(refusal.status, 400);
        assert_span(refusal.elsewhere, cases[i].elsewhere);
    }
}

TEST(test_root_has_no_segments)
{
    struct http_request request;
    struct gate_refusal refusal;
    assert_true(check(&(struct head){.target = "/"}, &request, &refusal));
    assert_int_equal(request.segments, 0);
    assert_span(request.path, "/");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
