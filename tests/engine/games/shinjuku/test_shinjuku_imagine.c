/* What is remembered of hands in Shinjuku, and that all deals which agree with it are equally
 * likely. */
#include <stdio.h>

#include "engine/game/catalog.h"
#include "engine/games/shinjuku/recall.h"
#include "engine/games/shinjuku/rules.h"
#include "tests/engine/games/shinjuku/shinjuku_wards.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/engine/support/spread.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct shinjuku_components *set;

static const struct viewer seat_0 = {VIEWER_SEAT, 0};
static const struct viewer spectator = {VIEWER_SPECTATOR, 0};

static void set_deck(struct shinjuku_state *state, const uint8_t *cards, uint8_t count)
{
    memset(state->deck, 0, sizeof state->deck);
    state->deck_next = 2;
    state->deck_end = (uint8_t)(2 + count);
    memcpy(state->deck + 2, cards, count);
}

/* Three seats with nothing in hand, an empty bag and nothing told. */
static void set_table(struct shinjuku_state *state)
{
    struct game_options options = {{0}};
    struct chance chance = chance_of(1);
    memset(state, 0, sizeof *state);
    shinjuku_setup(game, state, 3, &options, &chance);
    memset(state->hand, 0, sizeof state->hand);
    memset(state->known, 0, sizeof state->known);
    state->bag_next = state->bag_end;
    state->deck_words = 0;
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}

/* Seat 1 holds an open card of Minato and two unseen ones, seat 2 an unseen one. */
static void hold_unseen(struct shinjuku_state *state, const uint8_t cards[static 6])
{
    memset(state->hand, 0, sizeof state->hand);
    state->known[1][WARD_MINATO] = 1;
    state->hand[0][WARD_CHIYODA] = 2;
    state->hand[1][WARD_MINATO] = 1;
    state->hand[1][cards[0]]++;
    state->hand[1][cards[1]]++;
    state->hand[2][cards[2]]++;
    set_deck(state, cards + 3, 3);
}

TEST(test_one_pile)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t cards[6] = {WARD_CHUO, WARD_CHUO, WARD_OTA, WARD_OTA, WARD_KOTO, WARD_MINATO};
    uint8_t turns[6] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        hold_unseen(&state, cards);
        spread_add(&spread, &state);
    } while (spread_permute(cards, turns, 6));
    spread_try(&spread, &state, seat_0);
}

/* Spectators do not see the hand of seat 0 either. */
TEST(test_one_pile_for_spectators)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t cards[5] = {WARD_CHUO, WARD_OTA, WARD_OTA, WARD_KOTO, WARD_MINATO};
    uint8_t turns[5] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        memset(state.hand, 0, sizeof state.hand);
        state.hand[0][cards[0]]++;
        state.hand[0][cards[1]]++;
        state.hand[2][cards[2]]++;
        set_deck(&state, cards + 3, 2);
        spread_add(&spread, &state);
    } while (spread_permute(cards, turns, 5));
    spread_try(&spread, &state, spectator);
}

/* Seat 1 has drawn a card before the last shuffle and one after, seat 2 two and none. */
static void hold_older(struct shinjuku_state *state, const uint8_t old[static 3],
                       const uint8_t young[static 3])
{
    memset(state->hand, 0, sizeof state->hand);
    memset(state->older, 0, sizeof state->older);
    state->older[1][old[0]]++;
    state->older[2][old[1]]++;
    state->older[2][old[2]]++;
    memcpy(state->hand, state->older, sizeof state->hand);
    state->hand[1][young[0]]++;
    set_deck(state, young + 1, 2);
}

TEST(test_two_piles)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t old[3] = {WARD_CHUO, WARD_KOTO, WARD_OTA};
    uint8_t young[3] = {WARD_OTA, WARD_KOTO, WARD_TAITO};
    uint8_t turns[3] = {0};
    set_table(&state);
    spread_open(&spread, game);
    do {
        uint8_t inner[3] = {0};
        do {
            hold_older(&state, old, young);
            spread_add(&spread, &state);
        } while (spread_permute(young, inner, 3));
    } while (spread_permute(old, turns, 3));
    spread_try(&spread, &state, seat_0);
}

/* A viewer who cannot tell older cards from later ones takes all as one. */
TEST(test_blurred)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t cards[6] = {WARD_CHUO, WARD_KOTO, WARD_OTA, WARD_OTA, WARD_KOTO, WARD_TAITO};
    uint8_t turns[6] = {0};
    set_table(&state);
    spread_open(&spread, game);
    state.blurred = UINT8_MAX;
    do {
        hold_older(&state, cards, cards + 3);
        memset(state.older, 0, sizeof state.older);
        spread_add(&spread, &state);
    } while (spread_permute(cards, turns, 6));
    hold_older(&state, cards, cards + 3);
    state.blurred = 1;
    spread_try(&spread, &state, seat_0);
}

/* A seat that has named an action holds the cards that pay for it. */
TEST(test_payment)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t cards[5] = {WARD_MINATO, WARD_CHUO, WARD_OTA, WARD_OTA, WARD_KOTO};
    uint8_t turns[5] = {0};
    set_table(&state);
    state.matsuri = NONE;
    state.active = 1;
    state.point = AT_PAY;
    state.action = OPEN;
    state.stations = 1;
    state.detail = FOOD;
    state.station[0] = shinjuku_station_named(set, span_of("shimbashi"));
    assert_int_equal(set->stations[state.station[0]].ward, WARD_MINATO);
    spread_open(&spread, game);
    do {
        memset(state.hand, 0, sizeof state.hand);
        state.hand[1][cards[0]]++;
        state.hand[1][cards[1]]++;
        set_deck(&state, cards + 2, 3);
        if (state.hand[1][WARD_MINATO] > 0)
            spread_add(&spread, &state);
    } while (spread_permute(cards, turns, 5));
    set_deck(&state, (uint8_t[]){WARD_OTA, WARD_CHUO, WARD_KOTO}, 3);
    memset(state.hand[1], 0, WARDS);
    state.hand[1][WARD_MINATO] = 1;
    state.hand[1][WARD_OTA] = 1;
    spread_try(&spread, &state, seat_0);
}

