/* Rules of The Skeleton that need more than a worked case (tests/cases/the-skeleton): sentences of
 * refusals, the shuffle, and what is hidden. */
#include <jansson.h>
#include <string.h>

#include "engine/games/the-skeleton/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

static const struct game *const game = &game_the_skeleton_1_0_0;

static struct the_skeleton_state state_of(const char *lines)
{
    struct the_skeleton_state state;
    load_state(game, &state, sizeof state, lines);
    return state;
}

TEST(test_the_components_are_what_is_played)
{
    struct span text = game_components(game);
    json_t *components = json_loadb(text.at, text.length, 0, NULL);
    json_t *cards = json_object_get(components, "cards");
    assert_int_equal(json_integer_value(json_object_get(cards, "lowest")), 1);
    assert_int_equal(json_integer_value(json_object_get(cards, "highest")), CARDS);
    json_decref(components);
}

TEST(test_refusals_say_why)
{
    struct chance chance = chance_of(1);
    struct the_skeleton_state state = state_of("seats 2");
    assert_refused_with(&chance, game, &state, 1, "draw", "not-your-turn",
                        "Another seat has to decide now.");
    assert_refused_with(&chance, game, &state, 0, "Draw", "bad-syntax",
                        "This is not a move of The Skeleton: `draw` or `pass`.");
    state.turn = state.seats;
    assert_refused_with(&chance, game, &state, 0, "draw", "game-over", "The game is over.");
}

/* Every card is there once, in another order with another seed and after a rekey. */
TEST(test_the_pile_is_shuffled)
{
    const struct game_options options = {{0}};
    struct chance one = chance_of(1);
    struct chance two = chance_of(2);
    struct the_skeleton_state a, b;
    unsigned seen = 0;
    the_skeleton_setup(game, &a, 2, &options, &one);
    the_skeleton_setup(game, &b, 2, &options, &two);
    assert_memory_not_equal(a.pile, b.pile, sizeof a.pile);
    for (unsigned i = 0; i < CARDS; i++)
        seen |= 1u << a.pile[i];
    assert_int_equal(seen, (1u << (CARDS + 1)) - 2);
    a.next = 1;
    b = a;
    the_skeleton_rekey(game, &b, 1, &one);
    assert_int_equal(a.pile[0], b.pile[0]);
    assert_memory_not_equal(a.pile, b.pile, sizeof a.pile);
}

TEST(test_nobody_sees_the_pile)
{
    struct the_skeleton_state a = state_of("pile 3 5");
    struct the_skeleton_state b = state_of("pile 5 3");
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(is_same_view(game, &a, &b, (struct viewer){VIEWER_SEAT, 0}));
    assert_true(is_same_view(game, &a, &b, (struct viewer){VIEWER_SPECTATOR, 0}));
    assert_true(is_same_view(game, &a, &b, (struct viewer){VIEWER_AUDITOR, 0}));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
