/* Folds that are kept: what is found, what has room, and that copies are nobody else's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/state/event_cache.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

enum { ROOM = 1024 * 1024 };

static const char settings[] = "{'name':'Cup','ruleset':'shinjuku','seats_min':3,'seats_max':4,"
                               "'rounds':3}";
static const struct id one = {"01890000-0000-7000-8000-000000000001"};
static const struct id two = {"01890000-0000-7000-8000-000000000002"};

static struct event_mark mark_of_line(unsigned line)
{
    const struct event_step step = {
        .seq = line, .at_ms = 1000 + line, .kind = "entered", .detail = "{}"};
    return event_mark_of(&step);
}

static void keep(struct event_cache *event_cache, const struct id *event, unsigned players)
{
    struct tournament tournament;
    tell_entries(&tournament, settings, players);
    const struct event_mark mark = mark_of_line(tournament.lines);
    event_cache_keep(event_cache, event, &tournament, &mark);
    tournament_free(&tournament);
}

/* How many entrants the fold has that is kept; 0 if none is. */
static size_t entrants_kept(struct event_cache *event_cache, const struct id *event)
{
    struct event_mark mark;
    struct tournament *copy = event_cache_copy(event_cache, event, &mark);
    if (copy == NULL)
        return 0;
    const struct event_mark expected = mark_of_line(copy->lines);
    size_t count = copy->entrant_count;
    assert_memory_equal(mark.hash, expected.hash, sizeof mark.hash);
    tournament_free(copy);
    free(copy);
    return count;
}

TEST(test_keeps_the_newest_of_each_event)
{
    struct event_cache *event_cache = event_cache_new(ROOM);
    assert_int_equal(entrants_kept(event_cache, &one), 0);
    keep(event_cache, &one, 4);
    keep(event_cache, &two, 5);
    assert_int_equal(entrants_kept(event_cache, &one), 4);
    assert_int_equal(entrants_kept(event_cache, &two), 5);
    keep(event_cache, &one, 8);
    assert_int_equal(entrants_kept(event_cache, &one), 8);
    event_cache_free(event_cache);
}

TEST(test_mark_is_of_every_part_of_a_line)
{
    const struct event_step step = {
        .seq = 3, .at_ms = 7, .actor = {"a"}, .kind = "entered", .detail = "{}"};
    const struct event_mark mark = event_mark_of(&step);
    struct event_step other[5] = {step, step, step, step, step};
    other[0].seq = 4;
    other[1].at_ms = 8;
    other[2].actor = (struct id){"b"};
    other[3].kind = "dropped";
    other[4].detail = "{ }";
    for (size_t i = 0; i < 5; i++) {
        const struct event_mark differs = event_mark_of(&other[i]);
        assert_memory_not_equal(mark.hash, differs.hash, sizeof mark.hash);
    }
    const struct event_mark again = event_mark_of(&step);
    assert_memory_equal(mark.hash, again.hash, sizeof mark.hash);
}

/* What one caller tries on a copy is seen by no other. */
TEST(test_copies_are_apart)
{
    struct event_cache *event_cache = event_cache_new(ROOM);
    struct event_mark mark;
    keep(event_cache, &one, 4);
    struct tournament *copy = event_cache_copy(event_cache, &one, &mark);
    assert_non_null(copy);
    tell(copy, "dropped", "{'player':<2>,'after':0}");
    tell_stage(copy, "");
    tell_round(copy, "1 3 4", "", "[[2,'absent']]");
    struct tournament *other = event_cache_copy(event_cache, &one, &mark);
    event_cache_free(event_cache);
    assert_non_null(other);
    assert_int_equal(other->round_count, 0);
    assert_int_equal(other->entrants[1].out, 0);
    assert_int_equal(copy->rounds_started, 1);
    tournament_free(copy);
    free(copy);
    tournament_free(other);
    free(other);
}

static size_t bytes_of(unsigned players)
{
    struct tournament tournament;
    tell_entries(&tournament, settings, players);
    size_t bytes = tournament_bytes(&tournament);
    tournament_free(&tournament);
    return bytes;
}

/* Room for two: who was not asked for the longest goes. */
TEST(test_oldest_goes_first)
{
    static const struct id three = {"01890000-0000-7000-8000-000000000003"};
    struct event_cache *event_cache = event_cache_new(bytes_of(4) * 5 / 2);
    keep(event_cache, &one, 4);
    keep(event_cache, &two, 4);
    assert_int_equal(entrants_kept(event_cache, &one), 4);
    keep(event_cache, &three, 4);
    assert_int_equal(entrants_kept(event_cache, &two), 0);
    assert_int_equal(entrants_kept(event_cache, &one), 4);
    assert_int_equal(entrants_kept(event_cache, &three), 4);
    event_cache_free(event_cache);
}

TEST(test_what_is_too_large_is_not_kept)
{
    struct event_cache *event_cache = event_cache_new(bytes_of(4) - 1);
    keep(event_cache, &one, 4);
    assert_int_equal(entrants_kept(event_cache, &one), 0);
    event_cache_free(event_cache);
    event_cache = event_cache_new(0);
    keep(event_cache, &one, 1);
    assert_int_equal(entrants_kept(event_cache, &one), 0);
    event_cache_free(event_cache);
}

/* ---- Threads ---- */

static void *keep_and_copy(void *context)
{
    struct event_cache *event_cache = context;
    size_t *found = calloc(1, sizeof *found);
    for (unsigned i = 0; found != NULL && i < 200; i++) {
        struct event_mark mark;
        struct tournament *copy = event_cache_copy(event_cache, i % 2 == 0 ? &one : &two, &mark);
        if (copy == NULL)
            continue;
        *found += copy->entrant_count == (i % 2 == 0 ? 4 : 5);
        event_cache_keep(event_cache, i % 2 == 0 ? &one : &two, copy, &mark);
        tournament_free(copy);
        free(copy);
    }
    return found;
}

TEST(test_many_threads)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    struct event_cache *event_cache = event_cache_new(ROOM);
    keep(event_cache, &one, 4);
    keep(event_cache, &two, 5);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, keep_and_copy, event_cache), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *found = NULL;
        pthread_join(thread[i], &found);
        assert_non_null(found);
        assert_int_equal(*(size_t *)found, 200);
        free(found);
    }
    event_cache_free(event_cache);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
