/* Search (engine/search/search.h) in a game that is known by heart. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/search.h"
#include "engine/search/value.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* ---- Nim: one heap, each takes 1 to 3, who takes the last has won ---- */

struct nim {
    uint8_t heap, turn, winner, hidden;
};

static uint32_t nim_deciders(const void *state)
{
    const struct nim *nim = state;
    return nim->heap == 0 ? 0 : UINT32_C(1) << nim->turn;
}

static void nim_legal(const struct game *game, const void *state, unsigned seat,
                      struct move_list *list)
{
    (void)game;
    const struct nim *nim = state;
    static const char *const moves[] = {"1", "2", "3"};
    for (unsigned i = 0; seat == nim->turn && i < 3 && i < nim->heap; i++)
        move_list_add(list, span_of(moves[i]));
}

static bool nim_play(const struct game *game, void *state, unsigned seat, struct span move,
                     const struct chance *chance, struct refusal *refusal)
{
    (void)game;
    struct nim *nim = state;
    (void)chance;
    (void)refusal;
    nim->heap = (uint8_t)(nim->heap - (move.at[0] - '0'));
    nim->winner = (uint8_t)seat;
    nim->turn = (uint8_t)(1 - nim->turn);
    return true;
}

static void nim_imagine(const struct game *game, void *state, struct viewer viewer,
                        const struct chance *chance)
{
    (void)game;
    struct nim *nim = state;
    (void)viewer;
    nim->hidden = chance->seed[0];
}

static void nim_outcome(const struct game *game, const void *state, struct outcome *outcome)
{
    (void)game;
    const struct nim *nim = state;
    *outcome = (struct outcome){.seats = 2};
    outcome->score[nim->winner] = 1;
    outcome_rank(outcome);
}

/* By weight, a player takes one. */
static void nim_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    (void)game;
    (void)state;
    (void)seat;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = -(int32_t)i;
}

static const struct game nim_game = {.slug = "nim",
                                     .seats_min = 2,
                                     .seats_max = 2,
                                     .state_size = sizeof(struct nim),
                                     .legal_max = 3,
                                     .move_max = 1,
                                     .deciders = nim_deciders,
                                     .legal = nim_legal,
                                     .play = nim_play,
                                     .imagine = nim_imagine,
                                     .outcome = nim_outcome,
                                     .weigh = nim_weigh,
                                     .weight_unit = 1};

static const struct search_settings usual = {
    .candidates = 3, .playouts = 60, .reach = 2, .doubt = 4, .margin = 1000};

/* How many the search takes from a heap. `playouts`: how many it made. */
static unsigned taken_after(uint8_t heap, const struct search_settings *settings,
                            uint64_t *playouts)
{
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    struct nim nim = {.heap = heap};
    struct chance luck = {.stacks = NULL};
    struct move_list list;
    struct search *search = search_new(&nim_game, settings);
    assert_non_null(search);
    memcpy(state, &nim, sizeof nim);
    table_list_init(&list, &nim_game);
    table_legal(&nim_game, state, 0, &list);
    unsigned taken = (unsigned)search_choose(search, state, 0, &luck, &list) + 1;
    *playouts = search_playouts(search);
    assert_true(*playouts <= settings->playouts);
    assert_int_equal(*playouts == 0, heap == 1 || settings->reach == 0);
    move_list_free(&list);
    search_free(search);
    return taken;
}

static unsigned taken_from(uint8_t heap, const struct search_settings *settings)
{
    uint64_t playouts;
    return taken_after(heap, settings, &playouts);
}

/* If everybody goes on by ones, whoever leaves an even heap has won. */
TEST(test_finds_the_move_that_wins_playouts)
{
    assert_int_equal(taken_from(1, &usual), 1);
    assert_int_equal(taken_from(2, &usual), 2);
    assert_int_equal(taken_from(4, &usual), 2);
    assert_int_equal(taken_from(6, &usual), 2);
}

/* Among moves that are equally good in playouts, the one that is best by weight is taken. */
TEST(test_keeps_the_move_that_is_best_by_weight)
{
    assert_int_equal(taken_from(3, &usual), 1);
    assert_int_equal(taken_from(5, &usual), 1);
}

/* Moves out of reach, and more than so many, are not compared. */
TEST(test_compares_candidates_only)
{
    struct search_settings settings = usual;
    settings.candidates = 2;
    assert_int_equal(taken_from(6, &settings), 2);
    settings.reach = 0;
    assert_int_equal(taken_from(6, &settings), 1);
}

