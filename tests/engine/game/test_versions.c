/* Versions of a ruleset stand side by side: records of both verify, each by its own rulings, and
 * none passes for one of the other. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

static const struct game *newest, *older;

FIXTURE(start_up)
{
    newest = catalog_named(span_of("supermarche@1.0.0"));
    older = catalog_named(span_of("supermarche@0.9.0"));
    return sodium_init() < 0 || newest == NULL || older == NULL;
}

TEST(test_the_newest_is_what_is_played)
{
    assert_ptr_equal(catalog_newest(span_of("supermarche")), newest);
    assert_ptr_equal(catalog_named(span_of("supermarche")), newest);
    assert_ptr_not_equal(older, newest);
    assert_null(catalog_named(span_of("supermarche@2.0.0")));
    assert_null(catalog_named(span_of("supermarche@")));
    assert_null(catalog_named(span_of("@1.0.0")));
    assert_null(catalog_named(span_of("")));
}

/* Rulesets of one slug are neighbours, the newest first. */
TEST(test_the_catalogue_is_in_order)
{
    for (size_t i = 1; catalog_at(i) != NULL; i++) {
        int slugs = strcmp(catalog_at(i - 1)->slug, catalog_at(i)->slug);
        assert_true(slugs <= 0);
        if (slugs == 0)
            assert_true(strcmp(catalog_at(i - 1)->version, catalog_at(i)->version) > 0);
    }
}

static enum replay_verdict verify(struct span record, struct record_fault *fault)
{
    struct replay *replay = calloc(1, sizeof *replay);
    assert_non_null(replay);
    enum replay_verdict verdict = replay_verify(record, NULL, replay, fault);
    free(replay);
    return verdict;
}

/* The record as if it had been played under `version`, chained anew. The caller frees `at`. */
static struct text relabel(struct span record, const char *version)
{
    struct roll_lines lines;
    roll_lines_of(&lines, record);
    roll_set_word(&lines, 1, 3, version);
    struct text other = roll_chain(&lines);
    roll_lines_free(&lines);
    return other;
}

/* How many of some random games are no games of the other version. */
static unsigned count_apart(const struct game *game, const struct game *other)
{
    enum { GAMES = 300 };
    struct game_options options = game_options_initial(game);
    unsigned apart = 0;
    for (uint32_t number = 0; number < GAMES; number++) {
        struct roll roll;
        struct record_fault fault;
        roll_write(&roll, game, 1, &options, number, ROLL_RANDOM);
        assert_int_equal(verify(roll_span(&roll), &fault), REPLAY_VALID);
        struct text same = relabel(roll_span(&roll), game->version);
        assert_true(span_equal(text_span(&same), roll_span(&roll)));
        struct text forged = relabel(roll_span(&roll), other->version);
        enum replay_verdict verdict = verify(text_span(&forged), &fault);
        assert_true(verdict == REPLAY_VALID || verdict == REPLAY_INVALID);
        apart += verdict == REPLAY_INVALID;
        free(same.at);
        free(forged.at);
        roll_free(&roll);
    }
    return apart;
}

/* Only games that come upon the ruling are told apart: there the refusal is a ply's. */
TEST(test_records_pass_under_their_own_version_only)
{
    assert_true(count_apart(older, newest) > 3);
    assert_true(count_apart(newest, older) > 3);
}

/* What differs is one field, and it never changes. */
TEST(test_states_differ_in_the_ruling_alone)
{
    struct game_options options = game_options_initial(newest);
    struct chance chance = {.stacks = NULL};
    unsigned char one[GAME_STATE_MAX] = {0};
    unsigned char two[GAME_STATE_MAX] = {0};
    size_t differences = 0;
    assert_int_equal(newest->state_size, older->state_size);
    newest->setup(newest, one, 1, &options, &chance);
    older->setup(older, two, 1, &options, &chance);
    for (size_t i = 0; i < newest->state_size; i++)
        differences += one[i] != two[i];
    assert_int_equal(differences, 1);
    assert_ptr_equal(newest->play, older->play);
    assert_ptr_equal(newest->legal, older->legal);
}

int main(void)
{
    return run_all_tests(start_up, NULL);
}
