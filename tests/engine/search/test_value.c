/* Policies and values (engine/search/policy.h, value.h). */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/search/policy.h"
#include "engine/search/value.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* ---- Policies ---- */

TEST(test_shares_halve_with_each_unit)
{
    const int32_t weight[] = {100, 90, 80, 95, -1000000, 60};
    uint32_t share[6];
    policy_shares(weight, 6, 10, share);
    assert_int_equal(share[0], POLICY_SHARE_ONE);
    assert_int_equal(share[1], POLICY_SHARE_ONE / 2);
    assert_int_equal(share[2], POLICY_SHARE_ONE / 4);
    assert_int_equal(share[3], POLICY_SHARE_ONE * 3 / 4);
    assert_int_equal(share[4], 1);
    assert_int_equal(share[5], POLICY_SHARE_ONE / 16);
}

TEST(test_shares_of_extreme_weights)
{
    const int32_t weight[] = {GAME_WEIGHT_MAX, -GAME_WEIGHT_MAX};
    uint32_t share[2];
    policy_shares(weight, 2, 1, share);
    assert_int_equal(share[0], POLICY_SHARE_ONE);
    assert_int_equal(share[1], 1);
}

TEST(test_draws_follow_the_shares)
{
    const uint32_t share[] = {600, 0, 300, 100};
    unsigned drawn[4] = {0};
    struct dice dice;
    dice_open(&dice, "policy", 1);
    for (int i = 0; i < 10000; i++)
        drawn[policy_draw(share, 4, &dice.stream)]++;
    assert_in_range(drawn[0], 5800, 6200);
    assert_int_equal(drawn[1], 0);
    assert_in_range(drawn[2], 2800, 3200);
    assert_in_range(drawn[3], 880, 1120);
}

/* ---- Values ---- */

TEST(test_logistic)
{
    for (int32_t strength = -12000; strength <= 12000; strength += 7) {
        double exact = VALUE_ONE / (1 + exp(-(double)strength / VALUE_LOGIT));
        assert_true(fabs(value_logistic(strength) - exact) < 12);
        assert_int_equal(value_logistic(strength) + value_logistic(-strength), VALUE_ONE);
    }
    assert_true(value_logistic(INT32_MIN) >= 0);
}

static struct outcome ranked(unsigned seats, const int32_t *score)
{
    struct outcome outcome = {.seats = seats};
    for (unsigned i = 0; i < seats; i++)
        outcome.score[i] = score[i];
    outcome_rank(&outcome);
    return outcome;
}

TEST(test_values_of_results)
{
    int32_t value[GAME_SEATS_MAX];
    struct outcome outcome = ranked(2, (const int32_t[]){3, 7});
    value_of_outcome(&outcome, value);
    assert_int_equal(value[0], 0);
    assert_int_equal(value[1], VALUE_ONE);
    outcome = ranked(2, (const int32_t[]){5, 5});
    value_of_outcome(&outcome, value);
    assert_int_equal(value[0], VALUE_ONE / 2);
    outcome = ranked(4, (const int32_t[]){9, 1, 5, 5});
    value_of_outcome(&outcome, value);
    assert_int_equal(value[0], VALUE_ONE);
    assert_int_equal(value[1], 0);
    assert_int_equal(value[2], VALUE_ONE / 4);
    outcome = ranked(1, (const int32_t[]){10});
    value_of_outcome(&outcome, value);
    assert_int_equal(value[0], VALUE_ONE / 2 + 10 * VALUE_POINT);
}

/* ---- Weights ---- */

static unsigned three_features(const struct game *game, const void *state, unsigned seat,
                               int32_t *feature)
{
    (void)game;
    const int32_t *score = state;
    feature[0] = 1;
    feature[1] = score[seat];
    feature[2] = (int32_t)seat;
    return 64;
}

static uint32_t goes_on(const void *state)
{
    (void)state;
    return 1;
}

static const struct game learned = {
    .slug = "learned", .deciders = goes_on, .features = three_features, .feature_count = 3};

static bool reads(const char *file, struct value_weights *weights)
{
    return value_read(weights, &learned, span_of(file));
}

#define HEAD "tillroll-value 1 learned 3\nfrom a test\n"

TEST(test_reads_weights)
{
    struct value_weights weights;
    assert_true(reads(HEAD "0 0\n1048576 -2097152\n0 5\n", &weights));
    assert_int_equal(weights.count, 3);
    assert_int_equal(weights.early[1], 1048576);
    assert_int_equal(weights.late[1], -2097152);
    assert_int_equal(weights.late[2], 5);
    assert_true(reads("", &weights));
    assert_int_equal(weights.count, 0);
}

