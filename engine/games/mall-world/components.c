/* The tables of components.h, and the lookup of names. Names are few and short: tables in byte
 * order are searched by bisection, tables of four entries linearly. */
#include "engine/games/mall-world/components.h"

enum chain {
    BELT_AND_BUTTON,
    MAID_OF_THE_MALL,
    LOVIS,
    FRESH_FISH,
    BIOLOGIC,
    JENS_GOT_BERRIES,
    GAME_LOBBY,
    BANANAS,
    GIRLS_THINGS,
    JUMP_AND_GUN,
    SKATEMAN,
    YOURE_A_STAR
};

#define SQUARE(column, row) (((row)-1) * STRIDE + (column) - 'a')

const struct span mall_world_uses[USES] = {SPAN_LITERAL("clothing"), SPAN_LITERAL("food"),
                                           SPAN_LITERAL("hobby"), SPAN_LITERAL("sports")};

const struct span mall_world_groups[GROUPS] = {SPAN_LITERAL("men"), SPAN_LITERAL("women"),
                                               SPAN_LITERAL("teenagers"), SPAN_LITERAL("kids")};

const uint8_t mall_world_groups_in_byte_order[GROUPS] = {KIDS, MEN, TEENAGERS, WOMEN};

const struct mall_world_chain mall_world_chains[CHAINS] = {
    {SPAN_LITERAL("belt-and-button"), "Belt & Button", CLOTHING, MEN},
    {SPAN_LITERAL("maid-of-the-mall"), "Maid of the Mall", CLOTHING, WOMEN},
    {SPAN_LITERAL("lovis"), "Lovis", CLOTHING, TEENAGERS},
    {SPAN_LITERAL("fresh-fish"), "Fresh Fish", FOOD, MEN},
    {SPAN_LITERAL("biologic"), "Biologic", FOOD, WOMEN},
    {SPAN_LITERAL("jens-got-berries"), "Jen's Got Berries", FOOD, KIDS},
    {SPAN_LITERAL("game-lobby"), "Game Lobby", HOBBY, WOMEN},
    {SPAN_LITERAL("bananas"), "Bananas", HOBBY, TEENAGERS},
    {SPAN_LITERAL("girls-things"), "Girls' Things", HOBBY, KIDS},
    {SPAN_LITERAL("jump-and-gun"), "Jump and Gun", SPORTS, MEN},
    {SPAN_LITERAL("skateman"), "Skateman", SPORTS, TEENAGERS},
    {SPAN_LITERAL("youre-a-star"), "You're a Star", SPORTS, KIDS},
};

const struct mall_world_card mall_world_cards[CARDS] = {
    {SPAN_LITERAL("clothing-clothing"), {CLOTHING, CLOTHING}, 1, {BELT_AND_BUTTON}},
    {SPAN_LITERAL("clothing-food"), {CLOTHING, FOOD}, 2, {MAID_OF_THE_MALL, FRESH_FISH}},
    {SPAN_LITERAL("clothing-hobby"), {CLOTHING, HOBBY}, 1, {LOVIS}},
    {SPAN_LITERAL("clothing-sports"), {CLOTHING, SPORTS}, 1, {JUMP_AND_GUN}},
    {SPAN_LITERAL("food-food"), {FOOD, FOOD}, 1, {BIOLOGIC}},
    {SPAN_LITERAL("food-hobby"), {FOOD, HOBBY}, 1, {GAME_LOBBY}},
    {SPAN_LITERAL("food-sports"), {FOOD, SPORTS}, 1, {JENS_GOT_BERRIES}},
    {SPAN_LITERAL("hobby-hobby"), {HOBBY, HOBBY}, 1, {BANANAS}},
    {SPAN_LITERAL("hobby-sports"), {HOBBY, SPORTS}, 2, {GIRLS_THINGS, SKATEMAN}},
    {SPAN_LITERAL("sports-sports"), {SPORTS, SPORTS}, 1, {YOURE_A_STAR}},
};

