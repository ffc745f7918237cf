/* What is remembered of hands in Super Motherload, and that all deals which agree with it are
 * equally likely. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/engine/support/spread.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct motherload_components *set;

static const struct viewer seat_0 = {VIEWER_SEAT, 0};
static const struct viewer seat_1 = {VIEWER_SEAT, 1};
static const struct viewer spectator = {VIEWER_SPECTATOR, 0};

/* Three seats after the deal, with nothing in hand, empty piles and nothing told. */
static void set_table(struct motherload_state *state)
{
    struct table table;
    struct move_list list;
    struct refusal refusal;
    struct game_options options = {{0, 1}};
    table_list_init(&list, game);
    table_set(&table, game, 3, &options, 1);
    memcpy(state, table.state, sizeof *state);
    while (state->point != AT_MAIN) {
        table_legal(game, state, state->active, &list);
        assert_true(motherload_play(game, state, state->active, move_list_get(&list, 0),
                                    &table.chance, &refusal));
    }
    move_list_free(&list);
    memset(state->hand, 0, sizeof state->hand);
    memset(state->pile, 0, sizeof state->pile);
    memset(state->pile_next, 2, sizeof state->pile_next);
    memset(state->pile_end, 2, sizeof state->pile_end);
    memset(state->artifact_pile, 0, sizeof state->artifact_pile);
    state->artifact_next = ARTIFACT_TILES;
    state->minor_deck_known = state->minor_deck_count;
    state->sides_drawn = 0;
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}

/* Seat 1 has a card that everybody knows, two that were drawn, and three in its pile. */
static void hold(struct motherload_state *state, const uint8_t cards[static 5])
{
    memset(state->hand, 0, sizeof state->hand);
    state->known[1][7] = 1;
    state->hand[1][7] = 1;
    state->hand[1][cards[0]]++;
    state->hand[1][cards[1]]++;
    memcpy(state->pile[1] + 2, cards + 2, 3);
    state->pile_end[1] = 5;
}

TEST(test_hand)
{
    struct motherload_state state;
    struct spread spread;
    uint8_t cards[5] = {0, 0, 5, 7, 10};
    uint8_t turns[5] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        hold(&state, cards);
        spread_add(&spread, &state);
    } while (spread_permute(cards, turns, 5));
    spread_try(&spread, &state, seat_0);
}

TEST(test_own_pile)
{
    struct motherload_state state;
    struct spread spread;
    uint8_t cards[5] = {3, 4, 5, 7, 10};
    uint8_t turns[5] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        hold(&state, cards);
        spread_add(&spread, &state);
    } while (spread_permute(cards + 2, turns, 3));
    spread_try(&spread, &state, seat_1);
}

TEST(test_artifacts)
{
    struct motherload_state state;
    struct spread spread;
    uint8_t tiles[6] = {0, 0, 1, 2, 3, 4};
    uint8_t turns[6] = {0};
    set_table(&state);
    spread_open(&spread, game);
    state.artifact_next = ARTIFACT_TILES - 3;
    do {
        memset(state.artifacts, 0, sizeof state.artifacts);
        state.artifacts[0][5] = 1;
        state.artifacts[1][tiles[0]]++;
        state.artifacts[1][tiles[1]]++;
        state.artifacts[2][tiles[2]]++;
        memcpy(state.artifact_pile + state.artifact_next, tiles + 3, 3);
        spread_add(&spread, &state);
    } while (spread_permute(tiles, turns, 6));
    spread_try(&spread, &state, seat_0);
}

/* Minors that were put under the deck stay where everybody saw them go. */
TEST(test_minors)
{
    struct motherload_state state;
    struct spread spread;
    uint8_t minors[4] = {0, 2, 3, 5};
    uint8_t turns[4] = {0};
    set_table(&state);
    memset(state.minor_deck, 0, sizeof state.minor_deck);
    state.minor_deck_count = 6;
    state.minor_deck_known = 2;
    state.minor_deck[4] = 7;
    state.minor_deck[5] = 1;
    spread_open(&spread, game);
    do {
        memcpy(state.minor_deck, minors, 4);
        spread_add(&spread, &state);
    } while (spread_permute(minors, turns, 4));
    spread_try(&spread, &state, spectator);
}

