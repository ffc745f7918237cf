/* Reads a component set: prices, cost cards, customers and levels. The five foods and the boxes of
 * the Stock Room have the same names in every set, because moves stand in their byte order. */
#include "engine/games/supermarche/components.h"

#include <stddef.h>
#include <string.h>

enum {
    NAME_BYTES = 16, /* of a customer: keeps moves within the ruleset's bound */
    PRICE_MAX = 20,
    COST_MAX = 9,
    CART_MAX = 5,
    FEE_MAX = 30, /* penalties and bonuses */
    MONEY_START_MAX = 99,
    MONEY_END_MAX = 9999,
    DICE_MIN = 2
};

/* The word that a row must have, in the order of the rows. */
static struct span fixed_name(struct component_reader *reader, component row, const char *key,
                              const char *name)
{
    if (component_good(reader) && !component_is(reader, row, key, name))
        component_refuse(reader, component_member(reader, row, key), "The name of this row is `",
                         name, "` in every set.", PARTS_END);
    return component_keep(reader, span_of(name));
}

static void read_boxes(struct component_reader *reader, struct supermarche_components *set)
{
    static const char *const names[BOXES] = {"every", "r2", "r3", "r4", "r5", "r6", "never"};
    component rows = component_rows(reader, "boxes", "rows", BOXES, BOXES);
    for (unsigned i = 0; i < BOXES; i++) {
        component row = component_element(reader, rows, i);
        struct supermarche_box *box = &set->boxes[i];
        const bool of_round = i != BOX_EVERY && i != BOX_NEVER;
        box->name = fixed_name(reader, row, "id", names[i]);
        box->title = component_title(reader, row, "label").at;
        (void)fixed_name(reader, row, "kind",
                         of_round         ? "after-round"
                         : i == BOX_EVERY ? "every-round"
                                          : "never");
        box->expires = i == BOX_NEVER ? NONE : i == BOX_EVERY ? 0 : (uint8_t)(i + 1);
        if (of_round)
            component_fixed(reader, row, "round", box->expires);
        else if (component_good(reader) && !component_is_null(reader, row, "round"))
            component_refuse(reader, row, "This box has no round: null.", PARTS_END);
    }
}

/* Rulebook, Expiration Dates: the round of the purchase counts. */
static uint8_t box_of_purchase(const struct supermarche_food *food, unsigned round)
{
    unsigned last = round + food->lasts - 1;
    if (food->lasts == 1)
        return BOX_EVERY;
    return food->lasts == 0 || last > ROUNDS ? BOX_NEVER : (uint8_t)(BOX_R2 + last - 2);
}

static uint8_t box_named(struct component_reader *reader, component at, const char *key,
                         const struct supermarche_components *set)
{
    return component_reference(reader, at, key, NAMES(set->boxes, BOXES), "box");
}

static void read_food(struct component_reader *reader, component row,
                      const struct supermarche_components *set, struct supermarche_food *food)
{
    food->title = component_title(reader, row, "name").at;
    food->price = (uint8_t)component_number(reader, row, "price", 1, PRICE_MAX);
    food->sale_price = (uint8_t)component_number(reader, row, "sale_price", 0, food->price);
    if (!component_is_null(reader, row, "shelf_life_rounds"))
        food->lasts = (uint8_t)component_number(reader, row, "shelf_life_rounds", 1, ROUNDS);
    uint8_t printed = 0;
    component list = component_list(reader, row, "store_boxes", 1, BOXES);
    for (unsigned i = 0; i < component_count(list); i++)
        printed |=
            (uint8_t)(1u << box_named(reader, component_element(reader, list, i), NULL, set));
    for (unsigned round = 1; round <= ROUNDS; round++) {
        food->purchase_box[round - 1] = box_of_purchase(food, round);
        food->store_boxes |= (uint8_t)(1u << food->purchase_box[round - 1] % BOXES);
    }
    if (printed != food->store_boxes)
        component_refuse(reader, list,
                         "The Store has the boxes that this food gets when it is bought in each "
                         "round, no others.",
                         PARTS_END);
}

static void read_foods(struct component_reader *reader, struct supermarche_components *set)
{
    static const char *const names[FOODS] = {"produce", "bakery", "dairy", "dry-goods", "frozen"};
    component rows = component_rows(reader, "foods", "rows", FOODS, FOODS);
    component bought = component_rows(reader, "purchase_box", "rows", FOODS, FOODS);
    component store = component_rows(reader, "initial_store", "rows", FOODS, FOODS);
    unsigned cubes = 0;
    for (unsigned i = 0; i < FOODS && component_good(reader); i++) {
        struct supermarche_food *food = &set->foods[i];
        component row = component_element(reader, rows, i);
        food->name = fixed_name(reader, row, "id", names[i]);
        read_food(reader, row, set, food);
        row = component_element(reader, bought, i);
        (void)fixed_name(reader, row, "food", names[i]);
        component by_round = component_member(reader, row, "by_round");
        for (unsigned round = 1; round <= ROUNDS; round++) {
            const char key[] = {(char)('0' + round), '\0'};
            if (box_named(reader, by_round, key, set) != food->purchase_box[round - 1])
                component_refuse(reader, component_member(reader, by_round, key),
                                 "A cube bought in this round goes to `",
                                 set->boxes[food->purchase_box[round - 1]].name.at, "`.",
                                 PARTS_END);
        }
        row = component_element(reader, store, i);
        (void)fixed_name(reader, row, "food", names[i]);
        food->initial_box = box_named(reader, row, "box", set);
        if (food->initial_box != food->purchase_box[0])
            component_refuse(reader, component_member(reader, row, "box"),
                             "The Store begins with the earliest date, that of round 1.",
                             PARTS_END);
        food->initial_cubes = (uint8_t)component_number(reader, row, "cubes", 0, CUBES);
        cubes += food->initial_cubes;
    }
    if (cubes > STORE_MAX)
        component_refuse(reader, store, "The Store has room for 15 cubes.", PARTS_END);
}