TEST(test_refuses_other_files)
{
    struct value_weights weights;
    static const char *const bad[] = {
        "tillroll-value 2 learned 3\nx\n0 0\n0 0\n0 0\n",
        "tillroll-value 1 other 3\nx\n0 0\n0 0\n0 0\n",
        "tillroll-value 1 learned 2\nx\n0 0\n0 0\n",
        "tillroll-value 1 learned 3\n0 0\n0 0\n0 0\n",
        HEAD "0 0\n0 0\n",
        HEAD "0 0\n0 0\n0 0\n0 0\n",
        HEAD "0 0\n0\n0 0\n",
        HEAD "0 0\n0 0 0\n0 0\n",
        HEAD "0 0\n0 x\n0 0\n",
        HEAD "0 0\n0 2147483648\n0 0\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (reads(bad[i], &weights))
            fail_msg("taken: %s", bad[i]);
}

/* A quarter of the game is over: three quarters of the early weight count. */
TEST(test_strength_is_between_early_and_late)
{
    struct value_weights weights;
    const int32_t score[] = {2, 0};
    assert_true(reads(HEAD "0 0\n1048576 0\n0 0\n", &weights));
    assert_int_equal(value_strength(&weights, &learned, score, 0), 2 * VALUE_LOGIT * 3 / 4);
    assert_int_equal(value_strength(&weights, &learned, score, 1), 0);
}

TEST(test_values_add_up)
{
    struct value_weights weights;
    int32_t value[GAME_SEATS_MAX];
    const int32_t score[] = {3, 1, 2, 1, 0};
    assert_true(reads(HEAD "0 0\n1048576 1048576\n0 0\n", &weights));
    for (unsigned seats = 2; seats <= GAME_SEATS_MAX; seats++) {
        int32_t sum = 0;
        value_of_state(&weights, &learned, score, seats, value);
        for (unsigned seat = 0; seat < seats; seat++)
            sum += value[seat];
        /* All first places together are one, and half of all pairs of seats are won. */
        int32_t expected = VALUE_ONE / 2 + VALUE_ONE / 4 * (int32_t)seats;
        assert_in_range(sum, expected - 40, expected + 40);
        assert_true(value[0] > value[seats - 1]);
        assert_true(seats < 4 || value[1] == value[3]);
    }
}

TEST(test_every_game_has_weights_for_its_features)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        struct value_weights weights;
        if (game->value == NULL)
            continue;
        struct span file = {(const char *)game->value, (size_t)(game->value_end - game->value)};
        if (!value_read(&weights, game, file) || weights.count == 0)
            fail_msg("%s: the weights are for other features: tillroll train", game->slug);
    }
}

static void check_features(const struct game *game, const void *state, unsigned seats,
                           unsigned *phases)
{
    int32_t feature[GAME_FEATURES_MAX];
    for (unsigned seat = 0; seat < seats; seat++) {
        unsigned phase = game->features(game, state, seat, feature);
        assert_in_range(phase, phases[seat], GAME_PHASE_END);
        phases[seat] = phase;
        assert_int_equal(feature[0], 1);
        for (unsigned i = 0; i < game->feature_count; i++)
            assert_in_range(feature[i] + GAME_FEATURE_MAX, 0, 2 * GAME_FEATURE_MAX);
    }
}

/* Whole games of random moves: features keep their bounds, and the phase goes from start to end. */
TEST(test_features)
{
    static struct table table;
    struct move_list list;
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        const struct game_options options = game_options_initial(game);
        if (game->features == NULL)
            continue;
        table_list_init(&list, game);
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++) {
            unsigned phases[GAME_SEATS_MAX] = {0};
            struct dice dice;
            dice_open(&dice, "features", seats);
            table_set(&table, game, seats, &options, seats);
            for (uint32_t deciders; (deciders = game->deciders(table.state)) != 0;) {
                const unsigned seat = (unsigned)__builtin_ctz(deciders);
                struct refusal refusal;
                check_features(game, table.state, seats, phases);
                table_legal(game, table.state, seat, &list);
                const struct span move = move_list_get(&list, dice_below(&dice, list.count));
                assert_true(game->play(game, table.state, seat, move, &table.chance, &refusal));
            }
            check_features(game, table.state, seats, phases);
            for (unsigned seat = 0; seat < seats; seat++)
                assert_int_equal(phases[seat], GAME_PHASE_END);
        }
        move_list_free(&list);
    }
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
