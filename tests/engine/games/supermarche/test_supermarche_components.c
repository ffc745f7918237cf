/* The tables that the rules of Supermarché use say the same as the published component data, field
 * by field, and the data hold together: each card covers each total once, each chart number stands
 * twice. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/components.h"
#include "tests/engine/support/component_data.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct supermarche_components *set;

FIXTURE(read_components)
{
    return read_components_of("supermarche");
}

/* The number, or what stands for null. */
static int number_or(const json_t *object, const char *key, int missing)
{
    return json_is_null(member(object, key)) ? missing : number(object, key);
}

static void assert_name(const json_t *row, struct span name)
{
    assert_string_equal(text(row, "id").at, name.at);
    assert_int_equal(strlen(name.at), name.length);
}

TEST(test_identity)
{
    const json_t *identity = member(data, "game");
    assert_string_equal(text(identity, "slug").at, game->slug);
    assert_string_equal(text(identity, "title").at, game->title);
    assert_string_equal(text(identity, "ruleset_version").at, game->version);
    assert_int_equal(number(identity, "seats_min"), game->seats_min);
    assert_int_equal(number(identity, "seats_max"), game->seats_max);
    assert_int_equal(number(identity, "rounds"), ROUNDS);
}

TEST(test_options)
{
    assert_int_equal(json_array_size(rows("options")), game->option_count);
    const json_t *row = json_array_get(rows("options"), 0);
    const struct game_option *option = &game->options[0];
    const json_t *values = member(row, "values");
    assert_string_equal(text(row, "id").at, option->name);
    assert_string_equal(text(row, "default").at, option->values[option->initial]);
    assert_int_equal(json_array_size(values), DIFFICULTIES);
    for (unsigned i = 0; i < DIFFICULTIES; i++) {
        const json_t *value = json_array_get(values, i);
        assert_string_equal(text(value, "id").at, option->values[i]);
        assert_string_equal(text(value, "id").at, set->difficulties[i].name);
        assert_int_equal(number(value, "start_money"), set->difficulties[i].money);
    }
    assert_null(option->values[DIFFICULTIES]);
}

TEST(test_limits)
{
    const json_t *limits = member(data, "limits");
    assert_int_equal(number(limits, "stock_room_max"), STOCK_ROOM_MAX);
    assert_int_equal(number(limits, "store_max"), STORE_MAX);
    assert_int_equal(number(limits, "cubes_per_food"), CUBES);
    assert_int_equal(number(limits, "customers_per_round"), ROW);
    assert_int_equal(number(limits, "face_up_at_deal"), FACE_UP);
    assert_int_equal(number(limits, "coupon_discount"), COUPON_DISCOUNT);
    assert_int_equal(number(limits, "waste_fee_per_cube"), WASTE_FEE);
    assert_int_equal(number(limits, "sales_required"), SALES_REQUIRED);
    /* These four are built into the course of a round. */
    assert_int_equal(number(limits, "sales_per_round_max"), 1);
    assert_int_equal(number(limits, "sales_per_food_max"), 1);
    assert_int_equal(number(limits, "restocks_per_round_max"), 1);
    assert_int_equal(number(limits, "money_loss_below"), 0);
}

static int expiry(const json_t *row)
{
    if (strcmp(text(row, "kind").at, "every-round") == 0)
        return 0;
    return strcmp(text(row, "kind").at, "never") == 0 ? NONE : number(row, "round");
}

TEST(test_boxes)
{
    assert_int_equal(json_array_size(rows("boxes")), BOXES);
    for (unsigned i = 0; i < BOXES; i++) {
        const json_t *row = json_array_get(rows("boxes"), i);
        assert_name(row, set->boxes[i].name);
        assert_string_equal(text(row, "label").at, set->boxes[i].title);
        assert_int_equal(expiry(row), set->boxes[i].expires);
        assert_int_equal(supermarche_box_named(set, set->boxes[i].name), i);
    }
}

static uint8_t box_of(const json_t *name)
{
    uint8_t box = supermarche_box_named(set, span_of(json_string_value(name)));
    assert_int_not_equal(box, NONE);
    return box;
}

