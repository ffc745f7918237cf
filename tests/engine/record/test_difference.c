/* Records of two scorers are compared: a difference in every kind of entry is found, and times,
 * take-backs and the order in which places are told make none. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/difference.h"
#include "tests/test.h"

/* Lines need no right marks here: records that are compared have been replayed. */
static const char header[] = "tillroll 2 #00000000\nstart 2026-11-20T15:04:05.123Z #00000000\n";

static struct arena arena;

static struct span record_of(const char *entries)
{
    char bytes[2000];
    struct text text = TEXT_OVER(bytes);
    struct span rest = span_of(entries), line;
    text_add(&text, header);
    while (span_line(&rest, &line)) {
        text_add_span(&text, line);
        text_add(&text, " #00000000\n");
    }
    assert_false(text.overflow);
    return span_of(arena_copy(&arena, text_span(&text)));
}

static struct difference compare(const char *one, const char *other)
{
    struct difference difference, swapped;
    const struct span record[] = {record_of(one), record_of(other)};
    const struct span turned[] = {record[1], record[0]};
    record_difference(&arena, record, &difference);
    record_difference(&arena, turned, &swapped);
    assert_int_equal(difference.differs, swapped.differs);
    assert_int_equal(difference.plies, swapped.plies);
    for (size_t i = 0; i < DIFFERENCE_SIDES; i++)
        assert_int_equal(difference.side[i].seq, swapped.side[1 - i].seq);
    return difference;
}

static const char game[] =
    "1 - 5 bind deck ueno\n2 - 5 bind bag food\n3 - 5 deal\n"
    "4 0 9 open ueno food\n5 - 11 bind deck ota\n6 1 12 pay ota\n7 - 20 show\n";

TEST(test_the_same_game_does_not_differ)
{
    assert_false(compare(game, game).differs);
    struct difference later = compare(
        game, "1 - 50 bind bag food\n2 - 60 bind deck ueno\n3 - 70 deal\n4 0 90 open ueno food\n"
              "5 - 91 bind deck kita\n6 1 92 pay ota\n7 - 95 back 5\n8 - 96 bind deck ota\n"
              "9 1 97 pay ota\n10 - 98 show\n");
    assert_false(later.differs);
    assert_int_equal(later.plies, 2);
    /* Taken back by a player, or by a ruling. */
    struct difference undone =
        compare("1 0 5 one\n2 0 6 two\n3 0 7 three\n",
                "1 0 5 one\n2 0 6 other\n3 0 7 undo 2\n4 0 8 two\n5 0 8 four\n"
                "6 - 9 ruling 01919191-0000-7000-8000-000000000000 takeback 5 by "
                "01919191-0000-7000-8000-000000000001 why "
                "misapplied-rule\n7 0 9 three\n");
    assert_false(undone.differs);
    assert_int_equal(undone.plies, 3);
}

TEST(test_a_beginning_does_not_differ)
{
    static const char *const beginnings[] = {
        "", "1 - 5 bind deck ueno\n", "1 - 5 bind deck ueno\n2 - 5 bind bag food\n3 - 5 deal\n",
        ("1 - 5 bind bag food\n2 - 5 bind deck ueno\n3 - 5 deal\n4 0 9 open ueno food\n"
         "5 - 11 bind deck ota\n")};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        assert_false(compare(game, beginnings[i]).differs);
}

static void expect(const char *other, unsigned plies, uint32_t one_seq, const char *one_entry,
                   uint32_t other_seq, const char *other_entry)
{
    struct difference found = compare(game, other);
    assert_true(found.differs);
    assert_int_equal(found.plies, plies);
    assert_int_equal(found.side[0].seq, one_seq);
    assert_int_equal(found.side[1].seq, other_seq);
    assert_true(span_is(found.side[0].entry, one_entry));
    assert_true(span_is(found.side[1].entry, other_entry));
}

TEST(test_the_first_difference_is_named)
{
    expect("1 - 5 bind deck kita\n2 - 5 bind bag food\n3 - 5 deal\n", 0, 1, "- bind deck ueno", 1,
           "- bind deck kita");
    expect("1 - 5 bind deck ueno\n2 - 5 deal\n", 0, 2, "- bind bag food", 1, "- bind deck ueno");
    expect("1 - 5 bind deck ueno\n2 - 5 bind bag food\n3 - 5 deal\n4 1 9 open ueno food\n", 0, 4,
           "0 open ueno food", 4, "1 open ueno food");
    expect("1 - 5 bind deck ueno\n2 - 5 bind bag food\n3 - 5 deal\n4 0 9 open ueno food\n"
           "5 1 9 wait\n6 - 9 back 5\n7 - 11 bind deck kita\n8 1 12 pay ota\n",
           1, 5, "- bind deck ota", 7, "- bind deck kita");
    expect("1 - 5 bind deck ueno\n2 - 5 bind bag food\n3 - 5 deal\n4 0 9 open ueno food\n"
           "5 - 11 bind deck ota\n6 1 12 pay ueno\n",
           1, 6, "1 pay ota", 6, "1 pay ueno");
}

int main(void)
{
    int failed = run_all_tests(NULL, NULL);
    arena_free(&arena);
    return failed;
}