const struct mall_world_order mall_world_orders[ORDERS] = {
    {SPAN_LITERAL("use-clothing-clothing"), USE_ORDER, CLOTHING, CLOTHING},
    {SPAN_LITERAL("use-clothing-food"), USE_ORDER, CLOTHING, FOOD},
    {SPAN_LITERAL("use-clothing-hobby"), USE_ORDER, CLOTHING, HOBBY},
    {SPAN_LITERAL("use-clothing-sports"), USE_ORDER, CLOTHING, SPORTS},
    {SPAN_LITERAL("use-food-food"), USE_ORDER, FOOD, FOOD},
    {SPAN_LITERAL("use-food-hobby"), USE_ORDER, FOOD, HOBBY},
    {SPAN_LITERAL("use-food-sports"), USE_ORDER, FOOD, SPORTS},
    {SPAN_LITERAL("use-hobby-hobby"), USE_ORDER, HOBBY, HOBBY},
    {SPAN_LITERAL("use-hobby-sports"), USE_ORDER, HOBBY, SPORTS},
    {SPAN_LITERAL("use-sports-sports"), USE_ORDER, SPORTS, SPORTS},
    {SPAN_LITERAL("rent-belt-and-button-skateman"), RENT_ORDER, BELT_AND_BUTTON, SKATEMAN},
    {SPAN_LITERAL("rent-belt-and-button-girls-things"), RENT_ORDER, BELT_AND_BUTTON, GIRLS_THINGS},
    {SPAN_LITERAL("rent-biologic-lovis"), RENT_ORDER, BIOLOGIC, LOVIS},
    {SPAN_LITERAL("rent-biologic-jump-and-gun"), RENT_ORDER, BIOLOGIC, JUMP_AND_GUN},
    {SPAN_LITERAL("rent-bananas-maid-of-the-mall"), RENT_ORDER, BANANAS, MAID_OF_THE_MALL},
    {SPAN_LITERAL("rent-bananas-jens-got-berries"), RENT_ORDER, BANANAS, JENS_GOT_BERRIES},
    {SPAN_LITERAL("rent-youre-a-star-lovis"), RENT_ORDER, YOURE_A_STAR, LOVIS},
    {SPAN_LITERAL("rent-youre-a-star-fresh-fish"), RENT_ORDER, YOURE_A_STAR, FRESH_FISH},
    {SPAN_LITERAL("rent-game-lobby-jump-and-gun"), RENT_ORDER, GAME_LOBBY, JUMP_AND_GUN},
    {SPAN_LITERAL("rent-game-lobby-girls-things"), RENT_ORDER, GAME_LOBBY, GIRLS_THINGS},
    {SPAN_LITERAL("rent-jens-got-berries-maid-of-the-mall"), RENT_ORDER, JENS_GOT_BERRIES,
     MAID_OF_THE_MALL},
    {SPAN_LITERAL("rent-fresh-fish-skateman"), RENT_ORDER, FRESH_FISH, SKATEMAN},
    {SPAN_LITERAL("special-fresh-fish-game-lobby"), SPECIAL_ORDER, FRESH_FISH, GAME_LOBBY},
    {SPAN_LITERAL("special-belt-and-button-jens-got-berries"), SPECIAL_ORDER, BELT_AND_BUTTON,
     JENS_GOT_BERRIES},
    {SPAN_LITERAL("special-biologic-skateman"), SPECIAL_ORDER, BIOLOGIC, SKATEMAN},
    {SPAN_LITERAL("special-bananas-jump-and-gun"), SPECIAL_ORDER, BANANAS, JUMP_AND_GUN},
    {SPAN_LITERAL("special-youre-a-star-maid-of-the-mall"), SPECIAL_ORDER, YOURE_A_STAR,
     MAID_OF_THE_MALL},
    {SPAN_LITERAL("special-lovis-girls-things"), SPECIAL_ORDER, LOVIS, GIRLS_THINGS},
};

const uint8_t mall_world_orders_in_byte_order[ORDERS] = {15, 14, 11, 10, 13, 12, 21, 19, 18, 20,
                                                         17, 16, 25, 23, 24, 22, 27, 26, 0,  1,
                                                         2,  3,  4,  5,  6,  7,  8,  9};

const int32_t mall_world_order_value[ORDER_KINDS] = {3000, 4000, 12000};

const int32_t mall_world_site_price[SITES] = {1000, 2000, 4000, 7000};

const int32_t mall_world_bribe_value[BRIBES] = {4000, 3000, 2000, 1000, -1000, -2000, -3000};

const uint8_t mall_world_bribe_count[BRIBES] = {2, 1, 1, 1, 1, 2, 2};

const uint8_t mall_world_bribes_in_byte_order[BRIBES] = {4, 5, 6, 3, 2, 1, 0};

const uint8_t mall_world_bribes_laid[SEATS_MAX - SEATS_MIN + 1][ROUNDS] = {
    {4, 4, 6}, {5, 5, 8}, {6, 6, 10}};

const uint8_t mall_world_orders_removed[SEATS_MAX - SEATS_MIN + 1] = {3, 0, 0};

