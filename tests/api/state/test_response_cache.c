/* The store of finished answers: what is found, what a change takes away, and what has room. */
#include <stdio.h>
#include <string.h>

#include "api/state/response_cache.h"
#include "tests/test.h"

enum { ROOM = 1024 * 1024 };

static const struct id none = {""};
static const struct id game = {"01890000-0000-7000-8000-000000000001"};
static const struct id event = {"01890000-0000-7000-8000-000000000002"};

static struct shared_answer *new_answer(size_t length)
{
    static char body[ROOM];
    const struct audience everybody = {.anonymous_only = false};
    /* Nothing that gzip could make shorter. */
    uint32_t random = 1;
    for (size_t i = 0; i < length; i++) {
        random = random * 1664525 + 1013904223;
        body[i] = (char)(random >> 24);
    }
    const struct http_response response = {.status = 200, .etag = "\"1\"", .body = {body, length}};
    struct shared_answer *answer = shared_answer_new(&response, 1, &everybody);
    assert_non_null(answer);
    return answer;
}

static bool keep_of(struct response_cache *cache, const char *key, uint64_t clock,
                    const struct id *one, const struct id *two, size_t length)
{
    const struct id subject[ANSWER_SUBJECTS] = {*one, *two};
    struct shared_answer *answer = new_answer(length);
    bool kept = response_cache_keep(cache, span_of(key), clock, subject, answer);
    shared_answer_drop(answer);
    return kept;
}

static bool keep(struct response_cache *cache, const char *key)
{
    return keep_of(cache, key, response_cache_clock(cache), &game, &event, 100);
}

static bool finds(struct response_cache *cache, const char *key)
{
    struct shared_answer *answer = response_cache_find(cache, span_of(key));
    shared_answer_drop(answer);
    return answer != NULL;
}

TEST(test_keeps_and_finds)
{
    struct response_cache *cache = response_cache_new(ROOM);
    assert_false(finds(cache, "/a"));
    assert_true(keep(cache, "/a"));
    assert_true(keep(cache, "/b"));
    assert_true(finds(cache, "/a"));
    assert_true(finds(cache, "/b"));
    assert_false(finds(cache, "/"));
    assert_false(finds(cache, "/aa"));
    assert_true(keep(cache, "/a"));
    assert_int_equal(response_cache_count(cache).answers, 2);
    assert_int_equal(response_cache_count(cache).kept, 3);
    response_cache_free(cache);
}

/* An answer lives on with who has hold of it. */
TEST(test_hold_outlives_the_cache)
{
    struct response_cache *cache = response_cache_new(ROOM);
    assert_true(keep(cache, "/a"));
    struct shared_answer *answer = response_cache_find(cache, span_of("/a"));
    response_cache_free(cache);
    const struct http_request request = {.method = HTTP_GET};
    struct http_response response = {.status = 0};
    shared_answer_give(answer, &request, &response);
    assert_int_equal(response.status, 200);
    shared_answer_drop(response.shared);
    shared_answer_drop(answer);
}

TEST(test_change_of_a_subject)
{
    struct response_cache *cache = response_cache_new(ROOM);
    const struct id *const subjects[] = {&game, &event};
    for (size_t i = 0; i < 2; i++) {
        assert_true(keep(cache, "/a"));
        assert_true(keep_of(cache, "/other", response_cache_clock(cache), &none, &none, 100));
        response_cache_changed(cache, subjects[i]);
        assert_false(finds(cache, "/a"));
        assert_true(finds(cache, "/other"));
    }
    response_cache_changed(cache, &none);
    assert_true(finds(cache, "/other"));
    response_cache_free(cache);
}

TEST(test_change_of_everything)
{
    struct response_cache *cache = response_cache_new(ROOM);
    assert_true(keep(cache, "/a"));
    assert_true(keep_of(cache, "/other", response_cache_clock(cache), &none, &none, 100));
    response_cache_all_changed(cache);
    assert_false(finds(cache, "/a"));
    assert_false(finds(cache, "/other"));
    assert_int_equal(response_cache_count(cache).answers, 0);
    assert_int_equal(response_cache_count(cache).bytes, 0);
    response_cache_free(cache);
}

/* What was made from a snapshot older than a change must not be kept, whenever it comes. */
TEST(test_change_while_it_is_made)
{
    struct response_cache *cache = response_cache_new(ROOM);
    uint64_t before = response_cache_clock(cache);
    response_cache_changed(cache, &event);
    uint64_t after = response_cache_clock(cache);
    assert_false(keep_of(cache, "/a", before, &game, &event, 100));
    assert_false(finds(cache, "/a"));
    assert_true(keep_of(cache, "/a", after, &game, &event, 100));
    /* An older one does not take the place of a newer one either. */
    assert_false(keep_of(cache, "/a", before, &game, &event, 100));
    assert_true(finds(cache, "/a"));
    response_cache_all_changed(cache);
    assert_false(keep_of(cache, "/a", after, &none, &none, 100));
    assert_false(finds(cache, "/a"));
    assert_int_equal(response_cache_count(cache).answers, 0);
    response_cache_free(cache);
}

static void print_key(char key[static 32], unsigned number)
{
    snprintf(key, 32, "/%u", number);
}

TEST(test_bound)
{
    struct response_cache *cache = response_cache_new(ROOM);
    char key[32];
    for (unsigned i = 0; i < 500; i++) {
        print_key(key, i);
        assert_true(keep_of(cache, key, response_cache_clock(cache), &game, &event, 10000));
        /* The first one is asked for again and again, and stays. */
        assert_true(finds(cache, "/0"));
        assert_true(response_cache_count(cache).bytes <= ROOM);
    }
    struct response_cache_counts counts = response_cache_count(cache);
    assert_true(counts.answers > 50 && counts.answers < 105);
    assert_true(counts.bytes > ROOM / 2);
    for (unsigned i = 1; i < 500; i++) {
        print_key(key, i);
        assert_true(finds(cache, key) == (i > 500 - counts.answers));
    }
    assert_false(keep_of(cache, "/large", response_cache_clock(cache), &game, &event, ROOM / 4));
    assert_true(finds(cache, "/0"));
    response_cache_free(cache);
}

TEST(test_no_room)
{
    struct response_cache *cache = response_cache_new(0);
    assert_false(keep_of(cache, "/a", response_cache_clock(cache), &none, &none, 1));
    assert_false(finds(cache, "/a"));
    response_cache_free(cache);
}

TEST(test_long_key)
{
    struct response_cache *cache = response_cache_new(ROOM);
    char key[ANSWER_KEY_MAX + 2];
    memset(key, 'k', sizeof key);
    key[ANSWER_KEY_MAX + 1] = '\0';
    assert_false(keep(cache, key));
    key[ANSWER_KEY_MAX] = '\0';
    assert_true(keep(cache, key));
    assert_true(finds(cache, key));
    response_cache_free(cache);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
