/* What is looked at eight bytes at a time says the same as byte by byte, in rows of bytes, in the
 * sets that the map leads to, and in positions of random games. */
#include <sodium.h>
#include <stdlib.h>

#include "engine/game/catalog.h"
#include "engine/games/shinjuku/rules.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

static const struct game *game;
static const struct shinjuku_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("shinjuku"));
    set = game->set;
    return sodium_init() < 0;
}

/* Often 0, 4 or 255, which are looked for. */
static uint8_t any_byte(struct dice *dice)
{
    static const uint8_t often[] = {0, 4, NONE};
    return dice_below(dice, 2) == 0 ? often[dice_below(dice, 3)] : (uint8_t)dice_below(dice, 256);
}

TEST(test_rows_of_bytes)
{
    struct dice dice;
    dice_open(&dice, "bytes", 0);
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t bytes[64];
        const unsigned count = 8 + dice_below(&dice, 57);
        const uint8_t value = any_byte(&dice);
        uint64_t others = 0;
        unsigned sum = 0;
        for (unsigned i = 0; i < count; i++) {
            bytes[i] = any_byte(&dice);
            others |= (uint64_t)(bytes[i] != value) << i;
        }
        assert_true(shinjuku_others(bytes, count, value) == others);
        for (unsigned i = 0; i < 8; i++)
            sum += bytes[i] /= 9;
        assert_int_equal(shinjuku_sum(bytes_eight(bytes)), sum);
        if (others != 0)
            assert_true((others >> shinjuku_first(others)) % 2 == 1 &&
                        others << (63 - shinjuku_first(others)) << 1 == 0);
    }
}

static bool includes(const struct shinjuku_ways *ways, unsigned expansion)
{
    return (ways->word[expansion / 64] >> expansion % 64 & 1) != 0;
}

TEST(test_sets_of_the_map)
{
    for (unsigned i = 0; i < STATIONS; i++) {
        assert_int_equal(set->sakura >> i & 1, set->stations[i].sakura);
        for (unsigned ward = 0; ward < WARDS; ward++)
            assert_int_equal(set->wards[ward].stations >> i & 1, set->stations[i].ward == ward);
    }
    assert_true(set->sakura <= SHINJUKU_STATIONS);
    for (unsigned i = 0; i < EXPANSIONS; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[i];
        assert_int_equal(includes(&set->single, i), expansion->connection[1] == NONE);
        for (unsigned k = 0; k < CONNECTIONS; k++)
            assert_int_equal(includes(&set->over[k], i),
                             expansion->connection[0] == k || expansion->connection[1] == k);
        for (unsigned ward = 0; ward < WARDS; ward++)
            assert_int_equal(includes(&set->paid[ward], i), expansion->wards >> ward & 1);
    }
}

/* The ways to EXPAND, one by one. */
static void check_track(const struct shinjuku_state *state, unsigned seat, uint32_t payable)
{
    struct shinjuku_track track;
    unsigned found = 0;
    shinjuku_find_track(set, state, seat, &track);
    for (unsigned i = 0; i < set->expansion_count; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[i];
        const bool single = expansion->connection[1] == NONE;
        if (state->track_owner[expansion->connection[0]] != NONE ||
            state->track_left[seat] < (single ? 1 : 2))
            continue;
        if (!single && (state->track_owner[expansion->connection[1]] != NONE ||
                        (expansion->wards & payable) == 0))
            continue;
        assert_true(found < track.count);
        assert_int_equal(track.expansion[found++], i);
    }
    assert_int_equal(found, track.count);
}

static void check_seat(const struct shinjuku_state *state, unsigned seat)
{
    uint64_t own = 0;
    uint32_t held = 0;
    uint32_t wild = state->matsuri == NONE ? 0 : UINT32_C(1) << state->matsuri;
    unsigned cards = 0;
    for (unsigned i = 0; i < STATIONS; i++) {
        if (state->store_owner[i] != seat)
            continue;
        own |= UINT64_C(1) << i;
        wild |= UINT32_C(1) << set->stations[i].ward;
    }
    for (unsigned ward = 0; ward < WARDS; ward++) {
        held |= (uint32_t)(state->hand[seat][ward] > 0) << ward;
        cards += state->hand[seat][ward];
    }
    const uint32_t payable =
        (held & wild) != 0 || cards >= CARDS_AS_A_WILDCARD ? SHINJUKU_WARDS : held;
    assert_true(shinjuku_stores_of(state, seat) == own);
    assert_int_equal(shinjuku_hand_wards(state, seat), held);
    assert_int_equal(shinjuku_hand_size(state, seat), cards);
    assert_int_equal(shinjuku_wild_wards(set, state, seat), wild);
    assert_int_equal(shinjuku_payable(set, state, seat), payable);
    check_track(state, seat, payable);
}

static void check_position(const struct shinjuku_state *state)
{
    uint64_t stores = 0;
    uint64_t departments = 0;
    uint32_t crowded = 0;
    for (unsigned i = 0; i < STATIONS; i++) {
        stores |= (uint64_t)(state->store_owner[i] != NONE) << i;
        departments |= (uint64_t)(state->store_sells[i] == DEPARTMENT) << i;
    }
    for (unsigned ward = 0; ward < WARDS; ward++) {
        unsigned customers = 0;
        uint64_t stations = 0;
        for (unsigned kind = 0; kind < KINDS; kind++)
            customers += state->customers[ward][kind];
        for (unsigned i = 0; i < STATIONS; i++)
            stations |= (uint64_t)(set->stations[i].ward == ward) << i;
        assert_int_equal(shinjuku_customers(state->customers[ward]), customers);
        assert_true(shinjuku_stations_in(set, UINT32_C(1) << ward) == stations);
        crowded |= (uint32_t)(customers > 0) << ward;
    }
    assert_true(shinjuku_stores(state) == stores);
    assert_true(shinjuku_departments(state) == departments);
    assert_int_equal(shinjuku_crowded(state), crowded);
    assert_true(shinjuku_stations_in(set, SHINJUKU_WARDS) == SHINJUKU_STATIONS);
    for (unsigned seat = 0; seat < state->seats; seat++)
        check_seat(state, seat);
}

TEST(test_positions)
{
    static struct table table;
    struct move_list list;
    struct dice dice;
    struct refusal refusal;
    table_list_init(&list, game);
    for (unsigned number = 0; number < 6; number++) {
        const struct game_options options = {{number % 2}};
        dice_open(&dice, "positions", number);
        table_set(&table, game, SEATS_MIN + number % 3, &options, number);
        const struct shinjuku_state *state = (const struct shinjuku_state *)(void *)table.state;
        while (game->deciders(state) != 0) {
            check_position(state);
            table_legal(game, state, state->active, &list);
            assert_true(game->play(game, table.state, state->active,
                                   move_list_get(&list, dice_below(&dice, list.count)),
                                   &table.chance, &refusal));
        }
    }
    move_list_free(&list);
}

int main(void)
{
    return run_all_tests(start_up, NULL);
}
