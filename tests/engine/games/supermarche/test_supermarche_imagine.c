/* That in Supermarché all orders of what nobody has seen are equally likely. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/spread.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;

/* Round `round`, with everything that is in it open, and nothing told. */
static void set_table(struct supermarche_state *state, uint8_t round)
{
    struct table table;
    struct game_options options = {{0}};
    table_set(&table, game, 1, &options, 1);
    memcpy(state, table.state, sizeof *state);
    state->round = round;
    memset(state->row, CARD_UP, sizeof state->row);
    memset(state->dice_words, 0, sizeof state->dice_words);
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}

/* In the last round two cards lie face down; two were sent away unseen, one of them before. */
TEST(test_customers)
{
    static const uint8_t place[5] = {7, 25, 26, 28, 29};
    struct supermarche_state state;
    struct spread spread;
    uint8_t customers[5];
    uint8_t turns[5] = {0};
    set_table(&state, 6);
    assert_int_equal(CUSTOMERS, 30);
    state.row[1] = CARD_DOWN;
    state.row[3] = CARD_DOWN;
    state.row[0] = CARD_DISCARDED;
    state.row[4] = CARD_DISCARDED;
    state.row[2] = CARD_SHOPPING;
    state.discarded = UINT32_C(1) << 7 | UINT32_C(1) << 25 | UINT32_C(1) << 29;
    for (unsigned i = 0; i < 5; i++)
        customers[i] = state.deck[place[i]];
    spread_open(&spread, game);
    do {
        for (unsigned i = 0; i < 5; i++)
            state.deck[place[i]] = customers[i];
        spread_add(&spread, &state);
    } while (spread_permute(customers, turns, 5));
    spread_try(&spread, &state, (struct viewer){VIEWER_SEAT, 0});
}

/* With two rounds to come: ten customers would be too many to list, so they are alike. */
TEST(test_costs)
{
    struct supermarche_state state;
    struct spread spread;
    uint8_t costs[COST_CARDS];
    uint8_t turns[COST_CARDS] = {0};
    set_table(&state, 2);
    memset(state.deck + 10, state.deck[10], 20);
    spread_open(&spread, game);
    size_t count = (size_t)(COST_CARDS - 2);
    memcpy(costs, state.costs + 2, count);
    do {
        memcpy(state.costs + 2, costs, count);
        spread_add(&spread, &state);
    } while (spread_permute(costs, turns, count));
    spread_try(&spread, &state, (struct viewer){VIEWER_SPECTATOR, 0});
}

/* At the end it is open who was sent away. */
TEST(test_over)
{
    struct supermarche_state state;
    struct chance chance = chance_of(3);
    set_table(&state, 6);
    state.point = AT_OVER;
    state.row[1] = CARD_DISCARDED;
    state.discarded = UINT32_C(1) << 26 | UINT32_C(1) << 3;
    struct supermarche_state before = state;
    supermarche_imagine(game, &state, (struct viewer){VIEWER_SEAT, 0}, &chance);
    assert_memory_equal(&state, &before, sizeof state);
}

/* Nobody has seen dice that were thrown ahead: whatever they are, the same is imagined. */
TEST(test_dice_ahead)
{
    static const struct viewer viewers[] = {
        {VIEWER_SPECTATOR, 0}, {VIEWER_SEAT, 0}, {VIEWER_AUDITOR, 0}};
    struct supermarche_state state;
    struct chance chance = chance_of(4);
    set_table(&state, 3);
    for (size_t i = 0; i < sizeof viewers / sizeof viewers[0]; i++) {
        struct supermarche_state one = state;
        struct supermarche_state other = state;
        other.dice_ahead = 4;
        for (uint8_t die = 0; die < DICE_AHEAD; die++)
            other.ahead[die] = 1 + die % 6;
        supermarche_imagine(game, &one, viewers[i], &chance);
        supermarche_imagine(game, &other, viewers[i], &chance);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    return run_all_tests(NULL, NULL);
}
