/* Spans and bounded texts. */
#include <string.h>

#include "engine/base/text.h"
#include "tests/test.h"

#define SPAN(literal) ((struct span)SPAN_LITERAL(literal))

static void assert_span(struct span span, const char *expected)
{
    assert_int_equal(span.length, strlen(expected));
    if (span.length > 0)
        assert_memory_equal(span.at, expected, span.length);
}

TEST(test_comparing)
{
    struct span nothing = {NULL, 0};
    assert_true(span_equal(nothing, SPAN("")));
    assert_true(span_equal(SPAN("a\0b"), SPAN("a\0b")));
    assert_false(span_equal(SPAN("a\0b"), SPAN("a\0c")));
    assert_false(span_equal(SPAN("a"), SPAN("ab")));
    assert_true(span_is(SPAN("ota"), "ota"));
    assert_false(span_is(SPAN("ota"), "ot"));
    assert_int_equal(span_compare(nothing, SPAN("")), 0);
    assert_true(span_compare(SPAN("a"), SPAN("b")) < 0);
    assert_true(span_compare(SPAN("ab"), SPAN("a")) > 0);
    assert_true(span_compare(SPAN("a"), SPAN("a ")) < 0);
    assert_true(span_compare(SPAN("\x7f"), SPAN("\xff")) < 0);
}

TEST(test_words)
{
    struct span rest = SPAN("move  ueno");
    assert_span(span_word(&rest), "move");
    assert_span(span_word(&rest), "");
    assert_span(span_word(&rest), "ueno");
    assert_int_equal(rest.length, 0);
    assert_span(span_word(&rest), "");
    rest = SPAN("end ");
    assert_span(span_word(&rest), "end");
    assert_int_equal(rest.length, 0);
    rest = (struct span){NULL, 0};
    assert_span(span_word(&rest), "");
}

TEST(test_lines)
{
    struct span line;
    struct span rest = SPAN("one\n\nthree");
    assert_true(span_line(&rest, &line));
    assert_span(line, "one");
    assert_true(span_line(&rest, &line));
    assert_span(line, "");
    assert_true(span_line(&rest, &line));
    assert_span(line, "three");
    assert_false(span_line(&rest, &line));
    rest = SPAN("one\n");
    assert_true(span_line(&rest, &line));
    assert_false(span_line(&rest, &line));
}

TEST(test_numbers)
{
    static const char *const wrong[] = {"",   "00",  "01", "-1", "+1",  " 1",
                                        "1 ", "0x1", "1a", "1_", "1.0", "184467440737095516150"};
    uint64_t value = 77;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(span_number(span_of(wrong[i]), UINT64_MAX, &value));
    assert_int_equal(value, 77);
    assert_true(span_number(SPAN("0"), 0, &value));
    assert_int_equal(value, 0);
    assert_false(span_number(SPAN("1"), 0, &value));
    assert_true(span_number(SPAN("255"), 255, &value));
    assert_int_equal(value, 255);
    assert_false(span_number(SPAN("256"), 255, &value));
    assert_false(span_number(SPAN("300"), 255, &value));
    assert_false(span_number(SPAN("9"), 5, &value));
    assert_true(span_number(SPAN("18446744073709551615"), UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
    assert_false(span_number(SPAN("18446744073709551616"), UINT64_MAX, &value));
    assert_false(span_number(SPAN("99999999999999999999"), UINT64_MAX, &value));
}

TEST(test_integers)
{
    int64_t value = 0;
    assert_true(span_integer(SPAN("-2147483647"), INT32_MAX, &value));
    assert_int_equal(value, -2147483647);
    assert_true(span_integer(SPAN("0"), INT32_MAX, &value));
    assert_int_equal(value, 0);
    assert_false(span_integer(SPAN("-0"), INT32_MAX, &value));
    assert_false(span_integer(SPAN("-"), INT32_MAX, &value));
    assert_false(span_integer(SPAN("--1"), INT32_MAX, &value));
    assert_false(span_integer(SPAN("-2147483648"), INT32_MAX, &value));
    assert_false(span_integer(SPAN(""), INT32_MAX, &value));
}

TEST(test_hex)
{
    uint8_t bytes[2] = {9, 9};
    assert_true(span_hex(SPAN("0aff"), bytes, 2));
    assert_int_equal(bytes[0], 0x0a);
    assert_int_equal(bytes[1], 0xff);
    assert_false(span_hex(SPAN("0AFF"), bytes, 2));
    assert_false(span_hex(SPAN("0af"), bytes, 2));
    assert_false(span_hex(SPAN("0aff0"), bytes, 2));
    assert_false(span_hex(SPAN("0ag0"), bytes, 2));
    assert_true(span_hex(SPAN(""), bytes, 0));
}

TEST(test_writing)
{
    char bytes[24];
    struct text text = TEXT_OVER(bytes);
    assert_string_equal(bytes, "");
    text_add(&text, "a");
    text_add_char(&text, ' ');
    text_add_number(&text, -12);
    text_add_char(&text, ' ');
    text_add_number(&text, 0);
    text_add_char(&text, ' ');
    text_add_hex(&text, (const uint8_t[]){0x0f, 0xa0}, 2);
    assert_string_equal(bytes, "a -12 0 0fa0");
    assert_span(text_span(&text), "a -12 0 0fa0");
    assert_false(text.overflow);
    text_clear(&text);
    text_add_number(&text, INT64_MIN);
    assert_string_equal(bytes, "-9223372036854775808");
    text_clear(&text);
    text_add_number(&text, INT64_MAX);
    assert_string_equal(bytes, "9223372036854775807");
}

TEST(test_overflow)
{
    char bytes[4];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "abc");
    assert_false(text.overflow);
    text_add(&text, "");
    assert_false(text.overflow);
    text_add(&text, "d");
    assert_true(text.overflow);
    assert_string_equal(bytes, "abc");
    text_clear(&text);
    assert_false(text.overflow);
    text_add(&text, "abcd");
    assert_true(text.overflow);
    assert_string_equal(bytes, "");
    text_add(&text, "a");
    assert_string_equal(bytes, "");
    char one[1];
    struct text tiny = TEXT_OVER(one);
    text_add_char(&tiny, 'a');
    assert_true(tiny.overflow);
    assert_string_equal(one, "");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