static void read_cost_cards(struct component_reader *reader, struct supermarche_components *set)
{
    component rows = component_rows(reader, "cost_cards", "rows", COST_CARDS, COST_CARDS);
    for (unsigned i = 0; i < COST_CARDS; i++) {
        component row = component_element(reader, rows, i);
        component costs = component_member(reader, row, "costs");
        set->cost_cards[i].name = component_new_name(reader, row, "id", NAMES(set->cost_cards, i));
        for (unsigned food = 0; food < FOODS && component_good(reader); food++)
            set->cost_cards[i].cost[food] =
                (uint8_t)component_number(reader, costs, set->foods[food].name.at, 1, COST_MAX);
    }
}

/* How many of the 36 rolls of two dice have this total. */
static unsigned rolls_of(unsigned total)
{
    return total <= 7 ? total - 1 : 13 - total;
}

/* What the customer wants, by ranges of totals from 2 to 12. */
static void read_ranges(struct component_reader *reader, component row,
                        const struct supermarche_components *set,
                        struct supermarche_customer *customer)
{
    component ranges = component_list(reader, row, "ranges", 1, DICE_MAX - 1);
    int32_t next = DICE_MIN;
    for (unsigned i = 0; i < component_count(ranges) && component_good(reader); i++) {
        component range = component_element(reader, ranges, i);
        component_fixed(reader, range, "from", next);
        int32_t to = component_number(reader, range, "to", next, DICE_MAX);
        uint8_t food = component_reference(reader, range, "food", NAMES(set->foods, FOODS), "food");
        for (; next <= to; next++) {
            customer->want[next] = food;
            customer->rolls[food] = (uint8_t)(customer->rolls[food] + rolls_of((unsigned)next));
        }
        if (next > DICE_MAX && i + 1 < component_count(ranges))
            component_refuse(reader, ranges, "The ranges end with 12.", PARTS_END);
    }
    if (next <= DICE_MAX)
        component_refuse(reader, ranges, "The ranges end with 12.", PARTS_END);
}

static void read_customers(struct component_reader *reader, struct supermarche_components *set)
{
    component rows = component_rows(reader, "customers", "rows", CUSTOMERS, CUSTOMERS);
    for (unsigned i = 0; i < CUSTOMERS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct supermarche_customer *customer = &set->customers[i];
        char bytes[COMPONENT_NAME_MAX + 8];
        struct text stream = TEXT_OVER(bytes);
        customer->name = component_new_name(reader, row, "id", NAMES(set->customers, i));
        if (customer->name.length > NAME_BYTES)
            component_refuse(reader, component_member(reader, row, "id"),
                             "This name is too long: it has at most 16 characters.", PARTS_END);
        text_add(&stream, "dice-");
        text_add_span(&stream, customer->name);
        customer->stream = component_keep(reader, text_span(&stream)).at;
        component_fixed(reader, row, "number", (int32_t)i + 1);
        customer->title = component_title(reader, row, "name").at;
        customer->cart = (uint8_t)component_number(reader, row, "cart", 1, CART_MAX);
        customer->coupons = (uint8_t)component_number(reader, row, "coupons", 0, 2);
        customer->penalty = (uint8_t)component_number(reader, row, "penalty", 0, FEE_MAX);
        customer->bonus = (uint8_t)component_number(reader, row, "bonus", 0, FEE_MAX);
        memset(customer->want, NONE, DICE_MIN);
        read_ranges(reader, row, set, customer);
        for (unsigned food = 0; food < FOODS; food++) {
            unsigned content = (unsigned)customer->rolls[food] * customer->cart;
            customer->content |= (uint64_t)content << (CONTENT_BITS * food);
            set->carts[food] = (uint16_t)(set->carts[food] + content);
        }
    }
    for (unsigned carts = 0; carts <= ROW; carts++)
        for (unsigned food = 0; food < FOODS; food++)
            set->contents[carts] |= (uint64_t)(carts * set->carts[food] / CUSTOMERS)
                                    << (CONTENT_BITS * food);
}

