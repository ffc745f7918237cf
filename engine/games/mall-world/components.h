/* The components of Mall World as constant tables for the rules. components.json is their published
 * form; a test compares the two field by field.
 *
 * A room is identified by its square on a grid of 9 columns, the last of which is always empty. So
 * a step to a neighbour is a shift by 1 or 9 that never wraps around, and a set of rooms is one
 * 64-bit word. Squares are numbered in the order of the component data (row by row), so the n-th
 * room of a list is the n-th bit of a set.
 *
 *        a  b  c  d  e  f  g  h
 *   1    .  .  2  3  4  .  .  .  |  8
 *   2    . 10 11 12 13 14 15  .  | 17
 *   3   18 19 20 21  . 23 24 25  | 26   ...
 */
#ifndef TILLROLL_MALL_WORLD_COMPONENTS_H
#define TILLROLL_MALL_WORLD_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game/component_reader.h"

enum { SEATS_MIN = 3, SEATS_MAX = 5, ROUNDS = 3 };

enum use { CLOTHING, FOOD, HOBBY, SPORTS, USES };

enum group { MEN, WOMEN, TEENAGERS, KIDS, GROUPS };

enum {
    TILES_OF_A_USE = 9,
    CHIPS_OF_A_GROUP = 8,
    CHAINS = 12,
    CARDS = 10, /* types of approval cards */
    DECK = 40,  /* approval cards, at most */
    CARD_CHAINS_MAX = 2,
    USE_ORDERS = 10,
    RENT_ORDERS = 12,
    SPECIAL_ORDERS = 6,
    RENT_ORDER_FIRST = USE_ORDERS,
    SPECIAL_ORDER_FIRST = USE_ORDERS + RENT_ORDERS,
    LOBBY_ORDERS = USE_ORDERS + RENT_ORDERS,
    ORDERS = LOBBY_ORDERS + SPECIAL_ORDERS,
    SITES = 4,
    BRIBE_CHIPS = 10,
    BRIBES = 7, /* different values of bribe chips */
    ACCOUNT_START = 20000,
    COINS_OF_A_SEAT = 5,
    COINS_IN_BOX = 25,
    DEAL = 4,
    DISPLAY = 4,
    HAND_MAX = 8,
    OFFER_MAX = 3,
    TAKE_MAX = 2,
    REFRESH_COST = 2,
    SINGLE_CARD_FEE = 1,
    COIN_VALUE = 1000,
    ROOMS = 36,
    ROWS = 7,
    COLUMNS = 8,
    STRIDE = COLUMNS + 1,
    TRIO = 3,
    TRIOS = 160, /* at most */
    NONE = 255
};

enum order_kind { USE_ORDER, RENT_ORDER, SPECIAL_ORDER, ORDER_KINDS };

/* A set of rooms: bit s for the room on square s. */
typedef uint64_t rooms;

struct mall_world_chain {
    struct span name;
    const char *title;
    uint8_t use, group;
};

struct mall_world_card {
    struct span name;
    uint8_t use[2];
    uint8_t count; /* copies in the stack */
    uint8_t chain_count;
    uint8_t chain[CARD_CHAINS_MAX];
};

/* Use orders count pairs of two uses, the others count two chain stores. */
struct mall_world_order {
    struct span name;
    uint8_t kind; /* enum order_kind */
    uint8_t first, second;
};

struct mall_world_room {
    struct span name;
    uint8_t square;
};

/* The same in every set. */
extern const struct span mall_world_uses[USES];
extern const struct span mall_world_groups[GROUPS];
extern const uint8_t mall_world_groups_in_byte_order[GROUPS];

enum { MALL_WORLD_POOL = 6000 };

struct mall_world_components {
    struct mall_world_chain chains[CHAINS];
    struct mall_world_card cards[CARDS]; /* byte order is index order */
    struct mall_world_order orders[ORDERS];
    uint8_t orders_in_byte_order[ORDERS];
    int32_t order_value[ORDER_KINDS]; /* CHF for each time the order counts */
    int32_t site_price[SITES];        /* CHF */

    /* CHF, best first, also as text; number of chips of each value; and the values in byte order of
     * their text. */
    int32_t bribe_value[BRIBES];
    struct span bribe_name[BRIBES];
    uint8_t bribe_count[BRIBES];
    uint8_t bribes_in_byte_order[BRIBES];

    /* Chips in the bureau, by seats - SEATS_MIN and round - 1. */
    uint8_t bribes_laid[SEATS_MAX - SEATS_MIN + 1][ROUNDS];

    /* Use orders, and rent orders, that are returned to the box before the game. */
    uint8_t orders_removed[SEATS_MAX - SEATS_MIN + 1];

    /* Storage room and bathroom: how many are used. */
    uint8_t covers[SEATS_MAX - SEATS_MIN + 1];

    rooms plan; /* all rooms */
    struct mall_world_room rooms[ROOMS];
    uint8_t squares_in_byte_order[ROOMS];
    unsigned trio_count;
    uint8_t trios[TRIOS][TRIO]; /* indices of rooms */

    /* The fixed opening: squares of the covers, and of the first tile of each use. */
    uint8_t fixed_cover[2][TRIO];
    uint8_t fixed_tile[USES];

    char pool[MALL_WORLD_POOL]; /* names and titles */
};

/* Reads a set (engine/game/component_set.h). */
void mall_world_read_components(struct component_reader *reader, void *set);

/* The index of the thing with this name, or NONE; for a room its square. */
uint8_t mall_world_use_named(struct span name);
uint8_t mall_world_group_named(struct span name);
uint8_t mall_world_card_named(const struct mall_world_components *set, struct span name);
uint8_t mall_world_order_named(const struct mall_world_components *set, struct span name);
uint8_t mall_world_room_named(const struct mall_world_components *set, struct span name);

/* The index of the bribe chips of `value` CHF, or NONE. */
uint8_t mall_world_bribe_of(const struct mall_world_components *set, int64_t value);

/* The name of the room on a square of the plan. */
struct span mall_world_room_name(const struct mall_world_components *set, unsigned square);

/* The rooms that share a side with a room of the area. */
static inline rooms mall_world_neighbours(const struct mall_world_components *set, rooms area)
{
    return (area << 1 | area >> 1 | area << STRIDE | area >> STRIDE) & set->plan;
}

/* True if the area is one piece, or empty. */
bool mall_world_is_connected(const struct mall_world_components *set, rooms area);

/* Sums of 2, 4 and 8 bits side by side, then of all bytes: without the processor's own instruction,
 * which not every build may use, faster than the compiler's library. */
static inline unsigned mall_world_room_count(rooms area)
{
    area -= area >> 1 & UINT64_C(0x5555555555555555);
    area = (area & UINT64_C(0x3333333333333333)) + (area >> 2 & UINT64_C(0x3333333333333333));
    area = (area + (area >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(area * UINT64_C(0x0101010101010101) >> 56);
}

/* Removes the room on the lowest square from an area that is not empty. */
static inline uint8_t mall_world_next_room(rooms *area)
{
    uint8_t square = (uint8_t)__builtin_ctzll(*area);
    *area &= *area - 1;
    return square;
}

static inline rooms mall_world_room(unsigned square)
{
    return UINT64_C(1) << square;
}

#endif
