/* The component data of the rules as constant tables.
 *
 * components.json beside this file is the data's published form; a test compares the two field by
 * field. Rows are in its order, which defines "food order", "box order" and the order of an
 * unshuffled deck. Moves are listed in the byte order of their names, for which foods and boxes
 * have a second table.
 */
#ifndef TILLROLL_SUPERMARCHE_COMPONENTS_H
#define TILLROLL_SUPERMARCHE_COMPONENTS_H

#include <stdint.h>

#include "engine/game/component_reader.h"

enum {
    FOODS = 5,
    BOXES = 7,
    CUSTOMERS = 30,
    COST_CARDS = 6,
    DIFFICULTIES = 3,
    LEVELS = 7,
    DICE_MAX = 12, /* total of two dice, from 2 on */
    NONE = 255     /* no food, box, customer, card or position */
};

/* Limits and amounts. Money is in dollars. */
enum {
    ROUNDS = 6,
    ROW = 5, /* customers of a round */
    FACE_UP = 2,
    CUBES = 10, /* of each food */
    STORE_MAX = 15,
    STOCK_ROOM_MAX = 20,
    COUPON_DISCOUNT = 2,
    COUPON_ITEMS = 2,
    SALE_ITEMS = 3, /* sold by a roll of the food on sale */
    WASTE_FEE = 1,  /* a cube */
    SALES_REQUIRED = 3,
    NUMBER_MAX = 99 /* that a move may name */
};

enum food { PRODUCE, BAKERY, DAIRY, DRY_GOODS, FROZEN };

enum box { BOX_EVERY, BOX_R2, BOX_R3, BOX_R4, BOX_R5, BOX_R6, BOX_NEVER };

struct supermarche_food {
    struct span name;
    const char *title; /* for people */
    uint8_t price, sale_price;
    uint8_t lasts;         /* rounds, including that of the purchase; 0 = forever */
    uint8_t initial_cubes; /* in the Store */
    uint8_t initial_box;
    uint8_t store_boxes;          /* bit b: the board has box b for this food */
    uint8_t purchase_box[ROUNDS]; /* of a cube bought in round r: [r - 1] */
};

struct supermarche_box {
    struct span name;
    const char *title;
    uint8_t expires; /* after this round; 0 = every round, NONE = never */
};

struct supermarche_cost_card {
    struct span name;
    uint8_t cost[FOODS]; /* of one cube */
};

struct supermarche_customer {
    struct span name;
    const char *title;
    const char *stream; /* of the customer's dice */
    uint8_t cart, coupons, penalty, bonus;
    uint8_t want[DICE_MAX + 1]; /* food by the total of the dice; [0] and [1] are unused */
    uint8_t rolls[FOODS];       /* how many of the 36 rolls of two dice show each food */
    uint64_t content; /* of the cart on average: `cart` times `rolls`, CONTENT_BITS each */
};

enum { CONTENT_BITS = 12 }; /* sums of all carts of a row are below 2^12 */

struct supermarche_difficulty {
    const char *name;
    uint8_t money; /* at the start */
};

struct supermarche_level {
    struct span name;
    const char *title;
    int16_t least, most; /* final money */
};

enum { SUPERMARCHE_POOL = 8000 };

struct supermarche_components {
    struct supermarche_food foods[FOODS];
    struct supermarche_box boxes[BOXES];
    struct supermarche_cost_card cost_cards[COST_CARDS];
    struct supermarche_customer customers[CUSTOMERS];
    struct supermarche_difficulty difficulties[DIFFICULTIES];
    struct supermarche_level levels[LEVELS];
    uint64_t contents[ROW + 1];                /* of so many average carts, CONTENT_BITS each */
    uint16_t carts[FOODS];                     /* sums of `rolls` times `cart` */
    uint8_t chart[DICE_MAX + 1][COUPON_ITEMS]; /* by the total of the dice */
    uint8_t foods_in_byte_order[FOODS];
    uint8_t boxes_in_byte_order[BOXES];
    char pool[SUPERMARCHE_POOL]; /* names and titles */
};

/* Reads a set (engine/game/component_set.h). */
void supermarche_read_components(struct component_reader *reader, void *set);

/* The index of the thing with this name, or NONE. */
uint8_t supermarche_food_named(const struct supermarche_components *set, struct span name);
uint8_t supermarche_box_named(const struct supermarche_components *set, struct span name);
uint8_t supermarche_customer_named(const struct supermarche_components *set, struct span name);

#endif
