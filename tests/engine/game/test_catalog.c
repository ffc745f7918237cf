/* The generic suite over the whole catalogue: every ruleset, every seat count, every combination of
 * option values, hundreds of games each. `test_catalog [SLUG]`; TILLROLL_PLAYOUTS sets how many
 * games each ruleset gets. A failure names the game's number, seats and ply. */
#include <stdlib.h>

#include "tests/engine/game/each_ruleset.h"
#include "tests/engine/support/inspect.h"
#include "tests/test.h"

#ifndef PLAYOUTS_DEFAULT
#define PLAYOUTS_DEFAULT 100
#endif

/* Games for each combination of seats and options; at least one. */
static uint32_t games_each(const struct game *game)
{
    const char *wanted = getenv("TILLROLL_PLAYOUTS");
    uint64_t total = PLAYOUTS_DEFAULT;
    if (wanted != NULL && !span_number(span_of(wanted), UINT32_MAX, &total))
        fail_msg("TILLROLL_PLAYOUTS takes a number");
    uint64_t each = total / table_combinations(game);
    return each < 1 ? 1 : (uint32_t)each;
}

typedef bool inspection(struct inspector *inspector, unsigned seats,
                        const struct game_options *options, uint32_t number);

static void over_all_tables(const struct game *game, inspection *inspect, uint32_t each)
{
    struct inspector inspector;
    struct game_options options = {{0}};
    uint32_t number = 0;
    uint64_t plies = 0;
    inspector_init(&inspector, game);
    do {
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++) {
            for (uint32_t i = 0; i < each; i++) {
                if (!inspect(&inspector, seats, &options, number++))
                    fail_msg("%s", inspector.failure.detail);
                plies += inspector.plies;
            }
        }
    } while (table_next_options(game, &options));
    inspector_free(&inspector);
    print_message("%s %s: %u games, %llu plies\n", game->slug, game->version, (unsigned)number,
                  (unsigned long long)plies);
}

static void test_ruleset(void **state)
{
    struct inspector inspector;
    inspector_init(&inspector, *state);
    if (!inspect_ruleset(&inspector))
        fail_msg("%s", inspector.failure.detail);
    assert_ptr_equal(catalog_find(span_of(inspector.game->slug), span_of(inspector.game->version)),
                     inspector.game);
    inspector_free(&inspector);
}

static void test_quiet_games(void **state)
{
    over_all_tables(*state, inspect_quiet_game, 3);
}

static void test_random_games(void **state)
{
    const struct game *game = *state;
    over_all_tables(game, inspect_game, games_each(game));
}

static int run(const struct game *game)
{
    const struct CMUnitTest tests[] = {
        {"ruleset", test_ruleset, NULL, NULL, (void *)game},
        {"quiet games", test_quiet_games, NULL, NULL, (void *)game},
        {"random games", test_random_games, NULL, NULL, (void *)game},
    };
    return cmocka_run_group_tests_name(game->slug, tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    return each_ruleset(argc, argv, run);
}
