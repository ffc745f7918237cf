/* Fields of JSON documents (engine/base/json.h). */
#include "engine/base/json.h"
#include "tests/test.h"

TEST(reads_whole_numbers_within_their_range)
{
    int64_t number = 7;
    json_t *value = json_pack("[i, i, f, s, b]", -3, 12, 1.0, "1", 1);
    assert_true(json_read_whole(json_array_get(value, 0), -3, 12, &number));
    assert_int_equal(number, -3);
    assert_true(json_read_whole(json_array_get(value, 1), -3, 12, &number));
    assert_int_equal(number, 12);
    assert_false(json_read_whole(json_array_get(value, 0), -2, 12, &number));
    assert_false(json_read_whole(json_array_get(value, 1), -3, 11, &number));
    for (size_t i = 2; i <= 5; i++)
        assert_false(json_read_whole(json_array_get(value, i), INT64_MIN, INT64_MAX, &number));
    assert_int_equal(number, 12);
    json_decref(value);
}

TEST(reads_the_words_that_are_allowed)
{
    static const char *const words[] = {"first", "second", "third", NULL};
    size_t index = 9;
    json_t *value = json_pack("[s, s, s, i]", "second", "third", "fourth", 1);
    assert_true(json_read_word(json_array_get(value, 0), words, SIZE_MAX, &index));
    assert_int_equal(index, 1);
    assert_true(json_read_word(json_array_get(value, 1), words, 3, &index));
    assert_int_equal(index, 2);
    assert_false(json_read_word(json_array_get(value, 1), words, 2, &index));
    for (size_t i = 2; i <= 4; i++)
        assert_false(json_read_word(json_array_get(value, i), words, SIZE_MAX, &index));
    assert_int_equal(index, 2);
    json_decref(value);
}

TEST(says_what_is_allowed)
{
    static const char *const words[] = {"first", "second", "third", NULL};
    char bytes[100];
    struct text text = TEXT_OVER(bytes);
    json_say_whole(&text, -3, 12);
    assert_string_equal(bytes, "must be a whole number from -3 to 12.");
    text = TEXT_OVER(bytes);
    json_say_words(&text, words, 2);
    assert_string_equal(bytes, "must be one of: first second");
    text = TEXT_OVER(bytes);
    json_say_words(&text, words, SIZE_MAX);
    assert_string_equal(bytes, "must be one of: first second third");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
