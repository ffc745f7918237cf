/* The tables that the rules of Mall World use say the same as the published component data, field
 * by field, and the data agree with themselves. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/mall-world/components.h"
#include "tests/engine/support/component_data.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct mall_world_components *set;

FIXTURE(read_components)
{
    return read_components_of("mall-world");
}

static const json_t *items(const char *table, size_t count)
{
    const json_t *list = member(member(data, table), "items");
    assert_int_equal(json_array_size(list), count);
    return list;
}

static struct span text_of(const json_t *value)
{
    assert_true(json_is_string(value));
    return span_of(json_string_value(value));
}

static int number_at(const json_t *list, size_t i)
{
    assert_true(json_is_integer(json_array_get(list, i)));
    return (int)json_integer_value(json_array_get(list, i));
}

TEST(test_identity)
{
    const json_t *box = member(data, "game");
    assert_same(text(box, "slug"), span_of(game->slug));
    assert_same(text(box, "title"), span_of(game->title));
    assert_same(text(box, "ruleset"), span_of(game->version));
    assert_int_equal(number(box, "seats_min"), game->seats_min);
    assert_int_equal(number(box, "seats_max"), game->seats_max);
    const json_t *options = member(box, "options");
    assert_int_equal(json_array_size(options), game->option_count);
    const json_t *opening = json_array_get(options, 0);
    assert_same(text(opening, "name"), span_of(game->options[0].name));
    const json_t *values = member(opening, "values");
    assert_int_equal(json_array_size(values), 2);
    for (size_t i = 0; i < 2; i++)
        assert_same(text_of(json_array_get(values, i)), span_of(game->options[0].values[i]));
    assert_null(game->options[0].values[2]);
    assert_same(text(opening, "default"),
                span_of(game->options[0].values[game->options[0].initial]));
}

TEST(test_uses_and_groups)
{
    const json_t *uses = items("uses", USES);
    for (uint8_t i = 0; i < USES; i++) {
        const json_t *use = json_array_get(uses, i);
        assert_int_equal(number(use, "index"), i);
        assert_same(text(use, "id"), mall_world_uses[i]);
        assert_int_equal(number(use, "tiles"), TILES_OF_A_USE);
        assert_int_equal(mall_world_use_named(mall_world_uses[i]), i);
    }
    const json_t *groups = items("groups", GROUPS);
    for (uint8_t i = 0; i < GROUPS; i++) {
        const json_t *group = json_array_get(groups, i);
        assert_int_equal(number(group, "index"), i);
        assert_same(text(group, "id"), mall_world_groups[i]);
        assert_int_equal(number(group, "chips"), CHIPS_OF_A_GROUP);
        assert_int_equal(mall_world_group_named(mall_world_groups[i]), i);
        /* The i-th group has the colour of the i-th use: cards rely on it. */
        assert_same(text(group, "colour"), text(json_array_get(uses, i), "colour"));
        assert_same(text(group, "use_of_same_colour"), mall_world_uses[i]);
    }
    for (unsigned i = 1; i < GROUPS; i++)
        assert_true(span_compare(mall_world_groups[mall_world_groups_in_byte_order[i - 1]],
                                 mall_world_groups[mall_world_groups_in_byte_order[i]]) < 0);
    assert_int_equal(mall_world_use_named(span_of("purple")), NONE);
    assert_int_equal(mall_world_group_named(span_of("")), NONE);
}

TEST(test_chain_stores)
{
    bool exists[USES][GROUPS] = {{false}};
    const json_t *chains = items("chains", CHAINS);
    for (unsigned i = 0; i < CHAINS; i++) {
        const json_t *chain = json_array_get(chains, i);
        const struct mall_world_chain *table = &set->chains[i];
        assert_int_equal(number(chain, "index"), i);
        assert_same(text(chain, "id"), table->name);
        assert_same(text(chain, "name"), span_of(table->title));
        assert_same(text(chain, "use"), mall_world_uses[table->use]);
        assert_same(text(chain, "group"), mall_world_groups[table->group]);
        exists[table->use][table->group] = true;
    }
    const json_t *nothing = member(member(data, "chains"), "nothing");
    assert_int_equal(json_array_size(nothing), USES * GROUPS - CHAINS);
    for (size_t i = 0; i < json_array_size(nothing); i++) {
        const json_t *pair = json_array_get(nothing, i);
        assert_false(exists[mall_world_use_named(text(pair, "use"))]
                           [mall_world_group_named(text(pair, "group"))]);
    }
}

