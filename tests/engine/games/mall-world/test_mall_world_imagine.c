/* What is remembered of hands in Mall World, and that all deals which agree with it are equally
 * likely. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/games/mall-world/recall.h"
#include "engine/games/mall-world/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/engine/support/spread.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct mall_world_components *set;

static const struct viewer seat_0 = {VIEWER_SEAT, 0};
static const struct viewer spectator = {VIEWER_SPECTATOR, 0};

/* Three seats with nothing in hand, empty piles, nothing in the box and nothing told. */
static void set_table(struct mall_world_state *state)
{
    struct game_options options = {{0}};
    struct chance chance = chance_of(1);
    memset(state, 0, sizeof *state);
    mall_world_setup(game, state, 3, &options, &chance);
    memset(state->hand, 0, sizeof state->hand);
    memset(state->held, 0, sizeof state->held);
    state->boxed = 0;
    state->orders_next = state->orders_end;
    state->stack_next = 4;
    state->stack_end = 4;
    memset(state->stack, 0, sizeof state->stack);
}

/* Seat 1 has an open card of type 0 and two unseen ones, seat 2 an unseen one. */
static void hold(struct mall_world_state *state, const uint8_t *cards, uint8_t count)
{
    memset(state->hand, 0, sizeof state->hand);
    state->known[1][0] = 1;
    state->hand[1][0] = 1;
    state->hand[0][1] = 2;
    state->hand[1][cards[0]]++;
    state->hand[1][cards[1]]++;
    state->hand[2][cards[2]]++;
    state->stack_end = (uint8_t)(4 + count - 3);
    memcpy(state->stack + 4, cards + 3, count - 3u);
}

static bool may_hold(const struct mall_world_state *state, unsigned seat)
{
    unsigned singles = 0;
    for (unsigned card = 0; card < CARDS; card++) {
        unsigned unseen = (unsigned)(state->hand[seat][card] - state->known[seat][card]);
        if (unseen > 0 && (state->barred[seat] >> card & 1) != 0)
            return false;
        singles += (state->single[seat] >> card & 1) != 0 ? unseen : 0;
    }
    return singles <= 1;
}

/* Lists every deal that agrees with what is barred, and tries one of them. */
static void try_cards(struct mall_world_state *state)
{
    struct spread spread;
    struct mall_world_state one = *state;
    uint8_t cards[6] = {0, 0, 2, 3, 3, 4};
    uint8_t turns[6] = {0};
    spread_open(&spread, game);
    do {
        hold(state, cards, 6);
        if (!may_hold(state, 1) || !may_hold(state, 2))
            continue;
        spread_add(&spread, state);
        one = *state;
    } while (spread_permute(cards, turns, 6));
    spread_try(&spread, &one, seat_0);
}

TEST(test_cards)
{
    struct mall_world_state state;
    set_table(&state);
    try_cards(&state);
}

TEST(test_barred_cards)
{
    struct mall_world_state state;
    set_table(&state);
    state.barred[1] = 1u << 3;
    state.barred[2] = 1u << 0 | 1u << 2;
    try_cards(&state);
}

TEST(test_single_cards)
{
    struct mall_world_state state;
    set_table(&state);
    state.single[1] = 1u << 0 | 1u << 3;
    state.barred[2] = 1u << 4;
    try_cards(&state);
}

/* What was dealt is not among the discards that were shuffled. */
TEST(test_cards_after_a_shuffle)
{
    struct mall_world_state state;
    struct spread spread;
    uint8_t cards[6] = {0, 2, 3, 5, 6, 6};
    uint8_t turns[3] = {0};
    set_table(&state);
    state.reshuffles = 1;
    spread_open(&spread, game);
    do {
        uint8_t inner[3] = {0};
        do {
            hold(&state, cards, 6);
            spread_add(&spread, &state);
        } while (spread_permute(cards + 3, inner, 3));
    } while (spread_permute(cards, turns, 3));
    spread_try(&spread, &state, seat_0);
}

TEST(test_special_orders)
{
    struct mall_world_state state;
    struct spread spread;
    uint8_t orders[5] = {23, 24, 25, 26, 27};
    uint8_t turns[5] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        state.held[0] = UINT32_C(1) << SPECIAL_ORDER_FIRST | 1;
        state.held[1] = UINT32_C(1) << orders[0] | 2; /* order 1 was accepted in the open */
        state.held[2] = UINT32_C(1) << orders[1];
        state.boxed =
            UINT32_C(1) << orders[2] | UINT32_C(1) << orders[3] | UINT32_C(1) << orders[4];
        spread_add(&spread, &state);
    } while (spread_permute(orders, turns, 5));
    spread_try(&spread, &state, seat_0);
}

TEST(test_order_stack)
{
    struct mall_world_state state;
    struct spread spread;
    uint8_t use[4] = {1, 4, 5, 7};
    uint8_t rent[3] = {10, 13, 20};
    uint8_t turns[4] = {0};
    set_table(&state);
    spread_open(&spread, game);
    state.orders_next = (uint8_t)(state.orders_end - 5);
    do {
        uint8_t inner[3] = {0};
        do {
            memcpy(state.orders + state.orders_next, use, 3);
            memcpy(state.orders + state.orders_next + 3, rent, 2);
            state.boxed = UINT32_C(1) << use[3] | UINT32_C(1) << rent[2];
            spread_add(&spread, &state);
        } while (spread_permute(rent, inner, 3));
    } while (spread_permute(use, turns, 4));
    spread_try(&spread, &state, seat_0);
}