TEST(test_bag)
{
    struct shinjuku_state state;
    struct spread spread;
    uint8_t kinds[4] = {0, 0, 3, 7};
    uint8_t turns[4] = {0};
    set_table(&state);
    set_deck(&state, turns, 0);
    state.bag_next = (uint8_t)(state.bag_end - 4);
    spread_open(&spread, game);
    do {
        memcpy(state.bag + state.bag_next, kinds, 4);
        spread_add(&spread, &state);
    } while (spread_permute(kinds, turns, 4));
    spread_try(&spread, &state, spectator);
}

/* ---- What is remembered ---- */

TEST(test_payments_are_remembered)
{
    struct shinjuku_state state;
    uint8_t old[3] = {WARD_CHUO, WARD_CHUO, WARD_OTA};
    uint8_t young[3] = {WARD_CHUO, WARD_KOTO, WARD_TAITO};
    set_table(&state);
    hold_older(&state, old, young);
    state.active = 1;
    state.known[1][WARD_CHUO] = 1;
    state.hand[1][WARD_CHUO]++;
    shinjuku_recall_paid(&state, WARD_CHUO); /* the known one */
    assert_int_equal(state.known[1][WARD_CHUO], 0);
    assert_int_equal(state.blurred, 0);
    state.hand[1][WARD_CHUO]--;
    struct shinjuku_state other = state;
    other.hand[1][WARD_CHUO] = 0; /* no other card of Chuo is unseen and later */
    other.hand[1][WARD_KOTO] = 1;
    other.older[1][WARD_CHUO] = 0;
    other.older[1][WARD_OTA] = 1;
    other.hand[1][WARD_OTA] = 1;
    shinjuku_recall_paid(&other, WARD_OTA);
    assert_int_equal(other.blurred, 0);
    assert_int_equal(other.older[1][WARD_OTA], 0);
    shinjuku_recall_paid(&state, WARD_CHUO); /* an older one, or a later one? */
    assert_int_equal(state.older[1][WARD_CHUO], 0);
    assert_int_equal(state.blurred, 1u << 0 | 1u << SEATS_MAX); /* seat 2 has the other ones */
    shinjuku_recall_shuffled(&state);
    assert_int_equal(state.blurred, 0);
}

/* Counts, by what a spectator is told, the cards that everybody saw go into hands. */
static void watch(uint8_t known[SEATS_MAX][WARDS], json_t *events)
{
    json_t *event;
    json_t *card;
    size_t i;
    size_t j;
    json_array_foreach(events, i, event)
    {
        unsigned seat = (unsigned)json_integer_value(json_object_get(event, "seat"));
        const char *kind = json_string_value(json_object_get(event, "kind"));
        if (strcmp(kind, "queue_card_taken") == 0 && json_is_true(json_object_get(event, "kept")))
            known[seat][shinjuku_ward_named(
                set, span_of(json_string_value(json_object_get(event, "card"))))]++;
        if (strcmp(kind, "paid") != 0)
            continue;
        json_array_foreach(json_object_get(event, "cards"), j, card)
        {
            uint8_t *held =
                &known[seat][shinjuku_ward_named(set, span_of(json_string_value(card)))];
            *held = (uint8_t)(*held > 0 ? *held - 1 : 0);
        }
    }
}

TEST(test_watching_a_game)
{
    struct game_options options = {{0}};
    struct table table;
    struct move_list list;
    struct dice dice;
    size_t shuffles = 0;
    table_list_init(&list, game);
    dice_open(&dice, "watch", 1);
    for (uint32_t number = 0; number < 6; number++) {
        uint8_t known[SEATS_MAX][WARDS] = {{0}};
        table_set(&table, game, 2 + number % 3, &options, number);
        const struct shinjuku_state *state = (const void *)table.state;
        memcpy(known, state->known, sizeof known); /* the first turn has begun */
        for (uint32_t deciders; (deciders = game->deciders(state)) != 0;) {
            unsigned char before[GAME_STATE_MAX];
            struct refusal refusal;
            unsigned seat = state->active;
            memcpy(before, table.state, game->state_size);
            uint32_t shuffled = state->deck_shuffles;
            table_legal(game, state, seat, &list);
            struct ply ply = {seat, move_list_get(&list, dice_below(&dice, list.count))};
            assert_true(game->play(game, table.state, seat, ply.move, &table.chance, &refusal));
            json_t *events = game->events(game, before, table.state, &ply, spectator);
            watch(known, events);
            json_decref(events);
            assert_memory_equal(known, state->known, sizeof known);
            shuffles += state->deck_shuffles - shuffled;
            for (unsigned holder = 0; holder < state->seats; holder++)
                for (unsigned ward = 0; ward < WARDS; ward++)
                    assert_true(state->known[holder][ward] + state->older[holder][ward] <=
                                state->hand[holder][ward]);
        }
    }
    assert_true(shuffles > 3);
    move_list_free(&list);
}

int main(void)
{
    game = catalog_newest(span_of("shinjuku"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
