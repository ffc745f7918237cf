/* The tables that the rules of Shinjuku use say the same as the published component data, field by
 * field, and the table of expansions is what the connections allow. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/shinjuku/components.h"
#include "tests/engine/support/component_data.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct shinjuku_components *set;

FIXTURE(read_components)
{
    return read_components_of("shinjuku");
}

TEST(test_identity)
{
    assert_same(text(data, "slug"), span_of(game->slug));
    assert_same(text(data, "title"), span_of(game->title));
    assert_same(text(data, "ruleset"), span_of(game->version));
    assert_int_equal(number(member(data, "seats"), "min"), game->seats_min);
    assert_int_equal(number(member(data, "seats"), "max"), game->seats_max);
    const json_t *options = rows("options");
    assert_int_equal(json_array_size(options), game->option_count);
    const json_t *advanced = json_array_get(options, 0);
    assert_same(text(advanced, "id"), span_of(game->options[0].name));
    assert_string_equal(json_string_value(member(advanced, "type")), "boolean");
    assert_true(json_is_false(member(advanced, "default")));
    assert_string_equal(game->options[0].values[game->options[0].initial], "off");
}

TEST(test_goods)
{
    assert_int_equal(json_array_size(rows("goods")), GOODS);
    for (unsigned i = 0; i < GOODS; i++) {
        const json_t *row = json_array_get(rows("goods"), i);
        assert_int_equal(number(row, "index"), i);
        assert_same(text(row, "id"), set->goods[i]);
        assert_int_equal(shinjuku_good_named(set, set->goods[i]), i);
    }
}

TEST(test_customer_kinds)
{
    unsigned total = 0;
    assert_int_equal(json_array_size(rows("customer_kinds")), KINDS);
    for (unsigned i = 0; i < KINDS; i++) {
        const json_t *row = json_array_get(rows("customer_kinds"), i);
        assert_int_equal(number(row, "index"), i);
        assert_same(text(row, "id"), set->kinds[i].name);
        assert_same(text(row, "good"), set->goods[GOOD_OF(i)]);
        assert_int_equal(number(row, "value"), set->kinds[i].value);
        assert_int_equal(number(row, "count"), set->kinds[i].count);
        assert_int_equal(shinjuku_kind_named(set, set->kinds[i].name), i);
        total += set->kinds[i].count;
    }
    assert_int_equal(total, CUSTOMERS);
}

static void assert_neighbours(const json_t *names, const struct shinjuku_ward *ward)
{
    assert_int_equal(json_array_size(names), ward->neighbour_count);
    for (unsigned i = 0; i < ward->neighbour_count; i++) {
        struct span name = span_of(json_string_value(json_array_get(names, i)));
        assert_same(name, set->wards[ward->neighbour[i]].name);
    }
}

static void assert_stations(const json_t *names, unsigned ward)
{
    unsigned count = 0;
    for (unsigned i = 0; i < STATIONS; i++)
        count += set->stations[i].ward == ward;
    assert_int_equal(json_array_size(names), count);
    for (unsigned i = 0; i < count; i++) {
        struct span name = span_of(json_string_value(json_array_get(names, i)));
        uint8_t station = shinjuku_station_named(set, name);
        assert_int_not_equal(station, NONE);
        assert_int_equal(set->stations[station].ward, ward);
    }
}

TEST(test_wards)
{
    unsigned total = 0;
    assert_int_equal(json_array_size(rows("wards")), WARDS);
    for (unsigned i = 0; i < WARDS; i++) {
        const json_t *row = json_array_get(rows("wards"), i);
        const struct shinjuku_ward *ward = &set->wards[i];
        assert_int_equal(number(row, "index"), i);
        assert_int_equal(number(row, "number"), i + 1);
        assert_same(text(row, "id"), ward->name);
        assert_same(text(row, "name"), span_of(ward->title));
        assert_int_equal(number(row, "cards"), ward->cards);
        assert_neighbours(member(row, "neighbours"), ward);
        assert_stations(member(row, "stations"), i);
        assert_int_equal(shinjuku_ward_named(set, ward->name), i);
        total += ward->cards;
    }
    assert_int_equal(total, CARDS);
}

static bool are_neighbours(uint8_t a, uint8_t b)
{
    return memchr(set->wards[a].neighbour, b, set->wards[a].neighbour_count) != NULL;
}

TEST(test_ward_adjacency)
{
    size_t sides = 0;
    const json_t *pairs = rows("ward_adjacency");
    for (unsigned i = 0; i < WARDS; i++)
        sides += set->wards[i].neighbour_count;
    assert_int_equal(2 * json_array_size(pairs), sides);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        uint8_t a = shinjuku_ward_named(set, span_of(json_string_value(json_array_get(pair, 0))));
        uint8_t b = shinjuku_ward_named(set, span_of(json_string_value(json_array_get(pair, 1))));
        assert_true(a < WARDS && b < WARDS && a != b);
        assert_true(are_neighbours(a, b) && are_neighbours(b, a));
    }
}

TEST(test_stations)
{
    assert_int_equal(json_array_size(rows("stations")), STATIONS);
    for (unsigned i = 0; i < STATIONS; i++) {
        const json_t *row = json_array_get(rows("stations"), i);
        uint8_t index = shinjuku_station_named(set, text(row, "id"));
        assert_int_not_equal(index, NONE);
        const struct shinjuku_station *station = &set->stations[index];
        assert_same(text(row, "id"), station->name);
        assert_same(text(row, "name"), span_of(station->title));
        assert_same(text(row, "ward"), set->wards[station->ward].name);
        assert_int_equal(json_is_true(member(row, "sakura")), station->sakura);
    }
}

static bool has_link(uint8_t from, uint8_t to, unsigned connection)
{
    const struct shinjuku_station *station = &set->stations[from];
    for (unsigned i = 0; i < station->link_count; i++)
        if (station->link[i].station == to && station->link[i].connection == connection)
            return true;
    return false;
}

static void assert_connection(const json_t *row, unsigned index)
{
    const struct shinjuku_connection *connection = &set->connections[index];
    assert_int_equal(number(row, "index"), index);
    assert_same(text(row, "a"), set->stations[connection->a].name);
    assert_same(text(row, "b"), set->stations[connection->b].name);
    assert_int_equal(json_is_true(member(row, "permanent")), connection->permanent);
    assert_true(has_link(connection->a, connection->b, index));
    assert_true(has_link(connection->b, connection->a, index));
    assert_int_equal(shinjuku_connection_between(set, connection->b, connection->a), index);
    bool link = connection->a == set->link_from && connection->b == set->link_to;
    assert_int_equal(connection->permanent, link);
}

TEST(test_connections)
{
    size_t ends = 0;
    assert_int_equal(json_array_size(rows("connections")), CONNECTIONS);
    for (unsigned i = 0; i < STATIONS; i++)
        ends += set->stations[i].link_count;
    assert_int_equal(ends, 2 * CONNECTIONS);
    for (unsigned i = 0; i < CONNECTIONS; i++)
        assert_connection(json_array_get(rows("connections"), i), i);
    assert_int_equal(shinjuku_connection_between(set, 0, 0), NONE);
}

TEST(test_numbers)
{
    const json_t *supply = member(data, "seat_supply");
    assert_int_equal(number(supply, "department_stores"), DEPARTMENT_STORES);
    assert_int_equal(number(supply, "specialty_stores_per_good"), STORES_OF_A_GOOD);
    assert_int_equal(number(supply, "track"), TRACK);
    const json_t *setup = member(data, "setup");
    assert_int_equal(number(setup, "hand"), DEAL);
    assert_int_equal(number(setup, "seed_wards"), SEED_WARDS);
    assert_int_equal(number(setup, "seed_customers_per_ward"), SEED_CUSTOMERS);
    assert_int_equal(number(setup, "queue_slots"), QUEUE_SPACES);
    assert_int_equal(number(setup, "queue_customers"), QUEUE_CUSTOMERS);
    const json_t *limits = member(data, "limits");
    assert_int_equal(number(limits, "income_target"), INCOME_HAND);
    assert_int_equal(number(limits, "income_extra"), INCOME_EXTRA);
    assert_int_equal(number(limits, "actions_per_turn"), ACTIONS_OF_A_TURN);
    assert_int_equal(number(limits, "wild_cards"), CARDS_AS_A_WILDCARD);
    assert_int_equal(number(limits, "hand_max"), HAND_MAX);
}

TEST(test_bonus_and_points)
{
    assert_int_equal(json_array_size(rows("upgrade_bonus")), BONUS_STACKS);
    for (unsigned i = 0; i < BONUS_STACKS; i++) {
        const json_t *row = json_array_get(rows("upgrade_bonus"), i);
        assert_int_equal(number(row, "order"), i + 1);
        assert_int_equal(number(row, "queue_size"), QUEUE_CUSTOMERS + i + 1);
        assert_int_equal(number(row, "tokens"), set->bonus_stacks[i]);
    }
    const json_t *points = member(member(data, "scoring"), "set_points");
    assert_int_equal(json_object_size(points), GOODS);
    for (unsigned goods = 1; goods <= GOODS; goods++) {
        const char size[] = {(char)('0' + goods), '\0'};
        assert_int_equal(number(points, size), set->set_points[goods]);
    }
    assert_int_equal(set->set_points[0], 0);
}

TEST(test_byte_orders)
{
    for (unsigned i = 1; i < WARDS; i++)
        assert_ascending(set->wards[set->wards_in_byte_order[i - 1]].name,
                         set->wards[set->wards_in_byte_order[i]].name);
    for (unsigned i = 1; i < STATIONS; i++)
        assert_ascending(set->stations[i - 1].name, set->stations[i].name);
    for (unsigned i = 1; i < GOODS; i++)
        assert_ascending(set->goods[set->goods_in_byte_order[i - 1]],
                         set->goods[set->goods_in_byte_order[i]]);
    for (unsigned i = 1; i < KINDS; i++)
        assert_ascending(set->kinds[set->kinds_in_byte_order[i - 1]].name,
                         set->kinds[set->kinds_in_byte_order[i]].name);
    for (unsigned i = 0; i < STATIONS; i++)
        for (unsigned j = 1; j < set->stations[i].link_count; j++)
            assert_true(set->stations[i].link[j - 1].station < set->stations[i].link[j].station);
}

TEST(test_homonyms)
{
    size_t found = 0;
    for (unsigned i = 0; i < STATIONS; i++)
        found += shinjuku_ward_named(set, set->stations[i].name) != NONE;
    assert_int_equal(found, json_array_size(rows("homonyms")));
    for (size_t i = 0; i < found; i++) {
        const json_t *row = json_array_get(rows("homonyms"), i);
        uint8_t station = shinjuku_station_named(set, text(row, "id"));
        assert_int_not_equal(station, NONE);
        assert_int_equal(set->stations[station].ward,
                         shinjuku_ward_named(set, text(row, "station_in_ward")));
    }
}

/* The table holds the EXPAND along these stations once, with these connections. */
static void assert_expansion(const uint8_t *station, unsigned stations, uint8_t first,
                             uint8_t second)
{
    char bytes[80];
    struct text move = TEXT_OVER(bytes);
    uint32_t wards = 0;
    text_add(&move, "expand");
    for (unsigned i = 0; i < stations; i++) {
        text_add_char(&move, ' ');
        text_add_span(&move, set->stations[station[i]].name);
        wards |= UINT32_C(1) << set->stations[station[i]].ward;
    }
    unsigned found = 0;
    for (unsigned i = 0; i < EXPANSIONS; i++) {
        const struct shinjuku_expansion *expansion = &set->expansions[i];
        if (!span_equal(expansion->move, text_span(&move)))
            continue;
        found++;
        for (unsigned k = 0; k < EXPANSION_STATIONS; k++)
            assert_int_equal(expansion->way[k], station[k < stations ? k : stations - 1]);
        assert_int_equal(expansion->connection[0], first);
        assert_int_equal(expansion->connection[1], second);
        assert_int_equal(expansion->wards, second == NONE ? 0 : wards);
    }
    if (found != 1)
        fail_msg("`%s` stands %u times in the table", bytes, found);
}

