/* Move lists: order, look-up, reuse. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "engine/game/game.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/toy.h"
#include "tests/test.h"

enum { MANY = 500 };

static struct game big(void)
{
    struct game game = game_toy;
    game.legal_max = MANY;
    game.move_max = 12;
    return game;
}

static void fill(struct move_list *list, struct dice *dice, size_t count)
{
    move_list_clear(list);
    for (size_t i = 0; i < count; i++) {
        char bytes[13];
        int length = snprintf(bytes, sizeof bytes, "m%u", (unsigned)dice_below(dice, 2 * count));
        move_list_add(list, (struct span){bytes, (size_t)length});
    }
}

TEST(test_sorting)
{
    struct game game = big();
    struct move_list list;
    struct dice dice;
    dice_open(&dice, "move list", 1);
    assert_true(move_list_init(&list, &game));
    for (size_t count = 0; count <= MANY; count = 2 * count + 1) {
        fill(&list, &dice, count);
        size_t bytes = list.used;
        for (unsigned pass = 0; pass < 2; pass++) {
            move_list_sort(&list);
            assert_int_equal(list.count, count);
            assert_int_equal(list.used, bytes);
            for (size_t i = 1; i < count; i++)
                assert_true(span_compare(move_list_get(&list, i - 1), move_list_get(&list, i)) <=
                            0);
        }
    }
    move_list_free(&list);
}

TEST(test_finding)
{
    static const char *const moves[] = {"end", "income", "move", "move ueno", "open"};
    struct move_list list;
    struct game game = big();
    assert_true(move_list_init(&list, &game));
    assert_int_equal(move_list_find(&list, span_of("end")), -1);
    for (size_t i = 5; i-- > 0;)
        move_list_add(&list, span_of(moves[i]));
    move_list_sort(&list);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(move_list_find(&list, span_of(moves[i])), i);
        assert_string_equal(move_list_get(&list, i).at, moves[i]);
    }
    assert_int_equal(move_list_find(&list, span_of("")), -1);
    assert_int_equal(move_list_find(&list, span_of("mov")), -1);
    assert_int_equal(move_list_find(&list, span_of("move ")), -1);
    assert_int_equal(move_list_find(&list, span_of("zzz")), -1);
    move_list_free(&list);
}

TEST(test_bounds_fit_exactly)
{
    struct move_list list;
    struct game game = big();
    assert_true(move_list_init(&list, &game));
    for (unsigned pass = 0; pass < 2; pass++) {
        move_list_clear(&list);
        for (size_t i = 0; i < MANY; i++)
            move_list_add(&list, span_of("abcdefghijkl"));
        assert_int_equal(list.count, MANY);
        assert_int_equal(list.used, list.capacity);
    }
    move_list_free(&list);
    assert_null(list.bytes);
    move_list_free(&list);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
