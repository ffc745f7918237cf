/* The tables of foods, boxes, cost cards, customers, coupon chart and levels. */
#include "engine/games/supermarche/components.h"

#include <stddef.h>

#define BOX_BIT(box) (1u << (box))

enum {
    LATE_BOXES = BOX_BIT(BOX_R4) | BOX_BIT(BOX_R5) | BOX_BIT(BOX_R6) | BOX_BIT(BOX_NEVER),
    DAIRY_BOXES = LATE_BOXES | BOX_BIT(BOX_R3),
    BAKERY_BOXES = DAIRY_BOXES | BOX_BIT(BOX_R2)
};

const struct supermarche_food supermarche_foods[FOODS] = {
    [PRODUCE] = {SPAN_LITERAL("produce"),
                 "Produce",
                 3,
                 2,
                 1,
                 3,
                 BOX_EVERY,
                 BOX_BIT(BOX_EVERY),
                 {BOX_EVERY, BOX_EVERY, BOX_EVERY, BOX_EVERY, BOX_EVERY, BOX_EVERY}},
    [BAKERY] = {SPAN_LITERAL("bakery"),
                "Bakery",
                4,
                3,
                2,
                3,
                BOX_R2,
                BAKERY_BOXES,
                {BOX_R2, BOX_R3, BOX_R4, BOX_R5, BOX_R6, BOX_NEVER}},
    [DAIRY] = {SPAN_LITERAL("dairy"),
               "Dairy",
               4,
               2,
               3,
               3,
               BOX_R3,
               DAIRY_BOXES,
               {BOX_R3, BOX_R4, BOX_R5, BOX_R6, BOX_NEVER, BOX_NEVER}},
    [DRY_GOODS] = {SPAN_LITERAL("dry-goods"),
                   "Dry Goods",
                   10,
                   7,
                   4,
                   3,
                   BOX_R4,
                   LATE_BOXES,
                   {BOX_R4, BOX_R5, BOX_R6, BOX_NEVER, BOX_NEVER, BOX_NEVER}},
    [FROZEN] = {SPAN_LITERAL("frozen"),
                "Frozen",
                7,
                5,
                0,
                3,
                BOX_NEVER,
                BOX_BIT(BOX_NEVER),
                {BOX_NEVER, BOX_NEVER, BOX_NEVER, BOX_NEVER, BOX_NEVER, BOX_NEVER}},
};

const uint8_t supermarche_foods_in_byte_order[FOODS] = {BAKERY, DAIRY, DRY_GOODS, FROZEN, PRODUCE};

const struct supermarche_box supermarche_boxes[BOXES] = {
    [BOX_EVERY] = {SPAN_LITERAL("every"), "Expires Every Round", 0},
    [BOX_R2] = {SPAN_LITERAL("r2"), "Expires After Round 2", 2},
    [BOX_R3] = {SPAN_LITERAL("r3"), "Expires After Round 3", 3},
    [BOX_R4] = {SPAN_LITERAL("r4"), "Expires After Round 4", 4},
    [BOX_R5] = {SPAN_LITERAL("r5"), "Expires After Round 5", 5},
    [BOX_R6] = {SPAN_LITERAL("r6"), "Expires After Round 6", 6},
    [BOX_NEVER] = {SPAN_LITERAL("never"), "Never Expires", NONE},
};

const uint8_t supermarche_boxes_in_byte_order[BOXES] = {BOX_EVERY, BOX_NEVER, BOX_R2, BOX_R3,
                                                        BOX_R4,    BOX_R5,    BOX_R6};

const struct supermarche_cost_card supermarche_cost_cards[COST_CARDS] = {
    {SPAN_LITERAL("cost-1"), {1, 2, 3, 4, 5}}, {SPAN_LITERAL("cost-2"), {1, 2, 3, 3, 4}},
    {SPAN_LITERAL("cost-3"), {2, 3, 1, 3, 3}}, {SPAN_LITERAL("cost-4"), {1, 2, 2, 6, 4}},
    {SPAN_LITERAL("cost-5"), {3, 1, 2, 5, 3}}, {SPAN_LITERAL("cost-6"), {1, 3, 2, 5, 3}},
};