static void read_chart(struct component_reader *reader, struct supermarche_components *set)
{
    component rows = component_rows(reader, "coupon_chart", "rows", DICE_MAX - 1, DICE_MAX - 1);
    for (unsigned total = DICE_MIN; total <= DICE_MAX; total++) {
        component row = component_element(reader, rows, total - DICE_MIN);
        component numbers = component_list(reader, row, "numbers", COUPON_ITEMS, COUPON_ITEMS);
        component_fixed(reader, row, "total", (int32_t)total);
        for (unsigned i = 0; i < COUPON_ITEMS; i++)
            set->chart[total][i] = (uint8_t)component_number(
                reader, component_element(reader, numbers, i), NULL, DICE_MIN, DICE_MAX);
        if (set->chart[total][0] == set->chart[total][1])
            component_refuse(reader, numbers, "A coupon has two different numbers.", PARTS_END);
    }
}

static void read_difficulties(struct component_reader *reader, struct supermarche_components *set)
{
    static const char *const names[DIFFICULTIES] = {"easy", "normal", "hard"};
    component options = component_rows(reader, "options", "rows", 1, 1);
    component option = component_element(reader, options, 0);
    component values = component_list(reader, option, "values", DIFFICULTIES, DIFFICULTIES);
    (void)fixed_name(reader, option, "id", "difficulty");
    (void)fixed_name(reader, option, "default", names[1]);
    for (unsigned i = 0; i < DIFFICULTIES; i++) {
        component value = component_element(reader, values, i);
        set->difficulties[i].name = fixed_name(reader, value, "id", names[i]).at;
        set->difficulties[i].money =
            (uint8_t)component_number(reader, value, "start_money", 0, MONEY_START_MAX);
    }
}

/* Levels follow each other without a gap; the first one is that of debts. */
static void read_levels(struct component_reader *reader, struct supermarche_components *set)
{
    component rows = component_rows(reader, "levels", "rows", LEVELS, LEVELS);
    for (unsigned i = 0; i < LEVELS; i++) {
        component row = component_element(reader, rows, i);
        struct supermarche_level *level = &set->levels[i];
        level->name = component_new_name(reader, row, "id", NAMES(set->levels, i));
        level->title = component_title(reader, row, "name").at;
        const bool open = component_is_null(reader, row, i == 0 ? "min" : "max");
        if ((i == 0 || i == LEVELS - 1) && component_good(reader) && !open)
            component_refuse(reader, row, "The first level has no min, the last one no max: null.",
                             PARTS_END);
        level->least = INT16_MIN;
        level->most = INT16_MAX;
        if (i > 0) {
            level->least = (int16_t)(set->levels[i - 1].most + 1);
            component_fixed(reader, row, "min", level->least);
        }
        if (i == 0)
            component_fixed(reader, row, "max", -1);
        if (i == 0)
            level->most = -1;
        else if (i < LEVELS - 1)
            level->most =
                (int16_t)component_number(reader, row, "max", level->least, MONEY_END_MAX);
    }
}

static void check_numbers(struct component_reader *reader)
{
    static const struct {
        const char *key;
        int32_t value;
    } fixed[] = {{"stock_room_max", STOCK_ROOM_MAX}, {"store_max", STORE_MAX},
                 {"cubes_per_food", CUBES},          {"customers_per_round", ROW},
                 {"face_up_at_deal", FACE_UP},       {"coupon_discount", COUPON_DISCOUNT},
                 {"waste_fee_per_cube", WASTE_FEE},  {"sales_required", SALES_REQUIRED},
                 {"sales_per_round_max", 1},         {"sales_per_food_max", 1},
                 {"restocks_per_round_max", 1},      {"money_loss_below", 0}};
    component root = component_root(reader);
    component game = component_member(reader, root, "game");
    component limits = component_member(reader, root, "limits");
    component_fixed(reader, game, "rounds", ROUNDS);
    component_fixed(reader, game, "seats_min", 1);
    component_fixed(reader, game, "seats_max", 1);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        component_fixed(reader, limits, fixed[i].key, fixed[i].value);
}

void supermarche_read_components(struct component_reader *reader, void *opaque)
{
    static const char *const display[] = {"game",  "order_note",   "note",    "shuffle_order",
                                          "title", "money_tokens", "streams", NULL};
    struct supermarche_components *set = opaque;
    component_pool(reader, set->pool, sizeof set->pool);
    read_boxes(reader, set);
    read_foods(reader, set);
    read_cost_cards(reader, set);
    read_customers(reader, set);
    read_chart(reader, set);
    read_difficulties(reader, set);
    read_levels(reader, set);
    check_numbers(reader);
    component_finish(reader, display);
    if (!component_good(reader))
        return;
    component_sort(NAMES(set->foods, FOODS), set->foods_in_byte_order);
    component_sort(NAMES(set->boxes, BOXES), set->boxes_in_byte_order);
}

/* ---- Names ---- */

uint8_t supermarche_food_named(const struct supermarche_components *set, struct span name)
{
    return names_find(NAMES(set->foods, FOODS), name);
}

uint8_t supermarche_box_named(const struct supermarche_components *set, struct span name)
{
    return names_find(NAMES(set->boxes, BOXES), name);
}

uint8_t supermarche_customer_named(const struct supermarche_components *set, struct span name)
{
    return names_find(NAMES(set->customers, CUSTOMERS), name);
}
