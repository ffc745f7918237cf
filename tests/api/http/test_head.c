/* The form of heads: each refusal, however the bytes come. The long list of probes is
 * tests/api/support/probes.mjs; here are the limits and what only this level shows. */
#include <stdlib.h>
#include <string.h>

#include "api/http/head.h"
#include "tests/test.h"

#define GOOD "POST /a?b=c HTTP/1.1\r\nHost: a\r\n"

struct form {
    const char *name;
    struct span bytes;
    int status; /* 0 = must pass */
    const char *code;
    size_t body; /* of what passes */
};

static enum head_state scan_in_pieces(struct span bytes, size_t size, struct head_scan *scan,
                                      size_t *length, struct gate_refusal *refusal)
{
    enum head_state state = HEAD_MORE;
    *scan = (struct head_scan){0};
    for (size_t end = size; state == HEAD_MORE; end += size) {
        size_t come = end < bytes.length ? end : bytes.length;
        /* A copy of the right size, so that a sanitizer sees whoever looks further. */
        char *copy = malloc(come);
        assert_non_null(copy);
        memcpy(copy, bytes.at, come);
        state = head_scan(scan, (struct span){copy, come}, length, refusal);
        free(copy);
        if (come == bytes.length)
            break;
    }
    return state;
}

static void check_form(const struct form *form, size_t piece)
{
    struct head_scan scan;
    struct gate_refusal refusal = {.code = "none", .message = ""};
    size_t length = 0;
    enum head_state state = scan_in_pieces(form->bytes, piece, &scan, &length, &refusal);
    enum head_state wanted = form->status == 0 ? HEAD_WHOLE : HEAD_REFUSED;
    if (state != wanted || refusal.status != form->status)
        fail_msg("%s in pieces of %zu: state %d, %d %s", form->name, piece, (int)state,
                 refusal.status, refusal.code);
    if (wanted == HEAD_REFUSED) {
        assert_string_equal(refusal.code, form->code);
        return;
    }
    assert_int_equal(length, form->bytes.length);
    assert_int_equal(scan.body, form->body);
}

static void check_forms(const struct form *forms, size_t count)
{
    static const size_t pieces[] = {1, 2, 7, 100000};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++)
            check_form(&forms[i], pieces[k]);
}

#define CHECK_FORMS(forms) check_forms((forms), sizeof(forms) / sizeof((forms)[0]))

TEST(test_good_heads)
{
    static const struct form forms[] = {
        {"plain", SPAN_LITERAL(GOOD "\r\n"), .body = 0},
        {"empty lines first", SPAN_LITERAL("\r\n\r\n" GOOD "\r\n"), .status = 0},
        {"a body", SPAN_LITERAL(GOOD "Content-Length: 12\r\n\r\n"), .body = 12},
        {"other case", SPAN_LITERAL(GOOD "cONTENT-lENGTH: 7\r\n\r\n"), .body = 7},
        {"no blank", SPAN_LITERAL(GOOD "Content-Length:7\r\n\r\n"), .body = 7},
        {"a tab before a value", SPAN_LITERAL(GOOD "Content-Length: \t7\r\n\r\n"), .body = 7},
        {"the largest body", SPAN_LITERAL(GOOD "Content-Length: 1048576\r\n\r\n"),
         .body = HTTP_REPORT_MAX},
        {"an empty value", SPAN_LITERAL(GOOD "X-A:\r\n\r\n"), .status = 0},
        {"all of a token", SPAN_LITERAL(GOOD "!#$%&'*+-.^_`|~09azAZ: a\r\n\r\n"), .status = 0},
        {"high bytes in a value", SPAN_LITERAL(GOOD "X-A: \xff\x80\r\n\r\n"), .status = 0},
        {"a name that begins alike", SPAN_LITERAL(GOOD "Transfer-Encodings: a\r\n\r\n"),
         .status = 0},
    };
    CHECK_FORMS(forms);
}

