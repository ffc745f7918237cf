/* Answers that requests share: which body a client gets, when it gets none, and who may have it. */
#include <string.h>

#include "api/http/answer.h"
#include "tests/test.h"

static const struct audience everybody = {.anonymous_only = false};

static struct shared_answer *new_answer(size_t length, const struct audience *audience)
{
    static char body[100000];
    memset(body, 'a', length);
    const struct http_response response = {.status = 200,
                                           .content_type = "text/plain",
                                           .etag = "\"7\"",
                                           .cache_control = "no-cache",
                                           .body = {body, length}};
    struct shared_answer *answer = shared_answer_new(&response, 1, audience);
    assert_non_null(answer);
    return answer;
}

struct given {
    int status;
    const char *etag, *encoding;
};

static struct given give(const char *accept_encoding, const char *if_none_match, size_t length)
{
    struct shared_answer *answer = new_answer(length, &everybody);
    const struct http_request request = {
        .method = HTTP_GET, .accept_encoding = accept_encoding, .if_none_match = if_none_match};
    struct http_response response = {.status = 0};
    shared_answer_give(answer, &request, &response);
    struct MHD_Response *ready = shared_answer_ready(&response, false);
    static char etag[64];
    const char *tag = MHD_get_response_header(ready, "ETag");
    assert_true(strlen(tag) < sizeof etag);
    memcpy(etag, tag, strlen(tag) + 1);
    const char *encoding = MHD_get_response_header(ready, "Content-Encoding");
    assert_true(encoding == NULL || strcmp(encoding, "gzip") == 0);
    assert_string_equal(MHD_get_response_header(ready, "Vary"), "Accept-Encoding");
    assert_null(MHD_get_response_header(ready, "X-Request-Id"));
    struct given given = {response.status, etag, encoding == NULL ? "" : "gzip"};
    shared_answer_drop(response.shared);
    shared_answer_drop(answer);
    return given;
}

static void assert_given(struct given given, int status, const char *etag, const char *encoding)
{
    assert_int_equal(given.status, status);
    assert_string_equal(given.etag, etag);
    assert_string_equal(given.encoding, encoding);
}

TEST(test_codings)
{
    assert_given(give(NULL, NULL, 5000), 200, "\"7\"", "");
    assert_given(give("gzip", NULL, 5000), 200, "\"7-gzip\"", "gzip");
    assert_given(give("br;q=1.0, gzip;q=0.5", NULL, 5000), 200, "\"7-gzip\"", "gzip");
    assert_given(give("gzip;q=0", NULL, 5000), 200, "\"7\"", "");
    /* Where it does not pay there is one body only. */
    assert_given(give("gzip", NULL, 1024), 200, "\"7\"", "");
    assert_given(give("gzip", NULL, 1025), 200, "\"7-gzip\"", "gzip");
    assert_given(give("gzip", NULL, 0), 200, "\"7\"", "");
}

TEST(test_not_modified)
{
    assert_given(give(NULL, "\"7\"", 5000), 304, "\"7\"", "");
    assert_given(give("gzip", "\"7-gzip\"", 5000), 304, "\"7-gzip\"", "gzip");
    /* Either will do, and the tag is of the one that the client has. */
    assert_given(give("gzip", "\"7\"", 5000), 304, "\"7\"", "");
    assert_given(give(NULL, "W/\"6\", W/\"7-gzip\"", 5000), 304, "\"7-gzip\"", "gzip");
    assert_given(give(NULL, "*", 5000), 304, "\"7\"", "");
    assert_given(give("gzip", "\"8\", \"77\", \"7-\"", 5000), 200, "\"7-gzip\"", "gzip");
    /* The tag of a body that there is not. */
    assert_given(give(NULL, "\"7-gzip\"", 10), 200, "\"7\"", "");
}

TEST(test_accept_encoding)
{
    static const char *const takes[] = {"gzip",
                                        "GZip",
                                        "deflate, gzip",
                                        "gzip;q=1",
                                        "gzip; q=0.001",
                                        "*",
                                        "br, *;q=0.1",
                                        "identity, gzip ;q=0.8",
                                        ",,gzip",
                                        "gzip;q=0.1, *;q=0",
                                        "gzip;level=0;q=1"};
    static const char *const refuses[] = {
        "",       "identity", "gzip;q=0", "gzip; q=0.000 , br", "*;q=0", "gzip;q=0, *", "gzipped",
        "x-gzip", "br",       ";gzip",    "deflate;gzip=1"};
    for (size_t i = 0; i < sizeof takes / sizeof takes[0]; i++)
        if (!http_takes_gzip(takes[i]))
            fail_msg("refused: %s", takes[i]);
    for (size_t i = 0; i < sizeof refuses / sizeof refuses[0]; i++)
        if (http_takes_gzip(refuses[i]))
            fail_msg("taken: %s", refuses[i]);
    assert_false(http_takes_gzip(NULL));
}

TEST(test_audience)
{
    static const struct id ada = {"01890000-0000-7000-8000-00000000000a"};
    static const struct id bob = {"01890000-0000-7000-8000-00000000000b"};
    static const struct id eve = {"01890000-0000-7000-8000-00000000000e"};
    const struct audience others = {.excluded_count = 2, .excluded = {ada, bob}};
    const struct audience anonymous = {.anonymous_only = true};
    struct shared_answer *open = new_answer(10, &everybody);
    struct shared_answer *game = new_answer(10, &others);
    struct shared_answer *shut = new_answer(10, &anonymous);
    assert_true(shared_answer_is_for(open, NULL) && shared_answer_is_for(open, &ada));
    assert_true(shared_answer_is_for(game, NULL) && shared_answer_is_for(game, &eve));
    assert_false(shared_answer_is_for(game, &ada) || shared_answer_is_for(game, &bob));
    assert_true(shared_answer_is_for(shut, NULL));
    assert_false(shared_answer_is_for(shut, &eve));
    shared_answer_drop(open);
    shared_answer_drop(game);
    shared_answer_drop(shut);
}

TEST(test_unsendable)
{
    const struct http_response response = {
        .status = 200, .content_type = "text/plain\r\nX: y", .etag = "\"7\"", .body = {"a", 1}};
    assert_null(shared_answer_new(&response, 1, &everybody));
}

TEST(test_of_a_service_that_stops)
{
    struct shared_answer *answer = new_answer(10, &everybody);
    const struct http_request request = {.method = HTTP_GET};
    struct http_response response = {.status = 0};
    shared_answer_give(answer, &request, &response);
    assert_null(MHD_get_response_header(shared_answer_ready(&response, false), "Connection"));
    for (int i = 0; i < 2; i++)
        assert_string_equal(
            MHD_get_response_header(shared_answer_ready(&response, true), "Connection"), "close");
    shared_answer_drop(response.shared);
    shared_answer_drop(answer);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
