/* The move notation: what is one, and what is not. */
#include <assert.h>
#include <string.h>

#include "engine/game/game.h"
#include "tests/test.h"

#define SPAN(literal) ((struct span)SPAN_LITERAL(literal))

TEST(test_splitting)
{
    struct words words;
    assert_true(notation_split(SPAN("move ueno > tokyo"), &words));
    assert_int_equal(words.count, 4);
    assert_true(span_is(words.word[0], "move"));
    assert_true(span_is(words.word[2], ">"));
    assert_true(span_is(words.word[3], "tokyo"));
    assert_true(notation_split(SPAN("!"), &words));
    assert_int_equal(words.count, 1);
    assert_true(notation_split(SPAN("~"), &words));
}

TEST(test_refusing)
{
    static const struct span wrong[] = {
        SPAN_LITERAL(""),           SPAN_LITERAL(" "),          SPAN_LITERAL(" end"),
        SPAN_LITERAL("end "),       SPAN_LITERAL("move  ueno"), SPAN_LITERAL("end\n"),
        SPAN_LITERAL("e\tnd"),      SPAN_LITERAL("end\0"),      SPAN_LITERAL("\0"),
        SPAN_LITERAL("\x7f"),       SPAN_LITERAL("\x80"),       SPAN_LITERAL("\xff"),
        SPAN_LITERAL("caf\xc3\xa9")};
    struct words words;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(notation_split(wrong[i], &words));
}

TEST(test_lengths)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct words words;
    memset(bytes, 'a', sizeof bytes);
    assert_true(notation_split((struct span){bytes, GAME_MOVE_MAX}, &words));
    assert_int_equal(words.word[0].length, GAME_MOVE_MAX);
    assert_false(notation_split((struct span){bytes, GAME_MOVE_MAX + 1}, &words));
    for (size_t i = 1; i < sizeof bytes; i += 2)
        bytes[i] = ' ';
    assert_true(notation_split((struct span){bytes, 2 * NOTATION_WORDS_MAX - 1}, &words));
    assert_int_equal(words.count, NOTATION_WORDS_MAX);
    static_assert(2 * NOTATION_WORDS_MAX >= GAME_MOVE_MAX, "as many words as a move can have");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
