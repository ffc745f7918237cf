/* When a batch waits for clients that have just been answered: no database needed. */
#include "db/writer/linger.h"

#include <string.h>

#include "tests/db/database.h"

enum { GAMES = 8, FAST_US = 400, SLOW_US = 4000, SERVE_US = 40 };

static struct id game[GAMES];
static struct write write_of[GAMES];
static struct write *answered[GAMES];
static struct linger linger;
static int64_t loop_us; /* as if each move took so long */

FIXTURE(set_up)
{
    loop_us = 1000;
    linger = (struct linger){.loop_us = loop_us};
    for (int i = 0; i < GAMES; i++) {
        game[i] = id_first(NOW_MS + i);
        write_of[i] = (struct write){.game = &game[i]};
        answered[i] = &write_of[i];
    }
    return 0;
}

static int64_t begin_with(size_t count, size_t waiting, int64_t commit_us)
{
    loop_us += (int64_t)count * SERVE_US;
    return linger_begin(&linger, answered, count, waiting, commit_us, loop_us);
}

LISTED_TEST(test_waits_until_all_are_back)
{
    assert_int_equal(begin_with(GAMES, 0, FAST_US), 850);
    for (int i = GAMES - 1; i >= 0; i--) {
        assert_true(linger_waits(&linger));
        linger_note(&linger, &game[i]);
    }
    assert_false(linger_waits(&linger));
    linger_end(&linger);
    assert_int_equal(begin_with(GAMES, 0, FAST_US), 850);
}

LISTED_TEST(test_others_are_not_waited_for)
{
    struct id other = id_first(NOW_MS + GAMES);
    assert_true(begin_with(2, 1, FAST_US) > 0);
    linger_note(&linger, &other);
    linger_note(&linger, &game[0]);
    assert_true(linger_waits(&linger));
    linger_note(&linger, &game[1]);
    assert_false(linger_waits(&linger));
}

LISTED_TEST(test_nobody_else_to_wait_with)
{
    assert_int_equal(begin_with(1, 0, FAST_US), 0);
    assert_false(linger_waits(&linger));
    assert_true(begin_with(1, 1, FAST_US) > 0);
}

/* Serving so many takes longer than the commit that is spared; on a slow disk it does not. */
LISTED_TEST(test_many)
{
    assert_int_equal(begin_with(GAMES, 32, FAST_US), 0);
    assert_int_equal(begin_with(GAMES, 32, SLOW_US), 1750);
}

LISTED_TEST(test_machine_is_measured)
{
    assert_true(begin_with(GAMES, 0, FAST_US) > 0);
    assert_int_equal(begin_with(GAMES, 4, FAST_US), 0); /* 12 * 40 us */
    for (int i = 0; i < 100; i++) {
        loop_us -= GAMES * SERVE_US / 2;
        (void)begin_with(GAMES, 0, FAST_US);
    }
    loop_us -= GAMES * SERVE_US / 2;
    assert_true(begin_with(GAMES, 10, FAST_US) > 0); /* 18 * 20 us */
    loop_us -= GAMES * SERVE_US / 2;
    assert_int_equal(begin_with(GAMES, 13, FAST_US), 0); /* 21 * 20 us */
}

/* An hour without moves is forgotten after some of them. */
LISTED_TEST(test_hour_without_moves)
{
    assert_true(begin_with(GAMES, 0, FAST_US) > 0);
    loop_us += 3600000000;
    assert_int_equal(begin_with(GAMES, 0, FAST_US), 0);
    for (int i = 0; i < 32; i++)
        (void)begin_with(GAMES, 0, FAST_US);
    assert_true(begin_with(GAMES, 0, FAST_US) > 0);
}

/* The first batch tells nothing: before it, the thread has done other things. */
LISTED_TEST(test_unknown_machine)
{
    linger = (struct linger){.expected = 0};
    assert_int_equal(begin_with(GAMES, 0, SLOW_US), 0);
    assert_true(begin_with(GAMES, 0, SLOW_US) > 0);
}

/* How many batches do not wait after one that waited for eight, of whom so many came. */
static unsigned pause_after(int came)
{
    unsigned batches = 0;
    while (begin_with(GAMES, 0, FAST_US) == 0) {
        assert_false(linger_waits(&linger));
        linger_end(&linger);
        batches++;
    }
    for (int i = 0; i < came; i++)
        linger_note(&linger, &game[i]);
    linger_end(&linger);
    return batches;
}

LISTED_TEST(test_pauses_after_waiting_in_vain)
{
    static const unsigned pauses[] = {0, 1, 3, 7, 15, 31, 63, 127, 255, 255};
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++)
        assert_int_equal(pause_after(5), pauses[i]);
    assert_int_equal(pause_after(6), 255); /* three quarters are enough */
    assert_int_equal(pause_after(0), 0);
    assert_int_equal(pause_after(GAMES), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_waits_until_all_are_back, set_up),
        cmocka_unit_test_setup(test_others_are_not_waited_for, set_up),
        cmocka_unit_test_setup(test_nobody_else_to_wait_with, set_up),
        cmocka_unit_test_setup(test_many, set_up),
        cmocka_unit_test_setup(test_machine_is_measured, set_up),
        cmocka_unit_test_setup(test_hour_without_moves, set_up),
        cmocka_unit_test_setup(test_unknown_machine, set_up),
        cmocka_unit_test_setup(test_pauses_after_waiting_in_vain, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