static void assert_store_boxes(const json_t *names, uint8_t boxes)
{
    unsigned bits = 0;
    for (size_t i = 0; i < json_array_size(names); i++)
        bits |= 1u << box_of(json_array_get(names, i));
    assert_int_equal(bits, boxes);
}

static void assert_purchase_boxes(unsigned index)
{
    const struct supermarche_food *food = &set->foods[index];
    const json_t *row = json_array_get(rows("purchase_box"), index);
    const json_t *by_round = member(row, "by_round");
    assert_string_equal(text(row, "food").at, food->name.at);
    assert_int_equal(json_object_size(by_round), ROUNDS);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        const char key[] = {(char)('0' + round), '\0'};
        uint8_t box = box_of(member(by_round, key));
        assert_int_equal(box, food->purchase_box[round - 1]);
        assert_true((food->store_boxes >> box & 1) != 0);
        /* Shelf life, the round of purchase included; what outlasts round 6 never expires. */
        unsigned last = round + food->lasts - 1;
        unsigned expires = food->lasts == 0 || last > ROUNDS ? NONE : food->lasts == 1 ? 0 : last;
        assert_int_equal(set->boxes[box].expires, expires);
    }
}

TEST(test_foods)
{
    assert_int_equal(json_array_size(rows("foods")), FOODS);
    assert_int_equal(json_array_size(rows("purchase_box")), FOODS);
    assert_int_equal(json_array_size(rows("initial_store")), FOODS);
    for (unsigned i = 0; i < FOODS; i++) {
        const struct supermarche_food *food = &set->foods[i];
        const json_t *row = json_array_get(rows("foods"), i);
        assert_name(row, food->name);
        assert_string_equal(text(row, "name").at, food->title);
        assert_int_equal(number(row, "price"), food->price);
        assert_int_equal(number(row, "sale_price"), food->sale_price);
        assert_int_equal(number_or(row, "shelf_life_rounds", 0), food->lasts);
        assert_store_boxes(member(row, "store_boxes"), food->store_boxes);
        assert_purchase_boxes(i);
        const json_t *initial = json_array_get(rows("initial_store"), i);
        assert_string_equal(text(initial, "food").at, food->name.at);
        assert_int_equal(box_of(member(initial, "box")), food->initial_box);
        assert_int_equal(number(initial, "cubes"), food->initial_cubes);
        assert_int_equal(supermarche_food_named(set, food->name), i);
    }
}

TEST(test_cost_cards)
{
    assert_int_equal(json_array_size(rows("cost_cards")), COST_CARDS);
    for (unsigned i = 0; i < COST_CARDS; i++) {
        const json_t *row = json_array_get(rows("cost_cards"), i);
        const json_t *costs = member(row, "costs");
        assert_name(row, set->cost_cards[i].name);
        assert_int_equal(json_object_size(costs), FOODS);
        for (unsigned food = 0; food < FOODS; food++)
            assert_int_equal(number(costs, set->foods[food].name.at),
                             set->cost_cards[i].cost[food]);
        assert_int_equal(names_find(NAMES(set->cost_cards, COST_CARDS), set->cost_cards[i].name),
                         i);
    }
}

TEST(test_chart)
{
    unsigned seen[DICE_MAX + 1] = {0};
    assert_int_equal(json_array_size(rows("coupon_chart")), DICE_MAX - 1);
    for (unsigned total = 2; total <= DICE_MAX; total++) {
        const json_t *row = json_array_get(rows("coupon_chart"), total - 2);
        const json_t *numbers = member(row, "numbers");
        assert_int_equal(number(row, "total"), total);
        assert_int_equal(json_array_size(numbers), COUPON_ITEMS);
        for (unsigned i = 0; i < COUPON_ITEMS; i++) {
            assert_int_equal(json_integer_value(json_array_get(numbers, i)), set->chart[total][i]);
            seen[set->chart[total][i]]++;
        }
    }
    for (unsigned total = 2; total <= DICE_MAX; total++)
        assert_int_equal(seen[total], 2);
}

