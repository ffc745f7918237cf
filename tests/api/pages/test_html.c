/* Writing pages: whatever stands in a value stays text, and numbers, places and times read as
 * people write them. */
#include <string.h>

#include "api/pages/page_parts.h"
#include "tests/test.h"

static struct arena arena;
static struct growing html;

FIXTURE(begin)
{
    arena = (struct arena){NULL};
    growing_begin(&html, &arena, 1);
    return 0;
}

FIXTURE(end)
{
    arena_free(&arena);
    return 0;
}

/* What has been written since the last time. */
static void assert_written(const char *expected)
{
    struct span written = growing_span(&html);
    assert_int_equal(written.length, strlen(expected));
    assert_memory_equal(written.at, expected, written.length);
    html.length = 0;
}

LISTED_TEST(test_values_are_escaped)
{
    html_write(&html, "<a title=\"%s\">%s</a>", "\"><img src='x'>", "a & b &lt; </a>");
    assert_written("<a title=\"&quot;&gt;&lt;img src=&#39;x&#39;&gt;\">"
                   "a &amp; b &amp;lt; &lt;/a&gt;</a>");
    for (int c = 1; c < 256; c++) {
        const char value[] = {(char)c, '\0'};
        html_write(&html, "%s", value);
        bool escaped = strchr("&<>\"'", c) != NULL;
        assert_int_equal(growing_span(&html).length > 1, escaped);
        html.length = 0;
    }
}

LISTED_TEST(test_formats)
{
    const char *volatile none = NULL;
    html_write(&html, "%d %lld %d%% %s%s|", -7, (long long)INT64_MIN, INT32_MAX, "", none);
    assert_written("-7 -9223372036854775808 2147483647% |");
    html_write(&html, "%s", "");
    assert_written("");
}

LISTED_TEST(test_texts_grow)
{
    char expected[10001];
    for (int i = 0; i < 5000; i++) {
        html_write(&html, "%s", i % 2 == 0 ? "ab" : "cd");
        memcpy(expected + (ptrdiff_t)2 * i, i % 2 == 0 ? "ab" : "cd", 2);
    }
    expected[10000] = '\0';
    assert_written(expected);
}

LISTED_TEST(test_places)
{
    part_place(&html, 0, 0);
    assert_written("");
    part_place(&html, 3, 1);
    assert_written("3");
    part_place(&html, 3, 2);
    assert_written("3\u20134");
    json_t *seats = json_pack("[{s:i}, {s:i}, {s:n}]", "rank", 1, "rank", 1, "rank");
    assert_int_equal(part_sharing(seats, 1), 2);
    assert_int_equal(part_sharing(seats, 2), 0);
    json_decref(seats);
}

LISTED_TEST(test_times)
{
    part_time(&html, "2026-11-22T10:27:59.123Z");
    assert_written("<time datetime=\"2026-11-22T10:27:59.123Z\">22 Nov 2026, 10:27 UTC</time>");
    part_time(&html, "2026-01-02T00:00:00.000Z");
    assert_written("<time datetime=\"2026-01-02T00:00:00.000Z\">2 Jan 2026, 00:00 UTC</time>");
    part_time(&html, "");
    assert_written("");
}

LISTED_TEST(test_games)
{
    json_t *game = json_pack("{s:s, s:b, s:{s:s}, s:{s:i, s:i, s:n}}", "id", "1", "hidden", 1,
                             "ruleset", "title", "A & B", "event", "round", 2, "table", 3, "board");
    part_game(&html, game);
    assert_written("A &amp; B, round 2, table 3");
    json_object_set_new(game, "hidden", json_false());
    part_game(&html, game);
    assert_written("<a href=\"/games/1\">A &amp; B, round 2, table 3</a>");
    json_decref(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_values_are_escaped, begin, end),
        cmocka_unit_test_setup_teardown(test_formats, begin, end),
        cmocka_unit_test_setup_teardown(test_texts_grow, begin, end),
        cmocka_unit_test_setup_teardown(test_places, begin, end),
        cmocka_unit_test_setup_teardown(test_times, begin, end),
        cmocka_unit_test_setup_teardown(test_games, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
