/* Auctions of Mall World: bids in every order of arrival, and who realises first. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/mall-world/rules.h"
#include "engine/games/mall-world/turn.h"
#include "tests/engine/games/mall-world/mall_world_position.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("mall-world"));
    return sodium_init() < 0;
}

/* All orders in which the bidders of `left` can bid lead to the bytes of `expected`. */
static void check_arrivals(const struct mall_world_state *state, uint32_t left,
                           const char *const bids[static SEATS_MAX],
                           const struct mall_world_state *expected)
{
    struct chance chance = {.stacks = NULL};
    struct mall_world_state waiting[SEATS_MAX + 1];
    uint32_t to_try[SEATS_MAX + 1];
    unsigned depth = 0;
    waiting[0] = *state;
    to_try[0] = left;
    for (;;) {
        if (to_try[depth] == 0) {
            if (depth == 0)
                return;
            depth--;
            continue;
        }
        unsigned seat = (unsigned)__builtin_ctz(to_try[depth]);
        struct mall_world_state next = waiting[depth];
        struct refusal refusal;
        to_try[depth] &= to_try[depth] - 1;
        assert_true(game->play(game, &next, seat, span_of(bids[seat]), &chance, &refusal));
        if (next.point != AT_BID) {
            assert_memory_equal(&next, expected, sizeof next);
            continue;
        }
        assert_int_equal(game->deciders(&next), game->deciders(&waiting[depth]) & ~(1u << seat));
        depth++;
        waiting[depth] = next;
        to_try[depth] = game->deciders(&next);
    }
}

TEST(test_the_order_of_bids_leaves_no_trace)
{
    static const char *const bids[][SEATS_MAX] = {
        {"bid 1", "bid 3", "bid 2", "bid 3", "bid 0"},
        {"bid 0", "bid 0", "bid 0", "bid 0", "bid 0"},
        {"bid 5", "bid 5", "bid 5", "bid 5", "bid 5"},
        {"bid 2", "bid 0", "bid 4", "bid 1", "bid 4"},
    };
    static const char *const offers[] = {
        "1> offer clothing-clothing food-food hobby-hobby",
        "1> offer food-food hobby-hobby",
    };
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        for (size_t i = 0; i < sizeof bids / sizeof bids[0]; i++) {
            for (size_t j = 0; j < 2; j++) {
                struct mall_world_state state;
                struct chance chance = {.stacks = NULL};
                char position[400] = "seats 3\nat PROGRESS\nround 2\nactive 1\n"
                                     "tiles c2=clothing f2=sports c5=hobby f5=food\nlobby "
                                     "use-food-hobby\nbureau 4000\n"
                                     "hand 1 clothing-clothing food-food hobby-hobby\n";
                position[6] = (char)('0' + seats);
                LOAD_POSITION(game, &state, position);
                play_all(&state, offers[j]);
                struct mall_world_state in_seat_order = state;
                for (unsigned seat = 0; seat < seats; seat++) {
                    struct refusal refusal;
                    if (game_decides(game, &in_seat_order, seat) && in_seat_order.point == AT_BID)
                        assert_true(game->play(game, &in_seat_order, seat, span_of(bids[i][seat]),
                                               &chance, &refusal));
                }
                assert_int_equal(in_seat_order.point, AT_REALIZE);
                check_arrivals(&state, game->deciders(&state), bids[i], &in_seat_order);
            }
        }
    }
}

/* Checks the seats with the first two rights for three cards against sorting. */
static void check_ranking(const struct mall_world_state *state, const uint8_t bid[static SEATS_MAX])
{
    unsigned ranked[SEATS_MAX];
    unsigned count = 0;
    unsigned first = state->active + (state->seats == 3 ? 0u : 1u);
    for (unsigned coins = COINS_OF_A_SEAT; coins >= 1; coins--) {
        for (unsigned i = 0; i < state->seats; i++) {
            unsigned seat = (first + i) % state->seats;
            if (bid[seat] == coins && (mall_world_bidders(state) >> seat & 1) != 0)
                ranked[count++] = seat;
        }
    }
    for (unsigned right = 0; right < 3; right++) {
        bool won = right < 2 && right < count;
        assert_int_equal(state->holder[right], won ? ranked[right] : state->active);
        assert_int_equal(state->price[right], won ? bid[ranked[right]] : 0);
        unsigned payee = right == 0 ? state->active : PAYS_SLUSH;
        assert_int_equal(state->payee[right], won ? payee : PAYS_NOBODY);
    }
}

TEST(test_ranking_of_bids)
{
    struct dice dice;
    dice_open(&dice, "bids", 1);
    for (unsigned i = 0; i < 2000; i++) {
        struct mall_world_state state = {.seats = (uint8_t)(3 + i % 3)};
        state.active = (uint8_t)dice_below(&dice, state.seats);
        state.offered = 3;
        for (unsigned seat = 0; seat < state.seats; seat++)
            if ((mall_world_bidders(&state) >> seat & 1) != 0)
                state.bid[seat] = (uint8_t)dice_below(&dice, COINS_OF_A_SEAT + 1);
        uint8_t bid[SEATS_MAX];
        memcpy(bid, state.bid, sizeof bid);
        mall_world_open_bids(&state);
        check_ranking(&state, bid);
    }
}

static bool is_zero(const void *bytes, size_t size)
{
    return sodium_is_zero(bytes, size) == 1;
}

/* A story is told from the notes of the last ply. Where there are any, no bid waits, and those that
 * are still in the state are open: everybody may know them (tests/mutants/views.mjs). */
TEST(test_bids_that_wait_leave_no_note)
{
    const struct game_options options = game_options_initial(game);
    struct move_list list;
    unsigned waiting = 0;
    table_list_init(&list, game);
    for (uint32_t number = 0; number < 40; number++) {
        struct table table;
        struct dice dice;
        struct refusal refusal;
        const struct mall_world_state *state = (const struct mall_world_state *)table.state;
        table_set(&table, game, 3 + number % 2, &options, number);
        dice_open(&dice, "bids", number);
        for (uint32_t deciders; (deciders = game->deciders(table.state)) != 0;) {
            unsigned seat = (unsigned)__builtin_ctz(deciders);
            table_legal(game, table.state, seat, &list);
            struct span move = move_list_get(&list, dice_below(&dice, list.count));
            assert_true(game->play(game, table.state, seat, move, &table.chance, &refusal));
            bool waits = state->point == AT_BID &&
                         (state->bids_in != 0 || !is_zero(state->bid, sizeof state->bid));
            assert_false(waits && state->notes > 0);
            waiting += waits;
        }
    }
    move_list_free(&list);
    assert_true(waiting > 500);
}

int main(void)
{
    game = catalog_newest(span_of("mall-world"));
    return run_all_tests(start_up, NULL);
}