/* Moves that lose as well as the first one are dropped after 16 samples: all of them, or all but
 * the one that wins, which is compared with the first to the end. */
TEST(test_drops_moves_that_are_behind)
{
    struct search_settings settings = usual;
    uint64_t playouts;
    settings.playouts = 6000;
    assert_int_equal(taken_after(5, &settings, &playouts), 1);
    assert_int_equal(playouts, 6000);
    settings.drop = 12;
    assert_int_equal(taken_after(5, &settings, &playouts), 1);
    assert_int_equal(playouts, 3 * 16);
    assert_int_equal(taken_after(6, &settings, &playouts), 2);
    assert_int_equal(playouts, 3 * 16 + 2 * (1000 - 16) + 3000);
}

/* ---- What results are worth ---- */

static int32_t value(unsigned seats, const int32_t *score, unsigned seat, uint32_t margin)
{
    struct outcome outcome = {.seats = seats};
    memcpy(outcome.score, score, seats * sizeof *score);
    outcome_rank(&outcome);
    return search_value(&outcome, seat, margin);
}

TEST(test_values_of_results)
{
    static const int32_t two[] = {3, 7}, even[] = {5, 5}, four[] = {9, 1, 5, 5}, alone[] = {-10};
    enum { ONE = VALUE_ONE };
    assert_int_equal(value(2, two, 0, ONE), -4);
    assert_int_equal(value(2, two, 1, ONE), ONE + 4);
    assert_int_equal(value(2, two, 1, 16), ONE + ONE / 4);
    assert_int_equal(value(2, two, 1, 1), 2 * ONE); /* the lead is limited */
    assert_int_equal(value(2, two, 0, 1), -ONE);
    assert_int_equal(value(2, even, 0, 1), ONE / 2);
    assert_int_equal(value(4, four, 0, ONE), ONE + 4);
    assert_int_equal(value(4, four, 1, ONE), -8);
    assert_int_equal(value(4, four, 2, ONE), ONE / 4 - 4);
    assert_int_equal(value(1, alone, 0, 100), -ONE / 10);
}

/* ---- Leads beside their errors ---- */

/* `more` of the samples are worth `lead` more than the others, which are worth as much less. */
static bool is_ahead(int64_t lead, uint32_t samples, uint32_t more, int32_t doubt)
{
    const int64_t sum = lead * (2 * (int64_t)more - samples);
    return search_is_ahead(sum, lead * lead * samples, samples, doubt);
}

/* 16 leads of 2 and 16 of 0: the mean is 1, and its error 1 / sqrt(32). 8 leads of 1 and 8 of -1:
 * the mean is 0. */
TEST(test_leads_beside_their_errors)
{
    assert_true(search_is_ahead(32, 64, 32, 22));
    assert_false(search_is_ahead(32, 64, 32, 23)); /* 4 sqrt(32) = 22.6 */
    assert_false(search_is_ahead(-32, 64, 32, 0));
    assert_true(search_is_ahead(-32, 64, 32, -23));
    assert_false(search_is_ahead(-32, 64, 32, -22));
    assert_false(search_is_ahead(0, 16, 16, 0));
    assert_true(search_is_ahead(0, 16, 16, -1));
    /* 4 and 0 as often, 64 samples: exactly 32 quarters of the error */
    assert_false(search_is_ahead(128, 512, 64, 32));
    assert_true(search_is_ahead(128, 512, 64, 31));
}

/* With the greatest leads and as many samples as there may be. n samples with a sum of m leads are
 * 32 quarters of the error ahead if m^2 > 64 n^2 / (n + 64) = 2046.999^2. */
TEST(test_leads_at_the_limits)
{
    enum { N = SEARCH_PLAYOUTS_MAX, LEAD = 4096, DOUBT = SEARCH_DOUBT_MAX };
    assert_int_equal(N, 65536);
    for (int64_t lead = 1; lead <= LEAD; lead *= 2) {
        assert_true(is_ahead(lead, N, N, DOUBT));
        assert_true(is_ahead(lead, N, N / 2 + 1024, DOUBT));  /* m = 2048 */
        assert_false(is_ahead(lead, N, N / 2 + 1023, DOUBT)); /* 2046 */
        assert_true(is_ahead(lead, N, N / 2 - 1023, -DOUBT));
        assert_false(is_ahead(lead, N, N / 2 - 1024, -DOUBT));
        assert_false(is_ahead(lead, N, 0, -DOUBT));
    }
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