TEST(test_refused_heads)
{
    static const char line[] = "bad-request-line";
    static const char field[] = "bad-header-field";
    static const struct form forms[] = {
        {"bare LF", SPAN_LITERAL("GET / HTTP/1.1\nHost: a\n\n"), .status = 400,
         .code = "bad-line-end"},
        {"NUL in the target", SPAN_LITERAL("GET /a\0b HTTP/1.1\r\n"), .status = 400, .code = line},
        {"a bare CR first", SPAN_LITERAL("\rGET / HTTP/1.1\r\n"), .status = 400, .code = line},
        {"two blanks", SPAN_LITERAL("GET /  HTTP/1.1\r\n"), .status = 400, .code = line},
        {"no version", SPAN_LITERAL("GET /\r\n"), .status = 400, .code = line},
        {"a version of another kind", SPAN_LITERAL("GET / HTTP/2.0\r\n"), .status = 505,
         .code = "unsupported-version"},
        {"obs-fold", SPAN_LITERAL(GOOD " a\r\n"), .status = 400, .code = field},
        {"an empty name", SPAN_LITERAL(GOOD ": a\r\n"), .status = 400, .code = field},
        {"a blank before the colon", SPAN_LITERAL(GOOD "X : a\r\n"), .status = 400, .code = field},
        {"NUL in a value", SPAN_LITERAL(GOOD "X: a\0b\r\n"), .status = 400, .code = field},
        {"a tab in a value", SPAN_LITERAL(GOOD "X: a\tb\r\n"), .status = 400, .code = field},
        {"Transfer-Encoding", SPAN_LITERAL(GOOD "tRANSFER-eNCODING: chunked\r\n"), .status = 400,
         .code = "transfer-encoding"},
        {"two lengths", SPAN_LITERAL(GOOD "Content-Length: 1\r\nContent-Length: 1\r\n"),
         .status = 400, .code = "bad-content-length"},
        {"no number", SPAN_LITERAL(GOOD "Content-Length: 0x1\r\n"), .status = 400,
         .code = "bad-content-length"},
        {"too large", SPAN_LITERAL(GOOD "Content-Length: 1048577\r\n"), .status = 413,
         .code = "body-too-large"},
        {"nine parameters", SPAN_LITERAL("GET /?&&&&&&&& HTTP/1.1\r\n"), .status = 400,
         .code = "bad-query"},
    };
    CHECK_FORMS(forms);
}

/* Refused as soon as it can be: nobody waits for the end of what is no HTTP. */
TEST(test_early_refusals)
{
    static const struct form forms[] = {
        {"TLS", SPAN_LITERAL("\x16"), .status = 400, .code = "bad-request-line"},
        {"NUL", SPAN_LITERAL("GET /\0"), .status = 400, .code = "bad-request-line"},
        {"a line end without CR", SPAN_LITERAL("GET / HTTP/1.1\n"), .status = 400,
         .code = "bad-line-end"},
    };
    CHECK_FORMS(forms);
}

/* Every byte, at every place among eight that are looked at together. */
TEST(test_every_byte_of_a_value)
{
    enum { PLACES = 20 };
    char bytes[] = GOOD "X: aaaaaaaaaaaaaaaaaaaa\r\n\r\n";
    const size_t begin = strlen(GOOD "X: ");
    for (size_t at = begin; at < begin + PLACES; at++) {
        for (unsigned byte = 0; byte <= UINT8_MAX; byte++) {
            struct head_scan scan = {0};
            struct gate_refusal refusal;
            size_t length;
            bool blank = byte == '\t' && at == begin; /* before the value */
            bool control = (byte < 0x20 && !blank) || byte == 0x7f;
            bytes[at] = (char)byte;
            assert_int_equal(
                head_scan(&scan, (struct span){bytes, sizeof bytes - 1}, &length, &refusal),
                control ? HEAD_REFUSED : HEAD_WHOLE);
            bytes[at] = 'a';
        }
    }
}

/* `count` times the byte, behind `before`. */
static enum head_state scan_long(const char *words, char byte, size_t count,
                                 struct gate_refusal *refusal)
{
    struct span before = span_of(words);
    size_t length = before.length + count;
    char *bytes = malloc(length);
    assert_non_null(bytes);
    memcpy(bytes, before.at, before.length);
    memset(bytes + before.length, byte, count);
    struct head_scan scan = {0};
    size_t end;
    enum head_state state = head_scan(&scan, (struct span){bytes, length}, &end, refusal);
    free(bytes);
    return state;
}

TEST(test_what_never_ends)
{
    struct gate_refusal refusal;
    assert_int_equal(scan_long("", 'A', 10000, &refusal), HEAD_REFUSED);
    assert_string_equal(refusal.code, "unknown-method");
    assert_int_equal(scan_long("GET /", 'a', 10000, &refusal), HEAD_REFUSED);
    assert_string_equal(refusal.code, "target-too-long");
    assert_int_equal(scan_long(GOOD "X: ", 'a', HEAD_MOST, &refusal), HEAD_REFUSED);
    assert_string_equal(refusal.code, "header-too-large");
    assert_int_equal(scan_long(GOOD "X: ", 'a', 1000, &refusal), HEAD_MORE);
}

TEST(test_what_follows_is_not_looked_at)
{
    struct head_scan scan = {0};
    struct gate_refusal refusal;
    size_t length = 0;
    assert_int_equal(head_scan(&scan, span_of(GOOD "\r\n\n\n nonsense"), &length, &refusal),
                     HEAD_WHOLE);
    assert_int_equal(length, strlen(GOOD "\r\n"));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
