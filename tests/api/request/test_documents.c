/* Numbers and texts as documents show them: rationals, times, and JSON that is written without a
 * tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/request/call.h"
#include "api/request/documents.h"
#include "engine/base/json.h"
#include "tests/test.h"

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 16;
}

/* ---- Rationals ---- */

/* By definition: thousandths, rounded half away from zero, without trailing zeros. */
static void print_expected(int64_t numerator, int64_t denominator, char text[static 40])
{
    __extension__ __int128 size = numerator < 0 ? -(__int128)numerator : numerator;
    __extension__ __int128 thousandths =
        (2 * size * 1000 + denominator) / (2 * (__int128)denominator);
    int length = snprintf(text, 40, "%s%lld.%03d", numerator < 0 && thousandths > 0 ? "-" : "",
                          (long long)(thousandths / 1000), (int)(thousandths % 1000));
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
}

static void assert_rational(int64_t numerator, int64_t denominator)
{
    char expected[40];
    struct rational shown = rational_show(numerator, denominator);
    print_expected(numerator, denominator, expected);
    if (strcmp(shown.text, expected) != 0)
        fail_msg("%lld/%lld: %s, expected %s", (long long)numerator, (long long)denominator,
                 shown.text, expected);
    __extension__ typedef __int128 wide;
    assert_true((wide)shown.numerator * denominator == (wide)numerator * shown.denominator);
    assert_true(shown.denominator >= 1 && shown.denominator <= denominator);
}

TEST(test_rationals)
{
    uint64_t random = 1;
    for (int64_t denominator = 1; denominator <= 60; denominator++)
        for (int64_t numerator = -200; numerator <= 200; numerator++)
            assert_rational(numerator, denominator);
    for (int i = 0; i < 20000; i++) {
        int64_t denominator = (int64_t)(next_random(&random) >> i % 40) + 1;
        int64_t numerator = (int64_t)(next_random(&random) >> i % 37);
        assert_rational(i % 2 ? -numerator : numerator, denominator);
    }
    assert_rational(INT64_MAX, INT64_MAX);
    assert_rational(1, INT64_MAX);
    assert_rational(1999, 2000);
    assert_rational(-1, 2000);
    assert_rational(-1, 2001);
}

/* ---- JSON without a tree ---- */

/* The same document both ways. */
static void assert_same(const struct json_text *json, json_t *document)
{
    char *expected = json_dumps(document, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(expected);
    struct span written = json_text_span(json);
    assert_int_equal(written.length, strlen(expected));
    assert_memory_equal(written.at, expected, written.length);
    free(expected);
    json_decref(document);
}

TEST(test_json_form)
{
    struct arena arena = {NULL};
    struct json_text json;
    json_text_begin(&json, &arena, 1);
    json_text_open(&json, NULL, '{');
    json_text_open(&json, "empty", '[');
    json_text_close(&json, ']');
    json_text_open(&json, "list", '[');
    json_text_number(&json, NULL, -5);
    json_text_boolean(&json, NULL, true);
    json_text_open(&json, NULL, '{');
    json_text_string(&json, "a", "x[");
    json_text_boolean(&json, "b", false);
    json_text_close(&json, '}');
    json_text_null(&json, NULL);
    json_text_close(&json, ']');
    json_text_value(&json, "value", span_of("{\"c\":1}"));
    json_text_number(&json, "most", INT64_MAX);
    json_text_close(&json, '}');
    assert_same(&json,
                json_pack("{s:[], s:[i, b, {s:s, s:b}, n], s:{s:i}, s:I}", "empty", "list", -5, 1,
                          "a", "x[", "b", 0, "value", "c", 1, "most", (json_int_t)INT64_MAX));
    arena_free(&arena);
}

TEST(test_json_strings)
{
    struct arena arena = {NULL};
    for (unsigned c = 1; c < 128; c++) {
        const char string[] = {'a', (char)c, 'b', (char)c, '\0'};
        struct json_text json;
        json_text_begin(&json, &arena, 1);
        json_text_string(&json, NULL, string);
        assert_same(&json, json_string(string));
    }
    static const char *const strings[] = {"", "Zoë", "日本", "\xf0\x9f\x8e\xb2", "a/b"};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        struct json_text json;
        json_text_begin(&json, &arena, 1);
        json_text_string(&json, NULL, strings[i]);
        assert_same(&json, json_string(strings[i]));
    }
    arena_free(&arena);
}

