/* Moments in UTC, beside what the C library says. */
#include <time.h>

#include "engine/base/calendar.h"
#include "tests/test.h"

static void check(uint64_t seconds)
{
    char bytes[32];
    char wanted[32];
    struct text text = TEXT_OVER(bytes);
    struct tm parts;
    const time_t moment = (time_t)seconds;
    assert_non_null(gmtime_r(&moment, &parts));
    assert_true(strftime(wanted, sizeof wanted, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0);
    calendar_print(seconds, &text);
    assert_string_equal(bytes, wanted);
}

TEST(test_moments)
{
    for (uint64_t day = 0; day < 800ULL * 365; day++)
        check(day * 86400 + day % 86400);
    check(253402300799);
    char bytes[32];
    struct text text = TEXT_OVER(bytes);
    calendar_print(UINT64_MAX, &text);
    assert_string_equal(bytes, "9999-12-31T23:59:59Z");
    text_clear(&text);
    calendar_print_ms(INT64_C(1709210096070), &text);
    assert_string_equal(bytes, "2024-02-29T12:34:56.070Z");
    text = (struct text){bytes, 0, 21, false};
    calendar_print_ms(INT64_C(1709210096070), &text);
    assert_true(text.overflow);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