static unsigned check_pairs_through(uint8_t middle)
{
    const struct shinjuku_station *station = &set->stations[middle];
    unsigned count = 0;
    for (unsigned i = 0; i < station->link_count; i++) {
        for (unsigned j = i + 1; j < station->link_count; j++) {
            struct shinjuku_link a = station->link[i];
            struct shinjuku_link b = station->link[j];
            if (set->connections[a.connection].permanent ||
                set->connections[b.connection].permanent)
                continue;
            uint8_t way[] = {a.station, middle, b.station};
            assert_expansion(way, 3, a.connection, b.connection);
            count++;
        }
    }
    return count;
}

static unsigned check_pairs_through_the_permanent_connection(void)
{
    const struct shinjuku_station *from = &set->stations[set->link_from];
    const struct shinjuku_station *to = &set->stations[set->link_to];
    unsigned count = 0;
    for (unsigned i = 0; i < from->link_count; i++) {
        for (unsigned j = 0; j < to->link_count; j++) {
            struct shinjuku_link a = from->link[i];
            struct shinjuku_link b = to->link[j];
            if (a.station == set->link_to || b.station == set->link_from)
                continue;
            uint8_t way[] = {a.station, set->link_from, set->link_to, b.station};
            assert_expansion(way, 4, a.connection, b.connection);
            count++;
        }
    }
    return count;
}

TEST(test_expansions)
{
    unsigned count = 0;
    for (uint8_t i = 0; i < CONNECTIONS; i++) {
        if (set->connections[i].permanent)
            continue;
        uint8_t ends[] = {set->connections[i].a, set->connections[i].b};
        assert_expansion(ends, 2, i, NONE);
        count++;
    }
    for (uint8_t middle = 0; middle < STATIONS; middle++)
        count += check_pairs_through(middle);
    count += check_pairs_through_the_permanent_connection();
    assert_int_equal(count, EXPANSIONS);
    for (unsigned i = 1; i < EXPANSIONS; i++)
        assert_ascending(set->expansions[i - 1].move, set->expansions[i].move);
}

int main(void)
{
    game = catalog_newest(span_of("shinjuku"));
    set = game->set;
    return run_all_tests(read_components, free_components);
}