/* ---- Times ---- */

TEST(test_times_that_are_read)
{
    static const struct {
        const char *text;
        int64_t ms;
    } times[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-20T15:04:05.123Z", 1795187045123},
        {"2026-11-20T15:04:05.123999Z", 1795187045123},
        {"2026-11-20T15:04:05.1z", 1795187045100},
        {"2026-11-20t10:04:05-05:00", 1795187045000},
        {"2026-11-20 16:34:05+01:30", 1795187045000},
        {"2024-02-29T23:59:60Z", 1709251200000},
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        int64_t ms = -1;
        assert_true(time_parse(span_of(times[i].text), &ms));
        assert_true(ms == times[i].ms);
    }
}

TEST(test_times_that_are_none)
{
    static const char *const texts[] = {"",
                                        "now",
                                        "2026-11-20",
                                        "2026-11-20T15:04:05",
                                        "2026-11-20T15:04Z",
                                        "2026-11-20T24:00:00Z",
                                        "2026-11-20T15:60:00Z",
                                        "2026-11-20T15:04:61Z",
                                        "2026-00-20T15:04:05Z",
                                        "2026-13-20T15:04:05Z",
                                        "2026-11-31T15:04:05Z",
                                        "2025-02-29T15:04:05Z",
                                        "1969-12-31T23:59:59Z",
                                        "2026-11-20T15:04:05.Z",
                                        "2026-11-20T15:04:05+0100",
                                        "2026-11-20T15:04:05Zx",
                                        "20261120T150405Z"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ms;
        if (time_parse(span_of(texts[i]), &ms))
            fail_msg("%s was taken for a time", texts[i]);
    }
}

/* What is printed is read back. */
TEST(test_times_both_ways)
{
    uint64_t random = 7;
    for (int i = 0; i < 10000; i++) {
        int64_t ms = (int64_t)(next_random(&random) % UINT64_C(253402300800000));
        int64_t again;
        char text[TIME_TEXT];
        time_print(ms, text);
        assert_true(time_parse(span_of(text), &again));
        assert_true(again == ms);
    }
}

/* ---- JSON that cannot be read ---- */

/* A complaint can stand in a document, whatever part of the text the parser repeats in it. */
TEST(test_json_complaints)
{
    for (unsigned first = 1; first < 256; first++)
        for (unsigned second = 1; second < 256; second++) {
            const char body[] = {'{', '"', '\\', 'u', '0', (char)first, (char)second, '"', '}'};
            char bytes[200];
            struct text error = TEXT_OVER(bytes);
            assert_null(json_parse_object((struct span){body, sizeof body}, &error));
            json_t *shown = json_string(bytes);
            assert_non_null(shown);
            assert_true(error.length > 0);
            json_decref(shown);
        }
}

/* Jansson itself accepts all of them. */
TEST(test_json_with_a_nul_byte)
{
    static const char bodies[][12] = {"{\"a\":true\0}", "{\"a\":false\0}", "{\"abc\":12\0}",
                                      "{\"a\":null\0}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        size_t length = strlen(bodies[i]) + 2;
        char bytes[200];
        struct text error = TEXT_OVER(bytes);
        json_t *read = json_loadb(bodies[i], length, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(read);
        json_decref(read);
        assert_null(json_parse_object((struct span){bodies[i], length}, &error));
        assert_string_equal(bytes, "The JSON holds a NUL byte.");
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