const uint8_t mall_world_covers[SEATS_MAX - SEATS_MIN + 1] = {2, 1, 0};

#define ROOM(column, letter, row)                                                                  \
    {                                                                                              \
        SPAN_LITERAL(#column #row), SQUARE(letter, row)                                            \
    }

const struct mall_world_room mall_world_rooms[ROOMS] = {
    ROOM(c, 'c', 1), ROOM(d, 'd', 1), ROOM(e, 'e', 1), ROOM(b, 'b', 2), ROOM(c, 'c', 2),
    ROOM(d, 'd', 2), ROOM(e, 'e', 2), ROOM(f, 'f', 2), ROOM(g, 'g', 2), ROOM(a, 'a', 3),
    ROOM(b, 'b', 3), ROOM(c, 'c', 3), ROOM(d, 'd', 3), ROOM(f, 'f', 3), ROOM(g, 'g', 3),
    ROOM(h, 'h', 3), ROOM(a, 'a', 4), ROOM(b, 'b', 4), ROOM(c, 'c', 4), ROOM(f, 'f', 4),
    ROOM(g, 'g', 4), ROOM(h, 'h', 4), ROOM(a, 'a', 5), ROOM(b, 'b', 5), ROOM(c, 'c', 5),
    ROOM(d, 'd', 5), ROOM(e, 'e', 5), ROOM(f, 'f', 5), ROOM(g, 'g', 5), ROOM(b, 'b', 6),
    ROOM(c, 'c', 6), ROOM(d, 'd', 6), ROOM(e, 'e', 6), ROOM(f, 'f', 6), ROOM(d, 'd', 7),
    ROOM(e, 'e', 7),
};

const uint8_t mall_world_squares_in_byte_order[ROOMS] = {
    SQUARE('a', 3), SQUARE('a', 4), SQUARE('a', 5), SQUARE('b', 2), SQUARE('b', 3), SQUARE('b', 4),
    SQUARE('b', 5), SQUARE('b', 6), SQUARE('c', 1), SQUARE('c', 2), SQUARE('c', 3), SQUARE('c', 4),
    SQUARE('c', 5), SQUARE('c', 6), SQUARE('d', 1), SQUARE('d', 2), SQUARE('d', 3), SQUARE('d', 5),
    SQUARE('d', 6), SQUARE('d', 7), SQUARE('e', 1), SQUARE('e', 2), SQUARE('e', 5), SQUARE('e', 6),
    SQUARE('e', 7), SQUARE('f', 2), SQUARE('f', 3), SQUARE('f', 4), SQUARE('f', 5), SQUARE('f', 6),
    SQUARE('g', 2), SQUARE('g', 3), SQUARE('g', 4), SQUARE('g', 5), SQUARE('h', 3), SQUARE('h', 4),
};

const uint8_t mall_world_trios[TRIOS][TRIO] = {
    {0, 1, 2},    {0, 1, 4},    {0, 1, 5},    {0, 3, 4},    {0, 4, 5},    {0, 4, 11},
    {1, 2, 5},    {1, 2, 6},    {1, 4, 5},    {1, 5, 6},    {1, 5, 12},   {2, 5, 6},
    {2, 6, 7},    {3, 4, 5},    {3, 4, 10},   {3, 4, 11},   {3, 9, 10},   {3, 10, 11},
    {3, 10, 17},  {4, 5, 6},    {4, 5, 11},   {4, 5, 12},   {4, 10, 11},  {4, 11, 12},
    {4, 11, 18},  {5, 6, 7},    {5, 6, 12},   {5, 11, 12},  {6, 7, 8},    {6, 7, 13},
    {7, 8, 13},   {7, 8, 14},   {7, 13, 14},  {7, 13, 19},  {8, 13, 14},  {8, 14, 15},
    {8, 14, 20},  {9, 10, 11},  {9, 10, 16},  {9, 10, 17},  {9, 16, 17},  {9, 16, 22},
    {10, 11, 12}, {10, 11, 17}, {10, 11, 18}, {10, 16, 17}, {10, 17, 18}, {10, 17, 23},
    {11, 12, 18}, {11, 17, 18}, {11, 18, 24}, {13, 14, 15}, {13, 14, 19}, {13, 14, 20},
    {13, 19, 20}, {13, 19, 27}, {14, 15, 20}, {14, 15, 21}, {14, 19, 20}, {14, 20, 21},
    {14, 20, 28}, {15, 20, 21}, {16, 17, 18}, {16, 17, 22}, {16, 17, 23}, {16, 22, 23},
    {17, 18, 23}, {17, 18, 24}, {17, 22, 23}, {17, 23, 24}, {17, 23, 29}, {18, 23, 24},
    {18, 24, 25}, {18, 24, 30}, {19, 20, 21}, {19, 20, 27}, {19, 20, 28}, {19, 26, 27},
    {19, 27, 28}, {19, 27, 33}, {20, 21, 28}, {20, 27, 28}, {22, 23, 24}, {22, 23, 29},
    {23, 24, 25}, {23, 24, 29}, {23, 24, 30}, {23, 29, 30}, {24, 25, 26}, {24, 25, 30},
    {24, 25, 31}, {24, 29, 30}, {24, 30, 31}, {25, 26, 27}, {25, 26, 31}, {25, 26, 32},
    {25, 30, 31}, {25, 31, 32}, {25, 31, 34}, {26, 27, 28}, {26, 27, 32}, {26, 27, 33},
    {26, 31, 32}, {26, 32, 33}, {26, 32, 35}, {27, 28, 33}, {27, 32, 33}, {29, 30, 31},
    {30, 31, 32}, {30, 31, 34}, {31, 32, 33}, {31, 32, 34}, {31, 32, 35}, {31, 34, 35},
    {32, 33, 35}, {32, 34, 35},
};

const uint8_t mall_world_fixed_cover[2][TRIO] = {{SQUARE('a', 3), SQUARE('a', 4), SQUARE('a', 5)},
                                                 {SQUARE('g', 4), SQUARE('h', 3), SQUARE('h', 4)}};

const uint8_t mall_world_fixed_tile[USES] = {[CLOTHING] = SQUARE('c', 2),
                                             [FOOD] = SQUARE('f', 5),
                                             [HOBBY] = SQUARE('c', 5),
                                             [SPORTS] = SQUARE('f', 2)};

const rooms mall_world_plan = UINT64_C(0x607c7f73bbcfc1c);

static uint8_t find(const struct span *names, unsigned count, struct span name)
{
    for (uint8_t i = 0; i < count; i++)
        if (span_equal(names[i], name))
            return i;
    return NONE;
}

uint8_t mall_world_use_named(struct span name)
{
    return find(mall_world_uses, USES, name);
}

uint8_t mall_world_group_named(struct span name)
{
    return find(mall_world_groups, GROUPS, name);
}

uint8_t mall_world_card_named(struct span name)
{
    unsigned low = 0;
    unsigned high = CARDS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = span_compare(mall_world_cards[middle].name, name);
        if (order == 0)
            return (uint8_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NONE;
}

uint8_t mall_world_order_named(struct span name)
{
    unsigned low = 0;
    unsigned high = ORDERS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        uint8_t index = mall_world_orders_in_byte_order[middle];
        int order = span_compare(mall_world_orders[index].name, name);
        if (order == 0)
            return index;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NONE;
}

uint8_t mall_world_room_named(struct span name)
{
    if (name.length != 2 || name.at[0] < 'a' || name.at[0] >= 'a' + COLUMNS || name.at[1] < '1' ||
        name.at[1] >= '1' + ROWS)
        return NONE;
    unsigned square = (unsigned)((name.at[1] - '1') * STRIDE + name.at[0] - 'a');
    return (mall_world_plan >> square & 1) != 0 ? (uint8_t)square : NONE;
}

uint8_t mall_world_bribe_of(int64_t value)
{
    for (uint8_t bribe = 0; bribe < BRIBES; bribe++)
        if (mall_world_bribe_value[bribe] == value)
            return bribe;
    return NONE;
}

struct span mall_world_room_name(unsigned square)
{
    rooms before = mall_world_plan & (mall_world_room(square) - 1);
    return mall_world_rooms[mall_world_room_count(before)].name;
}

rooms mall_world_neighbours(rooms set)
{
    return (set << 1 | set >> 1 | set << STRIDE | set >> STRIDE) & mall_world_plan;
}

bool mall_world_is_connected(rooms set)
{
    rooms reached = set & (~set + 1);
    rooms grown = reached;
    do {
        reached = grown;
        grown |= mall_world_neighbours(reached) & set;
    } while (grown != reached);
    return reached == set;
}

unsigned mall_world_room_count(rooms set)
{
    /* Sums of 2, 4 and 8 bits side by side, then of all bytes: without the processor's own
     * instruction, which not every build may use, faster than the compiler's library. */
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(set * UINT64_C(0x0101010101010101) >> 56);
}

uint8_t mall_world_next_room(rooms *set)
{
    uint8_t square = (uint8_t)__builtin_ctzll(*set);
    *set &= *set - 1;
    return square;
}