static void check_builds(const json_t *builds, const struct mall_world_card *card)
{
    size_t count = card->use[0] == card->use[1] ? 1 : 2;
    assert_int_equal(json_array_size(builds), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *build = json_array_get(builds, i);
        assert_same(text(build, "place"), mall_world_uses[card->use[i]]);
        assert_same(text(build, "next_to"), mall_world_uses[card->use[1 - i]]);
    }
}

TEST(test_approval_cards)
{
    unsigned shown[CHAINS] = {0};
    const json_t *cards = items("approval_cards", CARDS);
    for (uint8_t i = 0; i < CARDS; i++) {
        const json_t *card = json_array_get(cards, i);
        const struct mall_world_card *table = &set->cards[i];
        assert_int_equal(number(card, "index"), i);
        assert_same(text(card, "id"), table->name);
        assert_int_equal(number(card, "count"), set->cards[i].count);
        for (size_t j = 0; j < 2; j++)
            assert_same(text_of(json_array_get(member(card, "uses"), j)),
                        mall_world_uses[table->use[j]]);
        check_builds(member(card, "builds"), table);
        const json_t *rents = member(card, "rents");
        assert_int_equal(json_array_size(rents), table->chain_count);
        for (size_t j = 0; j < table->chain_count; j++) {
            assert_same(text_of(json_array_get(rents, j)), set->chains[table->chain[j]].name);
            shown[table->chain[j]]++;
        }
        assert_int_equal(mall_world_card_named(set, table->name), i);
        assert_true(i == 0 || span_compare(set->cards[i - 1].name, table->name) < 0);
    }
    for (unsigned chain = 0; chain < CHAINS; chain++)
        assert_int_equal(shown[chain], 1);
    assert_int_equal(mall_world_card_named(set, span_of("food-clothing")), NONE);
}

static void check_orders(const char *table, const char *pair, unsigned first, unsigned count,
                         enum order_kind kind)
{
    const json_t *orders = items(table, count);
    for (unsigned i = 0; i < count; i++) {
        const json_t *order = json_array_get(orders, i);
        const struct mall_world_order *card = &set->orders[first + i];
        const json_t *counts = member(order, pair);
        assert_int_equal(number(order, "index"), i);
        assert_same(text(order, "id"), card->name);
        assert_int_equal(card->kind, kind);
        bool use = kind == USE_ORDER;
        assert_same(text_of(json_array_get(counts, 0)),
                    use ? mall_world_uses[card->first] : set->chains[card->first].name);
        assert_same(text_of(json_array_get(counts, 1)),
                    use ? mall_world_uses[card->second] : set->chains[card->second].name);
        assert_int_equal(mall_world_order_named(set, card->name), first + i);
    }
}

TEST(test_orders)
{
    check_orders("use_orders", "uses", 0, USE_ORDERS, USE_ORDER);
    check_orders("rent_orders", "chains", RENT_ORDER_FIRST, RENT_ORDERS, RENT_ORDER);
    check_orders("special_orders", "chains", SPECIAL_ORDER_FIRST, SPECIAL_ORDERS, SPECIAL_ORDER);
    const json_t *values = member(data, "order_values");
    assert_int_equal(number(values, "use"), set->order_value[USE_ORDER]);
    assert_int_equal(number(values, "rent"), set->order_value[RENT_ORDER]);
    assert_int_equal(number(values, "special"), set->order_value[SPECIAL_ORDER]);
    for (unsigned i = 1; i < ORDERS; i++)
        assert_true(span_compare(set->orders[set->orders_in_byte_order[i - 1]].name,
                                 set->orders[set->orders_in_byte_order[i]].name) < 0);
    assert_int_equal(mall_world_order_named(set, span_of("use-food-clothing")), NONE);
}