#define ROLLS(food, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12)                                 \
    (((t2) == (food)) + ((t3) == (food)) * 2 + ((t4) == (food)) * 3 + ((t5) == (food)) * 4 +       \
     ((t6) == (food)) * 5 + ((t7) == (food)) * 6 + ((t8) == (food)) * 5 + ((t9) == (food)) * 4 +   \
     ((t10) == (food)) * 3 + ((t11) == (food)) * 2 + ((t12) == (food)))

#define CONTENT(food, cart, ...)                                                                   \
    ((uint64_t)(ROLLS(food, __VA_ARGS__) * (cart)) << (CONTENT_BITS * (food)))

#define CUSTOMER(name, title, cart, coupons, penalty, bonus, ...)                                  \
    {                                                                                              \
        SPAN_LITERAL(name), title, "dice-" name, cart, coupons, penalty, bonus,                    \
            {NONE, NONE, __VA_ARGS__},                                                             \
            {ROLLS(P, __VA_ARGS__), ROLLS(B, __VA_ARGS__), ROLLS(D, __VA_ARGS__),                  \
             ROLLS(G, __VA_ARGS__), ROLLS(F, __VA_ARGS__)},                                        \
            CONTENT(P, cart, __VA_ARGS__) | CONTENT(B, cart, __VA_ARGS__) |                        \
                CONTENT(D, cart, __VA_ARGS__) | CONTENT(G, cart, __VA_ARGS__) |                    \
                CONTENT(F, cart, __VA_ARGS__)                                                      \
    }

enum { P = PRODUCE, B = BAKERY, D = DAIRY, G = DRY_GOODS, F = FROZEN };

/* name, title, cart, coupons, penalty, bonus, the food for each total of the dice from 2 to 12 */
const struct supermarche_customer supermarche_customers[CUSTOMERS] = {
    CUSTOMER("regina", "Regina", 3, 1, 4, 0, F, F, F, D, D, P, B, B, G, G, G),
    CUSTOMER("ryan", "Ryan", 2, 1, 2, 0, P, P, D, D, F, F, F, G, G, B, B),
    CUSTOMER("rory", "Rory", 1, 0, 4, 0, G, G, G, G, D, D, D, P, P, P, P),
    CUSTOMER("mo", "Mo", 1, 0, 3, 0, D, D, P, P, P, P, B, B, B, G, G),
    CUSTOMER("lesley", "Lesley", 3, 0, 5, 0, G, D, D, D, P, P, P, B, B, B, F),
    CUSTOMER("dave", "Dave", 5, 2, 12, 8, P, P, P, B, B, D, G, G, G, F, F),
    CUSTOMER("amanda", "Amanda", 3, 0, 5, 0, P, P, F, F, F, G, G, G, B, B, B),
    CUSTOMER("scott", "Scott", 2, 0, 6, 0, B, P, P, P, P, D, D, D, D, D, G),
    CUSTOMER("wendell", "Wendell", 1, 0, 5, 0, F, F, F, F, G, B, P, D, D, D, D),
    CUSTOMER("diane", "Diane", 4, 0, 7, 0, D, D, B, B, B, B, B, B, B, F, F),
    CUSTOMER("gary", "Gary", 4, 2, 7, 0, G, G, G, D, D, P, P, B, B, F, F),
    CUSTOMER("margaret", "Margaret", 2, 0, 3, 0, F, F, F, P, P, D, D, B, B, G, G),
    CUSTOMER("amy", "Amy", 5, 0, 15, 10, F, F, F, G, G, P, P, B, B, B, D),
    CUSTOMER("tiffany", "Tiffany", 2, 1, 3, 0, G, G, G, B, B, P, D, F, F, F, F),
    CUSTOMER("chris", "Chris", 4, 1, 9, 0, D, P, P, P, P, G, G, G, B, F, F),
    CUSTOMER("george", "George", 4, 1, 8, 0, B, B, B, B, B, B, F, F, F, F, F),
    CUSTOMER("mikolaj", "Mikolaj", 2, 1, 4, 0, D, D, D, G, G, B, F, F, P, P, P),
    CUSTOMER("rose", "Rose", 3, 1, 6, 0, P, P, P, D, F, F, G, G, G, B, B),
    CUSTOMER("stu", "Stu", 2, 0, 8, 0, F, F, F, F, F, F, F, F, F, F, F),
    CUSTOMER("melanie", "Melanie", 1, 0, 5, 0, F, F, B, G, G, G, D, D, D, P, P),
    CUSTOMER("phil", "Phil", 4, 2, 10, 0, G, G, P, P, P, D, D, D, B, B, B),
    CUSTOMER("zoe", "Zoë", 5, 1, 13, 9, F, F, F, B, B, B, G, D, D, P, P),
    CUSTOMER("chad", "Chad", 3, 1, 6, 0, D, D, B, B, B, P, P, F, G, G, G),
    CUSTOMER("albert", "Albert", 3, 1, 5, 0, G, G, G, P, P, B, D, D, D, F, F),
    CUSTOMER("jordan", "Jordan", 3, 0, 8, 0, D, D, D, P, B, B, B, F, G, G, G),
    CUSTOMER("martha", "Martha", 2, 1, 6, 0, B, B, B, B, P, P, D, D, F, F, F),
    CUSTOMER("jackie", "Jackie", 4, 2, 9, 0, B, B, P, P, P, D, G, G, G, F, F),
    CUSTOMER("donna", "Donna", 1, 0, 8, 0, G, G, G, P, B, B, D, D, F, F, F),
    CUSTOMER("clara", "Clara", 3, 1, 7, 0, G, G, G, D, D, B, F, P, P, P, P),
    CUSTOMER("jacob", "Jacob", 4, 1, 8, 0, P, P, P, B, F, F, G, G, D, D, D),
};