TEST(test_bids_are_undecided_again)
{
    struct mall_world_state state;
    struct chance chance = chance_of(2);
    set_table(&state);
    state.point = AT_BID;
    state.offered = 3;
    state.bids_in = 3;
    state.bid[0] = 2;
    state.bid[1] = 1;
    mall_world_imagine(game, &state, seat_0, &chance);
    assert_int_equal(state.bids_in, 1);
    assert_int_equal(state.bid[0], 2);
    assert_int_equal(state.bid[1], 0);
    mall_world_imagine(game, &state, (struct viewer){VIEWER_AUDITOR, 0}, &chance);
    assert_int_equal(state.bids_in, 0);
    assert_int_equal(state.bid[0], 0);
}

/* ---- What is remembered ---- */

/* A seat that passes shows that it holds nothing that could be realised. */
TEST(test_passing_tells)
{
    struct mall_world_state state;
    unsigned cards = 0;
    set_table(&state);
    for (unsigned card = 0; card < CARDS; card++)
        cards |= (unsigned)mall_world_is_realizable(set, &state, card) << card;
    assert_int_not_equal(cards, 0);
    state.active = 1;
    struct mall_world_state poor = state;
    mall_world_recall_passed(set, &state);
    assert_int_equal(state.barred[1], cards);
    assert_int_equal(state.single[1], 0);
    poor.coins[1] = 0;
    mall_world_recall_passed(set, &poor);
    assert_int_equal(poor.barred[1], 0);
    assert_int_equal(poor.single[1], cards);
    unsigned card = 0;
    while ((cards >> card & 1) == 0)
        card++;
    mall_world_recall_left(&poor, card, 1); /* so that was the one */
    assert_int_equal(poor.barred[1], cards);
    assert_int_equal(poor.single[1], 0);
    set_table(&state);
    state.offer_made = 1;
    mall_world_recall_passed(set, &state);
    assert_int_equal(state.barred[state.active], 0);
}

static void count(uint8_t known[static CARDS], const json_t *cards, int by)
{
    const json_t *name;
    size_t i;
    json_array_foreach((json_t *)cards, i, name)
    {
        uint8_t *held = &known[mall_world_card_named(set, span_of(json_string_value(name)))];
        *held = (uint8_t)(*held + by >= 0 ? *held + by : 0);
    }
}

/* Counts, by what a spectator is told, the cards that everybody saw go into hands. */
static void watch(uint8_t known[SEATS_MAX][CARDS], json_t *events)
{
    json_t *event;
    size_t i;
    json_array_foreach(events, i, event)
    {
        unsigned seat = (unsigned)json_integer_value(json_object_get(event, "seat"));
        const char *kind = json_string_value(json_object_get(event, "kind"));
        if (strcmp(kind, "taken") == 0)
            count(known[seat], json_object_get(event, "cards"), 1);
        if (strcmp(kind, "offered") == 0)
            count(known[seat], json_object_get(event, "cards"), -1);
        if (strcmp(kind, "removed") == 0) {
            json_t *one = json_pack("[O]", json_object_get(event, "card"));
            count(known[seat], one, -1);
            json_decref(one);
        }
    }
}

TEST(test_watching_a_game)
{
    struct game_options options = {{0}};
    struct table table;
    struct move_list list;
    struct dice dice;
    size_t taken = 0;
    table_list_init(&list, game);
    dice_open(&dice, "watch", 1);
    for (uint32_t number = 0; number < 4; number++) {
        uint8_t known[SEATS_MAX][CARDS] = {{0}};
        table_set(&table, game, 3 + number % 3, &options, number);
        const struct mall_world_state *state = (const void *)table.state;
        for (uint32_t deciders; (deciders = game->deciders(state)) != 0;) {
            unsigned char before[GAME_STATE_MAX];
            struct refusal refusal;
            unsigned seat = 0;
            while ((deciders >> seat & 1) == 0)
                seat++;
            memcpy(before, table.state, game->state_size);
            table_legal(game, state, seat, &list);
            struct ply ply = {seat, move_list_get(&list, dice_below(&dice, list.count))};
            assert_true(game->play(game, table.state, seat, ply.move, &table.chance, &refusal));
            json_t *events = game->events(game, before, table.state, &ply, spectator);
            watch(known, events);
            json_decref(events);
            assert_memory_equal(known, state->known, sizeof known);
            for (unsigned holder = 0; holder < state->seats; holder++) {
                assert_true(may_hold(state, holder));
                for (unsigned card = 0; card < CARDS; card++)
                    taken += state->known[holder][card];
            }
        }
    }
    assert_true(taken > 100);
    move_list_free(&list);
}

int main(void)
{
    game = catalog_newest(span_of("mall-world"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
