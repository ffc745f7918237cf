/* What all views show in the same form. */
#include <stdlib.h>

#include "engine/game/view_parts.h"
#include "tests/test.h"

/* Takes `value`. */
static void assert_json(json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, expected);
    free(text);
    json_decref(value);
}

TEST(test_who_may_look)
{
    assert_true(view_is_open_to((struct viewer){VIEWER_SEAT, 1}, 1));
    assert_false(view_is_open_to((struct viewer){VIEWER_SEAT, 1}, 0));
    assert_true(view_is_open_to((struct viewer){VIEWER_AUDITOR, 0}, 1));
    assert_false(view_is_open_to((struct viewer){VIEWER_SPECTATOR, 0}, 0));
}

TEST(test_seats)
{
    assert_json(view_seat_list(0), "[]");
    assert_json(view_seat_list(1u << 0 | 1u << 2), "[0,2]");
    assert_json(view_seat_list(1u << (GAME_SEATS_MAX - 1)), "[4]");
    assert_json(view_name((struct span){"otaku", 3}), "\"ota\"");
}

TEST(test_turn)
{
    json_t *view = json_object();
    view_set_turn(view, 1u << 1 | 1u << 3, "bid", 3);
    assert_json(view, "{\"over\":false,\"deciders\":[1,3],\"decision\":\"bid\",\"active\":3}");
    view = json_object();
    view_set_turn(view, 0, NULL, 3);
    assert_json(view, "{\"over\":true,\"deciders\":[],\"decision\":null,\"active\":null}");
}

/* Scores 10 * seat + what the state says, and a tie-break. */
static void count(const struct game *game, const void *state, struct outcome *outcome)
{
    (void)game;
    *outcome = (struct outcome){.seats = 2, .tie_breaks = 1};
    for (unsigned seat = 0; seat < 2; seat++) {
        outcome->score[seat] = (int32_t)(10 * seat) + *(const int *)state;
        outcome->tie_break[seat][0] = -1;
    }
    outcome_rank(outcome);
}

TEST(test_outcome)
{
    const struct game game = {.outcome = count};
    const int position = 5;
    assert_json(view_outcome(&game, &position, false, true), "null");
    assert_json(view_outcome(&game, &position, true, true),
                "[{\"seat\":0,\"score\":5,\"tie_break\":-1,\"rank\":2},"
                "{\"seat\":1,\"score\":15,\"tie_break\":-1,\"rank\":1}]");
    assert_json(view_outcome(&game, &position, true, false),
                "[{\"seat\":0,\"score\":5,\"rank\":2},{\"seat\":1,\"score\":15,\"rank\":1}]");
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
