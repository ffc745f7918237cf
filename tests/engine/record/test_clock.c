/* Clocks: controls as text, and what they show at any time. */
#include <string.h>

#include "engine/record/clock.h"
#include "tests/test.h"

static const struct clock_control bank = {
    .kind = CLOCK_BANK, .bank_ms = 1000, .increment_ms = 200, .cap_ms = 1100};
static const struct clock_control each = {.kind = CLOCK_MOVE, .move_ms = 500};

TEST(test_controls_have_one_form)
{
    static const char *const good[] = {
        "-",
        "bank=1 increment=0 cap=1",
        "bank=1200000 increment=20000 cap=1800000",
        "bank=31622400000 increment=31622400000 cap=31622400000",
        "move=1",
        "move=31622400000",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char bytes[128];
        struct text text = TEXT_OVER(bytes);
        struct clock_control control;
        if (!clock_read_control(span_of(good[i]), &control))
            fail_msg("%s is refused", good[i]);
        clock_print_control(&control, &text);
        assert_string_equal(bytes, good[i]);
    }
}

TEST(test_other_controls_are_refused)
{
    static const char *const wrong[] = {
        "",
        "--",
        "- ",
        " -",
        "none",
        "move",
        "move=",
        "move=0",
        "move=01",
        "move=-1",
        "move=1 ",
        "move=31622400001",
        "move=99999999999999999999",
        "Move=5",
        "move=5 bank=5",
        "bank=5",
        "bank=5 increment=1",
        "bank=5 cap=5",
        "bank=0 increment=1 cap=5",
        "bank=5 increment=1 cap=4",
        "bank=5 increment=1 cap=31622400001",
        "bank=5  increment=1 cap=5",
        "bank=5 increment=1 cap=5 ",
        "bank=5 increment=1 cap=5 move=5",
        "increment=1 bank=5 cap=5",
        "bank=5 increment=+1 cap=5",
        "bank=5 increment=1 cap=5.0",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct clock_control control;
        if (clock_read_control(span_of(wrong[i]), &control))
            fail_msg("`%s` is accepted", wrong[i]);
    }
}

TEST(test_a_bank_runs_down)
{
    struct clock clock;
    clock_begin(&clock, &bank);
    clock_run(&clock, &bank, 1u << 0 | 1u << 2);
    assert_int_equal(clock_left_ms(&clock, 0, 400), 600);
    assert_int_equal(clock_left_ms(&clock, 1, 400), 1000);
    clock_advance(&clock, 400);
    clock_press(&clock, &bank, 0);
    clock_run(&clock, &bank, 1u << 2);
    assert_int_equal(clock_left_ms(&clock, 0, 900), 800);
    assert_int_equal(clock_left_ms(&clock, 2, 900), 100);
    assert_int_equal(clock_expired(&clock, 999), 0);
    assert_int_equal(clock_expired(&clock, 1000), 1u << 2);
    assert_int_equal(clock_left_ms(&clock, 2, 5000), 0);
    clock_advance(&clock, 5000);
    clock_press(&clock, &bank, 2);
    assert_int_equal(clock_left_ms(&clock, 2, 5000), 200);
}

TEST(test_the_cap_holds)
{
    struct clock clock;
    clock_begin(&clock, &bank);
    clock_press(&clock, &bank, 1);
    assert_int_equal(clock_left_ms(&clock, 1, 0), 1100);
    clock_press(&clock, &bank, 1);
    assert_int_equal(clock_left_ms(&clock, 1, 0), 1100);
}

TEST(test_each_decision_has_its_time)
{
    struct clock clock;
    clock_begin(&clock, &each);
    clock_run(&clock, &each, 1u << 0);
    clock_advance(&clock, 450);
    assert_int_equal(clock_left_ms(&clock, 0, 450), 50);
    clock_run(&clock, &each, 1u << 0); /* still the same decision */
    assert_int_equal(clock_left_ms(&clock, 0, 450), 50);
    clock_press(&clock, &each, 0);
    assert_int_equal(clock_left_ms(&clock, 0, 450), 500);
    clock_run(&clock, &each, 1u << 1);
    clock_advance(&clock, 2000);
    assert_int_equal(clock_left_ms(&clock, 1, 2000), 0);
    clock_run(&clock, &each, 1u << 0 | 1u << 1);
    assert_int_equal(clock_left_ms(&clock, 0, 2000), 500);
    assert_int_equal(clock_left_ms(&clock, 1, 2000), 0);
}

TEST(test_a_stop_costs_nobody_time)
{
    struct clock clock;
    unsigned seat = 9;
    int64_t at_ms = -1;
    clock_begin(&clock, &each);
    clock_run(&clock, &each, 1u << 3);
    clock_advance(&clock, 100);
    clock.stopped = 1;
    assert_int_equal(clock_left_ms(&clock, 3, 100000), 400);
    assert_int_equal(clock_expired(&clock, 100000), 0);
    assert_false(clock_next(&clock, UINT32_MAX, &seat, &at_ms));
    clock_advance(&clock, 100000);
    clock.stopped = 0;
    assert_int_equal(clock_expired(&clock, 100399), 0);
    assert_int_equal(clock_expired(&clock, 100400), 1u << 3);
    assert_true(clock_next(&clock, UINT32_MAX, &seat, &at_ms));
    assert_int_equal(seat, 3);
    assert_int_equal(at_ms, 100400);
}

TEST(test_who_runs_out_next)
{
    struct clock clock;
    unsigned seat;
    int64_t at_ms;
    clock_begin(&clock, &bank);
    assert_false(clock_next(&clock, UINT32_MAX, &seat, &at_ms));
    clock_run(&clock, &bank, 1u << 1);
    clock_advance(&clock, 300);
    clock_run(&clock, &bank, 1u << 0 | 1u << 1 | 1u << 4);
    assert_true(clock_next(&clock, UINT32_MAX, &seat, &at_ms));
    assert_int_equal(seat, 1);
    assert_int_equal(at_ms, 1000);
    assert_true(clock_next(&clock, ~(1u << 1), &seat, &at_ms));
    assert_int_equal(seat, 0);
    assert_int_equal(at_ms, 1300);
    assert_false(clock_next(&clock, 1u << 2 | 1u << 3, &seat, &at_ms));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