static void assert_ranges(const json_t *ranges, const struct supermarche_customer *customer)
{
    int next = 2;
    for (size_t i = 0; i < json_array_size(ranges); i++) {
        const json_t *range = json_array_get(ranges, i);
        assert_int_equal(number(range, "from"), next);
        uint8_t food = supermarche_food_named(set, span_of(text(range, "food").at));
        for (; next <= number(range, "to"); next++)
            assert_int_equal(customer->want[next], food);
    }
    assert_int_equal(next, DICE_MAX + 1);
}

/* Counts the rolls of two dice. */
static void assert_rolls(const struct supermarche_customer *customer)
{
    unsigned rolls[FOODS] = {0};
    for (unsigned roll = 0; roll < 36; roll++)
        rolls[customer->want[2 + roll % 6 + roll / 6]]++;
    for (unsigned food = 0; food < FOODS; food++)
        assert_int_equal(customer->rolls[food], rolls[food]);
}

TEST(test_customers)
{
    unsigned cart = 0;
    unsigned coupons = 0;
    unsigned penalty = 0;
    unsigned bonus = 0;
    unsigned carts[FOODS] = {0};
    assert_int_equal(json_array_size(rows("customers")), CUSTOMERS);
    for (unsigned i = 0; i < CUSTOMERS; i++) {
        const struct supermarche_customer *customer = &set->customers[i];
        const json_t *row = json_array_get(rows("customers"), i);
        assert_name(row, customer->name);
        assert_int_equal(number(row, "number"), i + 1);
        assert_string_equal(text(row, "name").at, customer->title);
        assert_int_equal(number(row, "cart"), customer->cart);
        assert_int_equal(number(row, "coupons"), customer->coupons);
        assert_int_equal(number(row, "penalty"), customer->penalty);
        assert_int_equal(number(row, "bonus"), customer->bonus);
        assert_ranges(member(row, "ranges"), customer);
        assert_rolls(customer);
        for (unsigned food = 0; food < FOODS; food++)
            carts[food] += customer->rolls[food] * customer->cart;
        assert_int_equal(strncmp(customer->stream, "dice-", 5), 0);
        assert_string_equal(customer->stream + 5, customer->name.at);
        assert_int_equal(supermarche_customer_named(set, customer->name), i);
        assert_true(COUPON_ITEMS * customer->coupons <= customer->cart);
        cart += customer->cart;
        coupons += customer->coupons;
        penalty += customer->penalty;
        bonus += customer->bonus;
    }
    for (unsigned food = 0; food < FOODS; food++)
        assert_int_equal(set->carts[food], carts[food]);
    assert_int_equal(cart, 86);
    assert_int_equal(coupons, 21);
    assert_int_equal(penalty, 201);
    assert_int_equal(bonus, 27);
}

TEST(test_levels)
{
    assert_int_equal(json_array_size(rows("levels")), LEVELS);
    for (unsigned i = 0; i < LEVELS; i++) {
        const struct supermarche_level *level = &set->levels[i];
        const json_t *row = json_array_get(rows("levels"), i);
        assert_name(row, level->name);
        assert_string_equal(text(row, "name").at, level->title);
        assert_int_equal(number_or(row, "min", INT16_MIN), level->least);
        assert_int_equal(number_or(row, "max", INT16_MAX), level->most);
        if (i > 0)
            assert_int_equal(level->least, set->levels[i - 1].most + 1);
    }
}

TEST(test_byte_orders)
{
    for (unsigned i = 1; i < FOODS; i++)
        assert_true(span_compare(set->foods[set->foods_in_byte_order[i - 1]].name,
                                 set->foods[set->foods_in_byte_order[i]].name) < 0);
    for (unsigned i = 1; i < BOXES; i++)
        assert_true(span_compare(set->boxes[set->boxes_in_byte_order[i - 1]].name,
                                 set->boxes[set->boxes_in_byte_order[i]].name) < 0);
}

TEST(test_unknown_names)
{
    assert_int_equal(supermarche_food_named(set, span_of("milk")), NONE);
    assert_int_equal(supermarche_box_named(set, span_of("r1")), NONE);
    assert_int_equal(names_find(NAMES(set->cost_cards, COST_CARDS), span_of("cost-7")), NONE);
    assert_int_equal(supermarche_customer_named(set, span_of("")), NONE);
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    set = game->set;
    return run_all_tests(read_components, free_components);
}
