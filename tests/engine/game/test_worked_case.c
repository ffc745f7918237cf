/* The runner of worked cases, on the toy game: it must report every kind of failure, at the right
 * line, and nothing else. */
#include <sodium.h>
#include <string.h>

#include "engine/game/worked_case.h"
#include "tests/engine/support/toy.h"
#include "tests/test.h"

struct heard {
    char bytes[4096];
    struct text text;
};

static void hear(void *context, const char *line)
{
    struct heard *heard = context;
    text_add(&heard->text, line);
    text_add_char(&heard->text, '\n');
}

/* Runs `file` and compares the counts and everything that was said. */
static void assert_says(const char *file, unsigned held, unsigned failed, const char *said)
{
    struct heard heard;
    heard.text = TEXT_OVER(heard.bytes);
    struct worked_case_count count = worked_cases_run(&game_toy, span_of(file), hear, &heard);
    assert_false(heard.text.overflow);
    assert_string_equal(heard.bytes, said);
    assert_int_equal(count.held, held);
    assert_int_equal(count.failed, failed);
}

TEST(test_cases_that_hold)
{
    assert_says("# a comment\n"
                "case 1 Common keys\n"
                "= deciders 0 1\n"
                "= over no\n"
                "= legal 0 3\n"
                "= moves 0 bid 1 | bid 2 | bid 3\n"
                "= can 1 bid 2\n"
                "= fallback 1 bid 1\n"
                "0> bid 3   # a comment after two blanks\n"
                "= deciders 1\n"
                "= moves 0 -\n"
                "0> bid 3 -> not-legal\n"
                "1> bid 2\n"
                "0> take 3\n"
                "= heap 17\n"
                "= score 0 3\n"
                "= rank 0 1\n"
                "= rank 1 2\n"
                "case 2 The end\n"
                "heap 5\n"
                "turns 12\n"
                "= deciders -\n"
                "= over yes\n"
                "0> pass -> game-over\n"
                "case 3 Set-up alone\n"
                "heap 5\n",
                3, 0, "");
}

TEST(test_wrong_expectations)
{
    assert_says("case a\n= heap 19\n", 0, 1, "case a, line 2: expected: heap 19; found: 20\n");
    assert_says("case a\n= deciders 0\n", 0, 1,
                "case a, line 2: expected: deciders 0; found: 0 1\n");
    assert_says("case a\n= over yes\n", 0, 1, "case a, line 2: expected: over yes; found: no\n");
    assert_says("case a\n= legal 0 4\n", 0, 1, "case a, line 2: expected: legal 0 4; found: 0 3\n");
    assert_says("case a\n= moves 0 bid 1\n", 0, 1,
                "case a, line 2: expected: moves 0 bid 1; found: 0 bid 1 | bid 2 | bid 3\n");
    assert_says("case a\n= can 0 pass\n", 0, 1,
                "case a, line 2: expected: can 0 pass; found: 0 bid 1 | bid 2 | bid 3\n");
    assert_says("case a\n= fallback 0 pass\n", 0, 1,
                "case a, line 2: expected: fallback 0 pass; found: 0 bid 1\n");
    assert_says("case a\n= score 0 1\n", 0, 1, "case a, line 2: expected: score 0 1; found: 0 0\n");
    assert_says("case a\n= rank 1 2\n", 0, 1, "case a, line 2: expected: rank 1 2; found: 1 1\n");
    assert_says("case a\n= heap 20 \n= heap  20\n", 0, 1,
                "case a, line 3: expected: heap  20; found: 20\n");
}

TEST(test_unreadable_expectations)
{
    assert_says("case a\n= pile 3\n", 0, 1, "case a, line 2: cannot be read: pile 3\n");
    assert_says("case a\n= score 7 1\n", 0, 1, "case a, line 2: cannot be read: score 7 1\n");
    assert_says("case a\n= score 4 0\n", 0, 1, "case a, line 2: cannot be read: score 4 0: 4 0\n");
}

TEST(test_plies)
{
    assert_says("case a\n0> bid 4\n", 0, 1, "case a, line 2: was refused: not-legal\n");
    assert_says("case a\n0> bid 1 -> not-legal\n", 0, 1,
                "case a, line 2: was accepted, expected the refusal not-legal\n");
    assert_says("case a\n0> bid 4 -> too-high\n", 0, 1,
                "case a, line 2: expected the refusal too-high; found: not-legal\n");
    assert_says("case a\nbug refusal-writes\n0>  -> not-legal\n", 0, 1,
                "case a, line 3: was refused but changed the state\n");
}

TEST(test_set_up)
{
    assert_says("case a\nweather fine\n= heap 20\n", 0, 1,
                "case a, line 3: the position cannot be set up: no set-up line here: `weather`\n");
    assert_says("case a\nheap 99\n", 0, 1,
                "case a, line 2: the position cannot be set up: no number in range: `99`\n");
    assert_says("case a\n= heap 20\nheap 3\n= heap 3\n0> bid 1\n= heap 3\n", 1, 0, "");
    assert_says("case a\n= heap 20\n0> bid 1\nheap 3\n", 0, 1,
                "case a, line 4: set-up after the first ply: heap 3\n");
    assert_says("case a\n0> bid 4 -> not-legal\nheap 3\n", 0, 1,
                "case a, line 3: set-up after the first ply: heap 3\n");
    char many[1024];
    struct text text = TEXT_OVER(many);
    text_add(&text, "case a\n");
    for (unsigned i = 0; i < 129; i++)
        text_add(&text, "heap 3\n");
    assert_false(text.overflow);
    assert_says(many, 0, 1, "case a, line 130: too many set-up lines: heap 3\n");
}

TEST(test_one_report_a_case)
{
    assert_says("case a\n= heap 1\n= heap 2\n0> bid 9\ncase b\n= heap 20\ncase c\n= heap 3\n", 1, 2,
                "case a, line 2: expected: heap 1; found: 20\n"
                "case c, line 8: expected: heap 3; found: 20\n");
}

TEST(test_files_without_cases)
{
    const char *said = "There is no case in this file.\n";
    assert_says("", 0, 1, said);
    assert_says("# only a comment\n\n", 0, 1, said);
    assert_says("# Prose\n\n```\ncase a\n```\n\n```case\n```\n", 0, 1, said);
}

TEST(test_markdown)
{
    assert_says("# Cases\n"
                "Prose: case x would fail.\n"
                "```case\n"
                "case a In a fence\n"
                "= heap 20\n"
                "```\n"
                "= heap 1\n"
                "```\n"
                "= heap 2\n"
                "```\n"
                "```case\n"
                "case b The next fence\n"
                "= heap 3\n"
                "```\n",
                1, 1, "case b, line 13: expected: heap 3; found: 20\n");
}

TEST(test_line_ends)
{
    assert_says("case a\r\n= heap 20\r\n= heap 21\r\n", 0, 1,
                "case a, line 3: expected: heap 21; found: 20\n");
    assert_says("case a\n= heap 20", 1, 0, "");
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