enum { CARTS_P = 653, CARTS_B = 766, CARTS_D = 552, CARTS_G = 575, CARTS_F = 550 };

#define AVERAGE(carts, food)                                                                       \
    ((uint64_t)((carts)*CARTS_##food / CUSTOMERS) << (CONTENT_BITS * (food)))
#define AVERAGES(carts)                                                                            \
    AVERAGE(carts, P) | AVERAGE(carts, B) | AVERAGE(carts, D) | AVERAGE(carts, G) |                \
        AVERAGE(carts, F)

const uint16_t supermarche_carts[FOODS] = {CARTS_P, CARTS_B, CARTS_D, CARTS_G, CARTS_F};
const uint64_t supermarche_contents[ROW + 1] = {AVERAGES(0), AVERAGES(1), AVERAGES(2),
                                                AVERAGES(3), AVERAGES(4), AVERAGES(5)};

const uint8_t supermarche_chart[DICE_MAX + 1][COUPON_ITEMS] = {
    [2] = {6, 7},  [3] = {4, 10}, [4] = {5, 9},   [5] = {2, 10}, [6] = {4, 12}, [7] = {3, 8},
    [8] = {7, 12}, [9] = {5, 11}, [10] = {6, 11}, [11] = {2, 9}, [12] = {3, 8},
};

const struct supermarche_difficulty supermarche_difficulties[DIFFICULTIES] = {
    {"easy", 30}, {"normal", 15}, {"hard", 0}};

const struct supermarche_level supermarche_levels[LEVELS] = {
    {SPAN_LITERAL("defeat"), "Defeat", INT16_MIN, -1},
    {SPAN_LITERAL("slightly-less-defeat"), "Slightly Less Defeat", 0, 50},
    {SPAN_LITERAL("very-minor-victory"), "Very Minor Victory", 51, 100},
    {SPAN_LITERAL("minor-victory"), "Minor Victory", 101, 150},
    {SPAN_LITERAL("victory"), "Victory", 151, 200},
    {SPAN_LITERAL("incredible-victory"), "Incredible Victory", 201, 250},
    {SPAN_LITERAL("supreme-victory"), "Supreme Victory", 251, INT16_MAX},
};

uint8_t supermarche_food_named(struct span name)
{
    for (unsigned i = 0; i < FOODS; i++)
        if (span_equal(name, supermarche_foods[i].name))
            return (uint8_t)i;
    return NONE;
}

uint8_t supermarche_box_named(struct span name)
{
    for (unsigned i = 0; i < BOXES; i++)
        if (span_equal(name, supermarche_boxes[i].name))
            return (uint8_t)i;
    return NONE;
}

uint8_t supermarche_cost_card_named(struct span name)
{
    for (unsigned i = 0; i < COST_CARDS; i++)
        if (span_equal(name, supermarche_cost_cards[i].name))
            return (uint8_t)i;
    return NONE;
}

uint8_t supermarche_customer_named(struct span name)
{
    for (unsigned i = 0; i < CUSTOMERS; i++)
        if (span_equal(name, supermarche_customers[i].name))
            return (uint8_t)i;
    return NONE;
}
