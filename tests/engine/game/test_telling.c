/* Events as every game puts them together: data and a sentence, side by side. */
#include <stdlib.h>

#include "engine/game/view_parts.h"
#include "tests/test.h"

static void assert_told(struct telling *telling, const char *expected)
{
    char *text = json_dumps(telling->list, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(telling->list);
}

static void start(struct telling *telling)
{
    static const int position = 7;
    const struct ply ply = {.seat = 2, .move = span_of("pass")};
    telling_init(telling, &position, &ply, (struct viewer){VIEWER_SEAT, 1});
}

TEST(test_starting)
{
    struct telling telling;
    start(&telling);
    assert_int_equal(*(const int *)telling.state, 7);
    assert_int_equal(telling.seat, 2);
    assert_int_equal(telling.next, 0);
    assert_int_equal(telling.viewer.kind, VIEWER_SEAT);
    assert_int_equal(telling.viewer.seat, 1);
    assert_told(&telling, "[]");
}

/* Members stand in the order in which they were set, `kind` first and `text` last. */
TEST(test_event)
{
    struct telling telling;
    start(&telling);
    telling_begin_with_seat(&telling, "paid", 2);
    telling_say(&telling, " pays ");
    telling_say_number(&telling, -3);
    telling_set_number(&telling, "coins", -3);
    telling_say(&telling, " to ");
    telling_say_seat(&telling, 0);
    telling_say_span(&telling, (struct span){" for goods", 4});
    telling_set_name(&telling, "to", (struct span){"slush fund", 5});
    telling_set(&telling, "late", json_true());
    telling_finish(&telling);
    assert_told(&telling,
                "[{\"kind\":\"paid\",\"seat\":2,\"coins\":-3,\"to\":\"slush\",\"late\":true,"
                "\"text\":\"{seat 2} pays -3 to {seat 0} for.\"}]");
}

TEST(test_seat_within)
{
    struct telling telling;
    start(&telling);
    telling_begin(&telling, "turn");
    telling_say(&telling, "The turn of ");
    telling_seat(&telling, 4);
    telling_finish(&telling);
    assert_told(&telling, "[{\"kind\":\"turn\",\"seat\":4,\"text\":\"The turn of {seat 4}.\"}]");
}

TEST(test_counts)
{
    struct telling telling;
    start(&telling);
    telling_begin(&telling, "drawn");
    telling_say_count(&telling, 1, "card", "cards");
    telling_say(&telling, ", ");
    telling_say_count(&telling, 2, "card", "cards");
    telling_say(&telling, ", ");
    telling_say_count(&telling, 0, "card", "cards");
    telling_finish(&telling);
    assert_told(&telling, "[{\"kind\":\"drawn\",\"text\":\"1 card, 2 cards, 0 cards.\"}]");
}

/* A second event begins with nothing of the first. */
TEST(test_order)
{
    struct telling telling;
    start(&telling);
    telling_begin_with_seat(&telling, "ends", 1);
    telling_say(&telling, " ends");
    telling_finish(&telling);
    telling_plain(&telling, "over", "The game is over");
    assert_told(&telling, "[{\"kind\":\"ends\",\"seat\":1,\"text\":\"{seat 1} ends.\"},"
                          "{\"kind\":\"over\",\"text\":\"The game is over.\"}]");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