TEST(test_lobby_and_bribes)
{
    const json_t *sites = member(member(data, "lobby"), "sites");
    assert_int_equal(json_array_size(sites), SITES);
    for (unsigned i = 0; i < SITES; i++) {
        assert_int_equal(number(json_array_get(sites, i), "site"), i + 1);
        assert_int_equal(number(json_array_get(sites, i), "price"), set->site_price[i]);
    }
    const json_t *values = member(member(data, "bribe_chips"), "values");
    assert_int_equal(json_array_size(values), BRIBE_CHIPS);
    unsigned chip = 0;
    for (uint8_t bribe = 0; bribe < BRIBES; bribe++) {
        for (unsigned i = 0; i < set->bribe_count[bribe]; i++)
            assert_int_equal(number_at(values, chip++), set->bribe_value[bribe]);
        assert_int_equal(mall_world_bribe_of(set, set->bribe_value[bribe]), bribe);
    }
    assert_int_equal(chip, BRIBE_CHIPS);
    assert_int_equal(mall_world_bribe_of(set, 0), NONE);
    const json_t *rounds = member(member(data, "bribes_per_round"), "rounds");
    assert_int_equal(json_array_size(rounds), SEATS_MAX - SEATS_MIN + 1);
    for (unsigned i = 0; i < json_array_size(rounds); i++) {
        const json_t *row = json_array_get(rounds, i);
        assert_int_equal(number(row, "seats"), SEATS_MIN + i);
        assert_int_equal(json_array_size(member(row, "chips")), ROUNDS);
        for (unsigned round = 0; round < ROUNDS; round++)
            assert_int_equal(number_at(member(row, "chips"), round), set->bribes_laid[i][round]);
    }
}

TEST(test_byte_order_of_bribes)
{
    char before[16] = "";
    for (unsigned i = 0; i < BRIBES; i++) {
        char bytes[16];
        struct text value = TEXT_OVER(bytes);
        text_add_number(&value, set->bribe_value[set->bribes_in_byte_order[i]]);
        assert_true(strcmp(before, bytes) < 0);
        memcpy(before, bytes, sizeof before);
    }
}

TEST(test_setup_numbers)
{
    const json_t *setup = member(data, "setup");
    static const struct {
        const char *key;
        int value;
    } numbers[] = {
        {"account", ACCOUNT_START},
        {"coins_per_seat", COINS_OF_A_SEAT},
        {"coins_in_box", COINS_IN_BOX},
        {"approval_cards_per_seat", DEAL},
        {"special_orders_per_seat", 1},
        {"display", DISPLAY},
        {"hand_limit", HAND_MAX},
        {"max_offer", OFFER_MAX},
        {"max_take", TAKE_MAX},
        {"refresh_cost", REFRESH_COST},
        {"single_card_fee", SINGLE_CARD_FEE},
        {"coin_value", COIN_VALUE},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_int_equal(number(setup, numbers[i].key), numbers[i].value);
    const json_t *removed = member(setup, "order_cards_removed_of_each_kind");
    const json_t *covers = member(member(data, "covers"), "by_seats");
    for (unsigned i = 0; i <= SEATS_MAX - SEATS_MIN; i++) {
        assert_int_equal(number(json_array_get(removed, i), "seats"), SEATS_MIN + i);
        assert_int_equal(number(json_array_get(removed, i), "count"), set->orders_removed[i]);
        assert_int_equal(number(json_array_get(covers, i), "seats"), SEATS_MIN + i);
        assert_int_equal(json_array_size(member(json_array_get(covers, i), "covers")),
                         set->covers[i]);
    }
    const json_t *order = member(setup, "first_tile_order");
    assert_int_equal(json_array_size(order), USES);
    for (unsigned use = 0; use < USES; use++)
        assert_same(text_of(json_array_get(order, use)), mall_world_uses[use]);
}

static rooms rooms_of(const json_t *list)
{
    rooms area = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint8_t square = mall_world_room_named(set, text_of(json_array_get(list, i)));
        assert_int_not_equal(square, NONE);
        area |= mall_world_room(square);
    }
    return area;
}

