/* That in Superstore 3000 all deals of cards and supply that a viewer can suppose are equally
 * likely. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/games/superstore-3000/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/spread.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct superstore_components *set;

/* Three seats, an empty supply and nothing told. */
static void set_table(struct superstore_state *state)
{
    struct table table;
    struct game_options options = {{0}};
    table_set(&table, game, 3, &options, 1);
    memcpy(state, table.state, sizeof *state);
    state->supply_next = state->supply_end;
    for (unsigned seat = 0; seat < 3; seat++)
        state->mall[seat].card = (uint8_t)seat;
    memset(state->step, 0, sizeof state->step);
    state->steps = 0;
}

/* Seat 0 knows its own card; the night club of seat 2 is built if `open`. */
static void try_cards(struct viewer viewer, bool open, unsigned hidden)
{
    struct superstore_state state;
    struct spread spread;
    uint8_t cards[CARDS] = {0, 1, 2, 3, 4, 5};
    uint8_t turns[CARDS] = {0};
    uint8_t known = (uint8_t)(CARDS - hidden);
    set_table(&state);
    if (open)
        superstore_add_tile(
            set, &state.mall[2],
            (struct superstore_tile){.piece = FIRST_ATTRACTION, .column = 20, .floor = 9});
    spread_open(&spread, game);
    /* The visible ones are in front: those of seat 0, then those of seat 2. */
    uint8_t seat_of[3] = {0, 1, 2};
    if (open) {
        seat_of[1] = 2;
        seat_of[2] = 1;
    }
    do {
        for (unsigned i = 0; i < 3; i++)
            state.mall[seat_of[i]].card = cards[i];
        spread_add(&spread, &state);
    } while (spread_permute(cards + known, turns, hidden));
    spread_try(&spread, &state, viewer);
}

TEST(test_cards)
{
    try_cards((struct viewer){VIEWER_SEAT, 0}, false, 5);
}

TEST(test_cards_for_spectators)
{
    try_cards((struct viewer){VIEWER_SPECTATOR, 0}, false, 6);
}

TEST(test_cards_with_a_night_club)
{
    try_cards((struct viewer){VIEWER_SEAT, 0}, true, 4);
}

TEST(test_supply)
{
    struct superstore_state state;
    struct spread spread;
    uint8_t pieces[5] = {1, 1, 4, 6, 8};
    uint8_t turns[5] = {0};
    set_table(&state);
    state.supply_next = (uint8_t)(state.supply_end - 5);
    spread_open(&spread, game);
    do {
        memcpy(state.supply + state.supply_next, pieces, 5);
        spread_add(&spread, &state);
    } while (spread_permute(pieces, turns, 5));
    spread_try(&spread, &state, (struct viewer){VIEWER_AUDITOR, 0});
}

int main(void)
{
    game = catalog_newest(span_of("superstore-3000"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
