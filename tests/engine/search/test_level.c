/* Levels (engine/search/level.h): what they choose in fixed positions of every game, and that they
 * use no secret.
 *
 *     test_level           the tests
 *     test_level digests   prints tests/engine/vectors/levels.json
 *
 * When a game's weights or a level have been changed on purpose, and LEVEL_VERSION with them:
 *
 *     build/release/tests/test_level digests >tests/engine/vectors/levels.json
 */
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "source_dir.h"
#include "tests/engine/search/choices.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* ---- Choices ---- */

/* Every ruleset once: an older version of a game may be played by the same code. */
static const struct game *newest(size_t i)
{
    const struct game *game = catalog_at(i);
    return game == NULL || game == catalog_newest(span_of(game->slug)) ? game : NULL;
}

static int print_digests(void)
{
    printf("{\n  \"version\": \"%s\"", LEVEL_VERSION);
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        if (newest(i) == NULL)
            continue;
        printf(",\n  \"%s\": {", newest(i)->slug);
        for (size_t k = 0; level_at(k) != NULL; k++) {
            char hex[CHOICES_HEX + 1];
            choices_digest(newest(i), level_at(k), false, hex);
            printf("%s\n    \"%s\": \"%s\"", k == 0 ? "" : ",", level_at(k)->name, hex);
        }
        printf("\n  }");
    }
    printf("\n}\n");
    return 0;
}

static void check_choices(const struct game *game, const struct level *level, const char *expected)
{
    char hex[CHOICES_HEX + 1], twin[CHOICES_HEX + 1];
    choices_digest(game, level, false, hex);
    choices_digest(game, level, true, twin);
    if (expected == NULL || strcmp(hex, expected) != 0)
        fail_msg("%s %s: %s, not %s (see the head of this file)", game->slug, level->name, hex,
                 expected == NULL ? "known" : expected);
    if (strcmp(twin, hex) != 0)
        fail_msg("%s %s: depends on what the seat cannot know", game->slug, level->name);
}

/* Another choice anywhere needs another LEVEL_VERSION: decisions of recorded games are made again.
 * The choices are the same when everything that the seat cannot know is dealt anew. */
TEST(test_choices_are_those_of_the_version)
{
    json_t *file = json_load_file(TILLROLL_SOURCE_DIR "/tests/engine/vectors/levels.json", 0, NULL);
    assert_non_null(file);
    assert_string_equal(json_string_value(json_object_get(file, "version")), LEVEL_VERSION);
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        for (size_t k = 0; newest(i) != NULL && level_at(k) != NULL; k++) {
            const json_t *game = json_object_get(file, newest(i)->slug);
            check_choices(newest(i), level_at(k),
                          json_string_value(json_object_get(game, level_at(k)->name)));
        }
    json_decref(file);
}

/* ---- Soft levels ---- */

static uint32_t one_seat(const void *state)
{
    (void)state;
    return 1;
}

static void three_weights(const struct game *game, const void *state, unsigned seat,
                          const struct move_list *legal, int32_t *weight)
{
    (void)game;
    (void)state;
    (void)seat;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = -60 * (int32_t)i;
}

static const struct game soft_game = {.slug = "soft",
                                      .seats_min = 1,
                                      .seats_max = 1,
                                      .state_size = 8,
                                      .legal_max = 3,
                                      .move_max = 1,
                                      .deciders = one_seat,
                                      .weigh = three_weights,
                                      .weight_unit = 10};

/* How often each of three moves is chosen in 7,000 decisions, each worse by six units than the one
 * before. */
static void draw_often(const char *name, unsigned *drawn)
{
    struct level_player *player = level_player_new(&soft_game, level_named(span_of(name)));
    struct move_list list;
    const uint64_t state = 0;
    assert_non_null(player);
    table_list_init(&list, &soft_game);
    for (unsigned i = 0; i < 3; i++)
        move_list_add(&list, (struct span){&"abc"[i], 1});
    for (uint32_t i = 0; i < 7000; i++) {
        struct chance luck = {.stacks = NULL};
        dice_seed(i, luck.seed);
        drawn[level_choose(player, &state, 0, &luck, &list)]++;
    }
    move_list_free(&list);
    level_player_free(player);
}

/* Six units halve a beginner's share once: 4, 2 and 1 of 7; and a casual player's three times: 64,
 * 8 and 1 of 73. */
TEST(test_soft_levels_choose_by_shares)
{
    unsigned beginner[3] = {0}, casual[3] = {0}, regular[3] = {0};
    draw_often("beginner", beginner);
    draw_often("casual", casual);
    draw_often("regular", regular);
    assert_in_range(beginner[0], 3850, 4150);
    assert_in_range(beginner[1], 1880, 2120);
    assert_in_range(casual[0], 6050, 6220);
    assert_in_range(casual[1], 690, 850);
    assert_int_equal(regular[0], 7000);
}

/* ---- Names, luck ---- */

TEST(test_levels_by_name)
{
    static const char *const names[] = {"beginner", "casual", "regular", "strong", "master"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_string_equal(level_at(i)->name, names[i]);
        assert_ptr_equal(level_named(span_of(names[i])), level_at(i));
    }
    assert_null(level_at(sizeof names / sizeof *names));
    static const char *const unknown[] = {"", "Beginner", "beginner ", "grandmaster", "random"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(level_named(span_of(unknown[i])));
}

/* The luck of a decision depends on the record so far and on the seat. */
TEST(test_luck_of_a_decision)
{
    uint8_t head[32] = {1}, other_head[32] = {2};
    struct chance one, same, seat, other;
    level_luck(&one, head, 0);
    level_luck(&same, head, 0);
    level_luck(&seat, head, 1);
    level_luck(&other, other_head, 0);
    assert_memory_equal(one.seed, same.seed, sizeof one.seed);
    assert_memory_not_equal(one.seed, seat.seed, sizeof one.seed);
    assert_memory_not_equal(one.seed, other.seed, sizeof one.seed);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 1;
    if (argc == 2 && strcmp(argv[1], "digests") == 0)
        return print_digests();
    return run_all_tests(NULL, NULL);
}