TEST(test_sides)
{
    struct motherload_state state;
    struct spread spread;
    set_table(&state);
    unsigned seen = set->boards[state.board[state.boards - 1]].depth;
    assert_true(seen > 0 && seen < DEPTHS);
    state.sides_drawn = 1;
    spread_open(&spread, game);
    for (unsigned sides = 0; sides < 1u << (DEPTHS - seen); sides++) {
        for (unsigned depth = seen; depth < DEPTHS; depth++)
            state.side[depth] = sides >> (depth - seen) & 1;
        spread_add(&spread, &state);
    }
    spread_try(&spread, &state, spectator);
}

/* ---- What is remembered ---- */

/* What the ply of `seat` shows of known cards, from what everybody sees: `known` becomes what is
 * known after it. */
static void watch(uint8_t known[static CARDS], const struct motherload_state *was,
                  const struct motherload_state *state, unsigned seat, json_t *events)
{
    unsigned shuffled = state->reshuffles[seat] - was->reshuffles[seat];
    const json_t *bought = find_event(events, "card_bought");
    uint8_t card = bought == NULL
                       ? NONE
                       : motherload_card_named(
                             set, span_of(json_string_value(json_object_get(bought, "card"))));
    bool to_hand = bought != NULL && json_is_true(json_object_get(bought, "to_hand"));
    for (uint8_t i = 0; i < CARDS && shuffled == 0; i++) {
        int played = state->discard[seat][i] - was->discard[seat][i] - (i == card && !to_hand);
        known[i] = (uint8_t)((known[i] > played ? known[i] - played : 0) + (i == card && to_hand));
    }
    /* All but what was shuffled, drawn or not. */
    for (unsigned i = 0; i < CARDS && shuffled > 0; i++)
        known[i] = state->hand[seat][i];
    for (unsigned i = 0; i < state->pile_next[seat] && shuffled > 0; i++)
        known[state->pile[seat][i]]--;
}

TEST(test_watching_a_game)
{
    struct game_options options = {{0, 1}};
    struct table table;
    struct move_list list;
    struct dice dice;
    size_t shuffles = 0;
    size_t seen = 0;
    table_list_init(&list, game);
    dice_open(&dice, "watch", 1);
    for (uint32_t number = 0; number < 4; number++) {
        uint8_t known[SEATS_MAX][CARDS] = {{0}};
        table_set(&table, game, 2 + number % 3, &options, number);
        const struct motherload_state *state = (const void *)table.state;
        while (game->deciders(state) != 0) {
            struct refusal refusal;
            const struct motherload_state was = *state;
            struct ply ply = {.seat = state->active};
            table_legal(game, state, ply.seat, &list);
            ply.move = move_list_get(&list, dice_below(&dice, list.count));
            assert_true(game->play(game, table.state, ply.seat, ply.move, &table.chance, &refusal));
            json_t *events = game->events(game, &was, table.state, &ply, spectator);
            watch(known[ply.seat], &was, state, ply.seat, events);
            json_decref(events);
            assert_memory_equal(known, state->known, sizeof known);
            shuffles += state->reshuffles[ply.seat] - was.reshuffles[ply.seat];
            for (unsigned card = 0; card < CARDS; card++)
                seen += known[ply.seat][card];
        }
    }
    assert_true(shuffles > 3);
    assert_true(seen > 100);
    move_list_free(&list);
}

TEST(test_known_cards_go_first)
{
    struct motherload_state state;
    set_table(&state);
    state.active = 1;
    motherload_recall_taken(&state, 1, 4);
    motherload_recall_taken(&state, 1, 4);
    motherload_recall_left(&state, 4, 1);
    assert_int_equal(state.known[1][4], 1);
    motherload_recall_left(&state, 4, 3);
    assert_int_equal(state.known[1][4], 0);
    state.hand[2][9] = 2;
    motherload_recall_shuffled(&state, 2);
    assert_int_equal(state.known[2][9], 2);
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
