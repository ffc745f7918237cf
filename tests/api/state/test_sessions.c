/* Sessions that are kept: when one was last used is told now and then, and each once. */
#include <string.h>

#include "api/state/sessions.h"
#include "tests/test.h"

enum { MOST = 8 };

static const struct id player = {"01890000-0000-7000-8000-000000000001"};
static const int64_t start_ms = INT64_C(1700000000000);
static const int64_t end_ms = INT64_C(1800000000000);

static void hash_of(uint8_t number, uint8_t hash[static 32])
{
    memset(hash, 0, 32);
    hash[1] = number;
}

static void keep(struct sessions *sessions, uint8_t number)
{
    uint8_t hash[32];
    hash_of(number, hash);
    sessions_keep(sessions, hash, &player, 1, end_ms, sessions_epoch(sessions));
}

static bool use(struct sessions *sessions, uint8_t number, int64_t now_ms)
{
    uint8_t hash[32];
    struct id found;
    unsigned scopes;
    hash_of(number, hash);
    return sessions_find(sessions, hash, now_ms, &found, &scopes);
}

static size_t seen(struct sessions *sessions, int64_t now_ms, uint8_t (*hashes)[32])
{
    return sessions_seen(sessions, now_ms, MOST, hashes);
}

TEST(test_tells_of_each_use_once)
{
    struct sessions *sessions = sessions_new();
    uint8_t hashes[MOST][32];
    uint8_t expected[32];
    assert_int_equal(seen(sessions, start_ms, hashes), 0);
    keep(sessions, 7);
    assert_int_equal(seen(sessions, start_ms + 1, hashes), 1);
    hash_of(7, expected);
    assert_memory_equal(hashes[0], expected, sizeof expected);
    assert_int_equal(seen(sessions, start_ms + 2, hashes), 0);
    /* Not again before the time is over, and not at all without another use. */
    assert_true(use(sessions, 7, start_ms + 3));
    assert_int_equal(seen(sessions, start_ms + SESSIONS_SEEN_MS / 2, hashes), 0);
    assert_int_equal(seen(sessions, start_ms + 2 * SESSIONS_SEEN_MS, hashes), 1);
    assert_int_equal(seen(sessions, start_ms + 4 * SESSIONS_SEEN_MS, hashes), 0);
    sessions_free(sessions);
}

TEST(test_tells_of_as_many_as_there_is_room_for)
{
    struct sessions *sessions = sessions_new();
    uint8_t hashes[MOST][32];
    for (uint8_t i = 0; i < 3 * MOST - 2; i++)
        keep(sessions, i);
    assert_int_equal(seen(sessions, start_ms, hashes), MOST);
    assert_int_equal(seen(sessions, start_ms, hashes), MOST);
    assert_int_equal(seen(sessions, start_ms, hashes), MOST - 2);
    assert_int_equal(seen(sessions, start_ms, hashes), 0);
    sessions_free(sessions);
}

TEST(test_says_nothing_of_what_is_forgotten)
{
    struct sessions *sessions = sessions_new();
    uint8_t hashes[MOST][32];
    uint8_t gone[32];
    keep(sessions, 1);
    keep(sessions, 2);
    hash_of(1, gone);
    sessions_forget(sessions, gone);
    assert_false(use(sessions, 1, start_ms));
    assert_int_equal(seen(sessions, start_ms, hashes), 1);
    assert_memory_not_equal(hashes[0], gone, sizeof gone);
    sessions_forget_all(sessions);
    assert_int_equal(seen(sessions, start_ms + 2 * SESSIONS_SEEN_MS, hashes), 0);
    sessions_free(sessions);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
