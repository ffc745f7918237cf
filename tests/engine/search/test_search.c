/* Search (engine/search/search.h) and levels, in a game that is known by heart and in every
 * ruleset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sodium.h>

#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "engine/search/search.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"

/* ---- Nim: one heap, each takes 1 to 3, who takes the last has won ---- */

struct nim {
    uint8_t heap, turn, winner, hidden;
};

static uint32_t nim_deciders(const void *state)
{
    const struct nim *nim = state;
    return nim->heap == 0 ? 0 : UINT32_C(1) << nim->turn;
}

static void nim_legal(const void *state, unsigned seat, struct move_list *list)
{
    const struct nim *nim = state;
    static const char *const moves[] = {"1", "2", "3"};
    for (unsigned i = 0; seat == nim->turn && i < 3 && i < nim->heap; i++)
        move_list_add(list, span_of(moves[i]));
}

static bool nim_play(void *state, unsigned seat, struct span move, const struct chance *chance,
                     struct refusal *refusal)
{
    struct nim *nim = state;
    (void)chance;
    (void)refusal;
    nim->heap = (uint8_t)(nim->heap - (move.at[0] - '0'));
    nim->winner = (uint8_t)seat;
    nim->turn = (uint8_t)(1 - nim->turn);
    return true;
}

static void nim_imagine(void *state, struct viewer viewer, const struct chance *chance)
{
    struct nim *nim = state;
    (void)viewer;
    nim->hidden = chance->seed[0];
}

static void nim_outcome(const void *state, struct outcome *outcome)
{
    const struct nim *nim = state;
    *outcome = (struct outcome){.seats = 2};
    outcome->score[nim->winner] = 1;
    outcome_rank(outcome);
}

static void nim_weigh(const void *state, unsigned seat, const struct move_list *legal,
                      int32_t *weight)
{
    (void)state;
    (void)seat;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = 0;
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

static const struct search_settings settings = {.iterations = 600, .rollout = 0, .explore = 384};

/* How many the search takes from a heap. */
static unsigned taken_from(uint8_t heap, uint32_t seed)
{
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    struct nim nim = {.heap = heap};
    struct chance luck = {.stacks = NULL};
    struct move_list list;
    struct search *search = search_new(&nim_game, &settings);
    assert_non_null(search);
    memcpy(state, &nim, sizeof nim);
    dice_seed(seed, luck.seed);
    table_list_init(&list, &nim_game);
    table_legal(&nim_game, state, 0, &list);
    unsigned taken = (unsigned)search_choose(search, state, 0, &luck, &list) + 1;
    move_list_free(&list);
    search_free(search);
    return taken;
}

/* Leaving four is the only move that wins against everything. */
static void test_finds_the_winning_move(void **context)
{
    (void)context;
    for (uint32_t seed = 1; seed <= 5; seed++) {
        assert_int_equal(taken_from(3, seed), 3);
        assert_int_equal(taken_from(5, seed), 1);
        assert_int_equal(taken_from(6, seed), 2);
        assert_int_equal(taken_from(7, seed), 3);
    }
}

/* ---- In every ruleset ---- */

struct trial {
    const struct game *game;
    const struct level *level;
    struct level_player *player, *other;
    struct table table;
    struct move_list list;
    struct dice dice;
};

static size_t choose(struct trial *trial, struct level_player *player, const void *state,
                     unsigned seat, uint32_t number)
{
    struct chance luck = {.stacks = NULL};
    dice_seed(number, luck.seed);
    return level_choose(player, state, seat, &luck, &trial->list);
}

/* The same decision again, by another player of the level, from the position and from one that was
 * imagined for the seat. The state stays as it is. */
static size_t decide(struct trial *trial, unsigned seat, uint32_t number)
{
    _Alignas(8) unsigned char before[GAME_STATE_MAX], twin[GAME_STATE_MAX];
    const size_t size = trial->game->state_size;
    struct chance chance = {.stacks = NULL};
    dice_seed(number + 1000000, chance.seed);
    memcpy(before, trial->table.state, size);
    memcpy(twin, trial->table.state, size);
    size_t chosen = choose(trial, trial->player, trial->table.state, seat, number);
    assert_memory_equal(before, trial->table.state, size);
    assert_true(chosen < trial->list.count);
    trial->game->imagine(twin, (struct viewer){VIEWER_SEAT, seat}, &chance);
    assert_int_equal(choose(trial, trial->other, twin, seat, number), chosen);
    return chosen;
}

static void play_some(struct trial *trial, unsigned plies, unsigned every)
{
    for (uint32_t ply = 0; ply < plies; ply++) {
        uint32_t deciders = trial->game->deciders(trial->table.state);
        struct refusal refusal;
        if (deciders == 0)
            return;
        unsigned seat = 0;
        while ((deciders >> seat & 1) == 0)
            seat++;
        table_legal(trial->game, trial->table.state, seat, &trial->list);
        size_t move = ply % every == 0 ? decide(trial, seat, ply)
                                       : dice_below(&trial->dice, trial->list.count);
        assert_true(trial->game->play(trial->table.state, seat, move_list_get(&trial->list, move),
                                      &trial->table.chance, &refusal));
    }
}

static void try_level(const struct game *game, const struct level *level)
{
    struct trial *trial = calloc(1, sizeof *trial);
    struct game_options options = game_options_initial(game);
    assert_non_null(trial);
    trial->game = game;
    trial->level = level;
    trial->player = level_player_new(game, level);
    trial->other = level_player_new(game, level);
    assert_true(trial->player != NULL && trial->other != NULL);
    table_list_init(&trial->list, game);
    dice_open(&trial->dice, "search", 1);
    table_set(&trial->table, game, game->seats_max < 3 ? game->seats_max : 3, &options, 7);
    play_some(trial, 40, 7);
    move_list_free(&trial->list);
    level_player_free(trial->player);
    level_player_free(trial->other);
    free(trial);
}

static void test_levels_use_no_secret(void **context)
{
    (void)context;
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        for (size_t k = 0; level_at(k) != NULL; k++)
            try_level(catalog_at(i), level_at(k));
}

static void test_levels_by_name(void **context)
{
    (void)context;
    assert_ptr_equal(level_named(span_of("beginner")), level_at(0));
    assert_null(level_named(span_of("Beginner")));
    assert_null(level_named(span_of("")));
    for (size_t i = 0; level_at(i) != NULL; i++)
        assert_ptr_equal(level_named(span_of(level_at(i)->name)), level_at(i));
}

/* The luck of a decision depends on the record so far and on the seat. */
static void test_luck_of_a_decision(void **context)
{
    (void)context;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_winning_move),
        cmocka_unit_test(test_levels_use_no_secret),
        cmocka_unit_test(test_levels_by_name),
        cmocka_unit_test(test_luck_of_a_decision),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
