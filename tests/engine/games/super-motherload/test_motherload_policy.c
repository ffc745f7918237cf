/* The compiled policy of Super Motherload finds moves that are plain, and its numbers keep their
 * bounds. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/search/policy.h"
#include "tests/engine/games/super-motherload/motherload_game.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct motherload_components *set;

enum { LEGAL_MAX = 3763 };

struct judged {
    struct move_list legal;
    int32_t weight[LEGAL_MAX];
};

static void judge(struct judged *judged, const struct motherload_state *state)
{
    move_list_clear(&judged->legal);
    game->legal(game, state, state->active, &judged->legal);
    game->weigh(game, state, state->active, &judged->legal, judged->weight);
}

static int32_t weight_of(const struct judged *judged, const char *move)
{
    ptrdiff_t i = move_list_find(&judged->legal, span_of(move));
    if (i < 0)
        fail_msg("%s is not legal", move);
    return judged->weight[i];
}

static struct span best_of(const struct judged *judged)
{
    return move_list_get(&judged->legal, policy_best(&judged->legal, judged->weight));
}

static void assert_best(struct judged *judged, const struct motherload_state *state,
                        const char *move)
{
    judge(judged, state);
    assert_string_equal(best_of(judged).at, move);
}

static int set_up(void **context)
{
    static struct judged judged;
    *context = &judged;
    return move_list_init(&judged.legal, game) ? 0 : 1;
}

static int tear_down(void **context)
{
    struct judged *judged = *context;
    move_list_free(&judged->legal);
    return 0;
}

static void test_claims_before_it_acts(void **context)
{
    struct motherload_state state;
    LOAD_POSITION(game, &state,
                  "tunnels 1h1-6\n"
                  "hand 0 r0 b0\n"
                  "minerals 0 red iron iron iron\n"
                  "minors demolition treasure-cart iron-stock\n"
                  "minor-deck overtime diamond-stock\n"
                  "artifacts 0 copy");
    play(&state, "artifact copy iron blue");
    assert_best(*context, &state, "claim iron-stock");
}

/* One artifact is left, and a tunnel lies beside it. */
static const char last_find[] = "boards 2a 4a\n"
                                "tunnels 4g3 4a5 4n7 4h7\n"
                                "left 1\n"
                                "hand 0 b0 b0\n"
                                "artifact-pile relic\n";

static void load_last_find(struct motherload_state *state, const char *bought)
{
    char text[200];
    (void)snprintf(text, sizeof text, "%s%s", last_find, bought);
    LOAD_POSITION(game, state, text);
    play(state, "drill blue b0");
}

static void test_ends_the_game_when_ahead(void **context)
{
    struct motherload_state state;
    load_last_find(&state, "bought 0 3 3 3 3\nbought 1 1 1 1 1");
    assert_best(*context, &state, "place 4i7");
}

static void test_plays_on_when_behind(void **context)
{
    struct motherload_state state;
    struct judged *judged = *context;
    load_last_find(&state, "bought 0 1 1 1 1\nbought 1 3 3 3 3");
    judge(judged, &state);
    assert_string_not_equal(best_of(judged).at, "place 4i7");
}

static void test_completes_a_stack(void **context)
{
    struct motherload_state state;
    struct judged *judged = *context;
    LOAD_POSITION(game, &state,
                  "tunnels 1h1-6\n"
                  "minerals 0 blue gold\n"
                  "minerals 0 red iron\n"
                  "hand 0 y0\n"
                  "draw 0 b0 y0\n"
                  "artifacts 0 gold-draw");
    judge(judged, &state);
    assert_true(weight_of(judged, "artifact gold-draw blue") >
                weight_of(judged, "artifact gold-draw red"));
    assert_true(weight_of(judged, "artifact gold-draw blue") >
                weight_of(judged, "artifact gold-draw wild"));
    assert_true(weight_of(judged, "artifact gold-draw blue") > weight_of(judged, "end"));
}

static void test_does_not_waste_cards(void **context)
{
    struct motherload_state state;
    struct judged *judged = *context;
    LOAD_POSITION(game, &state,
                  "tunnels 1h1-6\n"
                  "left 1\n"
                  "bought 0 0 4 0 0\n"
                  "hand 0 b0 b25 w0 y0\n"
                  "draw 0 b0 y0");
    judge(judged, &state);
    assert_true(weight_of(judged, "draw") > weight_of(judged, "end"));
    assert_true(weight_of(judged, "drill blue b0") > weight_of(judged, "drill blue w0"));
}

static void test_discards_starters(void **context)
{
    struct motherload_state state;
    LOAD_POSITION(game, &state,
                  "tunnels 1h1-6\n"
                  "left 1\n"
                  "bought 0 2 4 2 2\n"
                  "hand 0 b15 b20 b25 r15 w15 y15 y0\n"
                  "artifacts 0 relic");
    play(&state, "end");
    assert_best(*context, &state, "discard y0");
}

/* ---- Whole games ---- */

static void check_features(const struct motherload_state *state, unsigned *phases)
{
    int32_t feature[GAME_FEATURES_MAX];
    for (unsigned seat = 0; seat < state->seats; seat++) {
        unsigned phase = game->features(game, state, seat, feature);
        assert_true(phase <= GAME_PHASE_END);
        assert_true(phase >= phases[seat]);
        phases[seat] = phase;
        assert_int_equal(feature[0], 1);
        if (state->boards > 0 && state->point != AT_DECK)
            assert_int_equal(feature[1], motherload_score(set, state, seat) * 16);
        for (unsigned i = 0; i < game->feature_count; i++)
            assert_in_range(feature[i] + GAME_FEATURE_MAX, 0, 2 * GAME_FEATURE_MAX);
    }
}

static void check_weights(const struct judged *judged)
{
    for (size_t i = 0; i < judged->legal.count; i++)
        assert_in_range(judged->weight[i] + GAME_WEIGHT_MAX, 0, 2 * GAME_WEIGHT_MAX);
}

static void play_game(struct judged *judged, unsigned seats, unsigned options, uint8_t seed)
{
    struct motherload_state state;
    struct motherload_state before;
    struct chance chance = chance_of(seed);
    struct refusal refusal;
    unsigned phases[SEATS_MAX] = {0};
    begin_game(&state, seats, options, seed);
    while (game->deciders(&state) != 0) {
        before = state;
        judge(judged, &state);
        check_weights(judged);
        check_features(&state, phases);
        assert_memory_equal(&before, &state, sizeof state);
        assert_true(game->play(game, &state, state.active, best_of(judged), &chance, &refusal));
    }
    check_features(&state, phases);
    for (unsigned seat = 0; seat < seats; seat++)
        assert_int_equal(phases[seat], GAME_PHASE_END);
}

static void test_whole_games(void **context)
{
    assert_in_range(game->feature_count, 8, 40);
    assert_true(game->weight_unit >= 1);
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++)
        for (unsigned options = 0; options < 4; options++)
            play_game(*context, seats, options, (uint8_t)(10 * seats + options));
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims_before_it_acts),
        cmocka_unit_test(test_ends_the_game_when_ahead),
        cmocka_unit_test(test_plays_on_when_behind),
        cmocka_unit_test(test_completes_a_stack),
        cmocka_unit_test(test_does_not_waste_cards),
        cmocka_unit_test(test_discards_starters),
        cmocka_unit_test(test_whole_games),
    };
    return cmocka_run_group_tests_name("super-motherload policy", tests, set_up, tear_down);
}
