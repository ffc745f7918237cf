/* The generic suite can fail: each planted bug of the toy game is found, by the check that is meant
 * to find it; and the toy game without a bug passes. */
#include <sodium.h>
#include <string.h>

#include "tests/engine/support/inspect.h"
#include "tests/engine/support/toy.h"
#include "tests/test.h"

enum { GAMES = 40 };

/* Plays until a check fails. NULL if all games pass. */
static const char *first_failure(struct inspector *inspector, enum toy_bug bug)
{
    const struct game_options options = {{(uint8_t)bug}};
    inspector->thorough = true;
    for (uint32_t number = 0; number < GAMES; number++) {
        unsigned seats = 2 + number % 2;
        bool good = bug == TOY_QUIET_ENDLESS
                        ? inspect_quiet_game(inspector, seats, &options, number)
                        : inspect_game(inspector, seats, &options, number);
        if (!good)
            return inspector->failure.check;
    }
    return NULL;
}

TEST(test_good_game_passes)
{
    struct inspector inspector;
    inspector_init(&inspector, &game_toy);
    assert_true(inspect_ruleset(&inspector));
    if (first_failure(&inspector, TOY_NONE) != NULL)
        fail_msg("%s", inspector.failure.detail);
    inspector_free(&inspector);
}

TEST(test_planted_bugs_are_found)
{
    for (enum toy_bug bug = TOY_NONE + 1; bug < TOY_BUG_COUNT; bug++) {
        struct inspector inspector;
        inspector_init(&inspector, &game_toy);
        const char *found = first_failure(&inspector, bug);
        if (found == NULL || strstr(toy_expected(bug), found) == NULL)
            fail_msg("%s: expected %s, found %s", game_toy.options[0].values[bug],
                     toy_expected(bug), found == NULL ? "nothing" : inspector.failure.detail);
        inspector_free(&inspector);
    }
}

static void assert_bad_ruleset(const struct game *game, const char *check)
{
    struct inspector inspector;
    inspector_init(&inspector, &game_toy);
    inspector.game = game;
    assert_false(inspect_ruleset(&inspector));
    assert_string_equal(inspector.failure.check, check);
    inspector_free(&inspector);
}

TEST(test_bad_rulesets_are_found)
{
    static const char *const values[] = {"off", "on", NULL};
    static const struct game_option unsorted[] = {{"b", values, 0, "B."}, {"a", values, 0, "A."}};
    static const struct game_option outside[] = {{"a", values, 2, "A."}};
    static const unsigned char broken[] = "{\"a\": 1, \"a\": 2}";
    struct game game = game_toy;
    game.slug = "Toy";
    assert_bad_ruleset(&game, "identity");
    game = game_toy;
    game.version = "1.0";
    assert_bad_ruleset(&game, "identity");
    game = game_toy;
    game.seats_max = GAME_SEATS_MAX + 1;
    assert_bad_ruleset(&game, "identity");
    game = game_toy;
    game.move_max = GAME_MOVE_MAX + 1;
    assert_bad_ruleset(&game, "identity");
    game = game_toy;
    game.state_size = GAME_STATE_MAX + 1;
    assert_bad_ruleset(&game, "identity");
    game = game_toy;
    game.components = broken;
    game.components_end = broken + sizeof broken - 1;
    assert_bad_ruleset(&game, "components");
    game = game_toy;
    game.components_sha256 = "d575cd67a551b6b11591dd3c88ca24e0ee8ed3922ff800e535e3e984ebe8dc8e";
    assert_bad_ruleset(&game, "components");
    game = game_toy;
    game.options = unsorted;
    game.option_count = 2;
    assert_bad_ruleset(&game, "options");
    game.options = outside;
    game.option_count = 1;
    assert_bad_ruleset(&game, "options");
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