TEST(test_rooms)
{
    const json_t *board = member(data, "board");
    const json_t *list = member(board, "rooms");
    rooms all = 0;
    unsigned ends = 0;
    assert_int_equal(json_array_size(list), ROOMS);
    assert_int_equal(text(board, "columns").length, COLUMNS);
    assert_int_equal(number(board, "rows"), ROWS);
    for (unsigned i = 0; i < ROOMS; i++) {
        const json_t *room = json_array_get(list, i);
        unsigned square = set->rooms[i].square;
        assert_int_equal(number(room, "index"), i);
        assert_same(text(room, "id"), set->rooms[i].name);
        assert_int_equal(text(room, "column").at[0], 'a' + (int)(square % STRIDE));
        assert_int_equal(number(room, "row"), 1 + square / STRIDE);
        assert_int_equal(mall_world_room_named(set, set->rooms[i].name), square);
        assert_same(mall_world_room_name(set, square), set->rooms[i].name);
        rooms neighbours = mall_world_neighbours(set, mall_world_room(square));
        assert_true(neighbours == rooms_of(member(room, "neighbours")));
        ends += mall_world_room_count(neighbours);
        assert_true(i == 0 || set->rooms[i - 1].square < square);
        all |= mall_world_room(square);
    }
    assert_true(all == set->plan);
    assert_int_equal(ends, 2 * number(board, "edges"));
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            assert_int_equal(text_of(json_array_get(member(board, "plan"), row)).at[column] == '#',
                             set->plan >> (row * STRIDE + column) & 1);
    for (unsigned i = 1; i < ROOMS; i++)
        assert_true(span_compare(mall_world_room_name(set, set->squares_in_byte_order[i - 1]),
                                 mall_world_room_name(set, set->squares_in_byte_order[i])) < 0);
    static const char *const strangers[] = {"", "a", "a1", "e3", "i3", "c0", "c8", "c10", "C1"};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        assert_int_equal(mall_world_room_named(set, span_of(strangers[i])), NONE);
}

TEST(test_trios)
{
    const json_t *list = items("trios", set->trio_count);
    assert_int_equal(number(member(data, "trios"), "count"), set->trio_count);
    unsigned found = 0;
    for (unsigned a = 0; a < ROOMS; a++) {
        for (unsigned b = a + 1; b < ROOMS; b++) {
            for (unsigned c = b + 1; c < ROOMS; c++) {
                if (!mall_world_is_connected(set, mall_world_room(set->rooms[a].square) |
                                                      mall_world_room(set->rooms[b].square) |
                                                      mall_world_room(set->rooms[c].square)))
                    continue;
                const unsigned trio[TRIO] = {a, b, c};
                for (unsigned i = 0; i < TRIO; i++) {
                    assert_int_equal(set->trios[found][i], trio[i]);
                    assert_same(text_of(json_array_get(json_array_get(list, found), i)),
                                set->rooms[trio[i]].name);
                }
                found++;
            }
        }
    }
    assert_int_equal(found, set->trio_count);
}

TEST(test_fixed_opening)
{
    const json_t *opening = member(data, "fixed_opening");
    static const char *const covers[] = {"storage-room", "bathroom"};
    for (unsigned i = 0; i < 2; i++) {
        rooms area = 0;
        for (unsigned j = 0; j < TRIO; j++)
            area |= mall_world_room(set->fixed_cover[i][j]);
        assert_true(area == rooms_of(member(opening, covers[i])));
    }
    const json_t *tiles = member(opening, "tiles");
    assert_int_equal(json_array_size(tiles), USES);
    for (unsigned use = 0; use < USES; use++) {
        const json_t *tile = json_array_get(tiles, use);
        assert_same(text(tile, "use"), mall_world_uses[use]);
        assert_same(text(tile, "room"), mall_world_room_name(set, set->fixed_tile[use]));
    }
}

int main(void)
{
    game = catalog_newest(span_of("mall-world"));
    set = game->set;
    return run_all_tests(read_components, free_components);
}
