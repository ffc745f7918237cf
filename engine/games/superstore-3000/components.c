/* The tables of pieces, attractions, cards and balloons. The names below stand for indices, so that
 * a row can be checked against the box. */
#include "engine/games/superstore-3000/components.h"

enum {
    RESTAURANT,
    ICE_CREAM_STAND,
    GROCERY,
    THEATER,
    BOOK_STORE,
    GYM,
    INTERIOR_DESIGN,
    APPAREL,
    HAIR_SALON,
};

const struct superstore_piece superstore_pieces[PIECES] = {
    {SPAN_LITERAL("restaurant"), "Restaurant", FOOD, 0, {0}},
    {SPAN_LITERAL("ice-cream-stand"), "Ice Cream Stand", FOOD, 0, {0}},
    {SPAN_LITERAL("grocery"), "Grocery", FOOD, 0, {0}},
    {SPAN_LITERAL("theater"), "Theater", HOBBY, 0, {0}},
    {SPAN_LITERAL("book-store"), "Book Store", HOBBY, 0, {0}},
    {SPAN_LITERAL("gym"), "Gym", HOBBY, 0, {0}},
    {SPAN_LITERAL("interior-design"), "Interior Design", FASHION, 0, {0}},
    {SPAN_LITERAL("apparel"), "Apparel", FASHION, 0, {0}},
    {SPAN_LITERAL("hair-salon"), "Hair Salon", FASHION, 0, {0}},
    {SPAN_LITERAL("entrance-01"), "Entrance 1", ENTRANCE, 2, {RESTAURANT, GYM}},
    {SPAN_LITERAL("entrance-02"), "Entrance 2", ENTRANCE, 2, {ICE_CREAM_STAND, THEATER}},
    {SPAN_LITERAL("entrance-03"), "Entrance 3", ENTRANCE, 2, {GROCERY, THEATER}},
    {SPAN_LITERAL("entrance-04"), "Entrance 4", ENTRANCE, 2, {GROCERY, BOOK_STORE}},
    {SPAN_LITERAL("entrance-05"), "Entrance 5", ENTRANCE, 2, {RESTAURANT, HAIR_SALON}},
    {SPAN_LITERAL("entrance-06"), "Entrance 6", ENTRANCE, 2, {ICE_CREAM_STAND, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-07"), "Entrance 7", ENTRANCE, 2, {ICE_CREAM_STAND, HAIR_SALON}},
    {SPAN_LITERAL("entrance-08"), "Entrance 8", ENTRANCE, 2, {GROCERY, APPAREL}},
    {SPAN_LITERAL("entrance-09"), "Entrance 9", ENTRANCE, 2, {THEATER, HAIR_SALON}},
    {SPAN_LITERAL("entrance-10"), "Entrance 10", ENTRANCE, 2, {BOOK_STORE, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-11"), "Entrance 11", ENTRANCE, 2, {GYM, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-12"), "Entrance 12", ENTRANCE, 2, {GYM, APPAREL}},
    {SPAN_LITERAL("entrance-13"), "Entrance 13", ENTRANCE, 2, {RESTAURANT, BOOK_STORE}},
    {SPAN_LITERAL("entrance-14"), "Entrance 14", ENTRANCE, 2, {ICE_CREAM_STAND, GYM}},
    {SPAN_LITERAL("entrance-15"), "Entrance 15", ENTRANCE, 2, {THEATER, APPAREL}},
    {SPAN_LITERAL("entrance-16"), "Entrance 16", ENTRANCE, 2, {BOOK_STORE, HAIR_SALON}},
    {SPAN_LITERAL("entrance-17"), "Entrance 17", ENTRANCE, 2, {GROCERY, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-18"), "Entrance 18", ENTRANCE, 2, {RESTAURANT, APPAREL}},
    {SPAN_LITERAL("entrance-19"), "Entrance 19", ENTRANCE, 2, {ICE_CREAM_STAND, BOOK_STORE}},
    {SPAN_LITERAL("entrance-20"), "Entrance 20", ENTRANCE, 2, {GROCERY, GYM}},
    {SPAN_LITERAL("entrance-21"), "Entrance 21", ENTRANCE, 2, {RESTAURANT, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-22"), "Entrance 22", ENTRANCE, 2, {ICE_CREAM_STAND, APPAREL}},
    {SPAN_LITERAL("entrance-23"), "Entrance 23", ENTRANCE, 2, {THEATER, INTERIOR_DESIGN}},
    {SPAN_LITERAL("entrance-24"), "Entrance 24", ENTRANCE, 2, {GYM, HAIR_SALON}},
    {SPAN_LITERAL("main-1"), "Main Entrance 1", NONE, 3, {RESTAURANT, THEATER, HAIR_SALON}},
    {SPAN_LITERAL("main-2"), "Main Entrance 2", NONE, 3, {ICE_CREAM_STAND, BOOK_STORE, APPAREL}},
    {SPAN_LITERAL("main-3"), "Main Entrance 3", NONE, 3, {GROCERY, BOOK_STORE, INTERIOR_DESIGN}},
    {SPAN_LITERAL("main-4"), "Main Entrance 4", NONE, 3, {RESTAURANT, GYM, APPAREL}},
    {SPAN_LITERAL("gray-food"), "Gray Docking Bay (Food Court)", NONE, 0, {0}},
    {SPAN_LITERAL("gray-hobby"), "Gray Docking Bay (Hobby)", NONE, 0, {0}},
    {SPAN_LITERAL("gray-fashion"), "Gray Docking Bay (Fashion)", NONE, 0, {0}},
    {SPAN_LITERAL("gray-plain"), "Gray Docking Bay", NONE, 0, {0}},
    {SPAN_LITERAL("brown-food"), "Brown Docking Bay (Food Court)", NONE, 1, {WISH_ANY + FOOD}},
    {SPAN_LITERAL("brown-hobby"), "Brown Docking Bay (Hobby)", NONE, 1, {WISH_ANY + HOBBY}},
    {SPAN_LITERAL("brown-fashion"), "Brown Docking Bay (Fashion)", NONE, 1, {WISH_ANY + FASHION}},
    {SPAN_LITERAL("brown-plain"), "Brown Docking Bay", NONE, 0, {0}},
    {SPAN_LITERAL("night-club"), "Night Club", NONE, 0, {0}},
    {SPAN_LITERAL("cosmic-bowling"), "Cosmic Bowling", NONE, 0, {0}},
    {SPAN_LITERAL("comet-cabaret"), "Comet Cabaret", NONE, 0, {0}},
    {SPAN_LITERAL("escape-room"), "Escape Room", NONE, 0, {0}},
    {SPAN_LITERAL("nebula-bungee-jumping"), "Nebula Bungee Jumping", NONE, 0, {0}},
    {SPAN_LITERAL("dinosaur-zoo"), "Dinosaur Zoo", NONE, 0, {0}},
    {SPAN_LITERAL("monster-battle-arena"), "Monster Battle Arena", NONE, 0, {0}},
    {SPAN_LITERAL("dimensional-drive-in"), "Dimensional Drive-In", NONE, 0, {0}},
    {SPAN_LITERAL("haunted-estate"), "Haunted Estate", NONE, 0, {0}},
    {SPAN_LITERAL("tornado-ride"), "Tornado Ride", NONE, 0, {0}},
    {SPAN_LITERAL("aquarium"), "Aquarium", NONE, 0, {0}},
};

const struct superstore_attraction superstore_attractions[ATTRACTIONS] = {
    /* night-club */
    {INDIVIDUAL,
     6,
     4,
     {{0, 0, EDGE_DOWN | EDGE_LEFT}, {0, 1, 0}, {1, 1, EDGE_UP}, {2, 1, EDGE_UP | EDGE_RIGHT}},
     {{0}}},
    /* cosmic-bowling */
    {PINK,
     4,
     3,
     {{0, 0, EDGE_DOWN | EDGE_UP | EDGE_LEFT}, {1, 0, 0}, {2, 0, EDGE_UP | EDGE_RIGHT}},
     {{EMPTY_ENTRANCES, NONE, NONE, 2, 1, "2 empty entrances"},
      {EMPTY_ENTRANCES, NONE, NONE, 1, 6, "1 empty entrance on floor 6 or higher"}}},
    /* comet-cabaret */
    {PINK,
     4,
     3,
     {{0, 0, EDGE_DOWN | EDGE_UP | EDGE_LEFT}, {1, 0, 0}, {1, 1, EDGE_UP | EDGE_RIGHT}},
     {{COUNT_ELEMENTS, ENTRANCE, NONE, 4, 1, "4 entrances"},
      {ELEMENTS_IN_LINE, SAME_CATEGORY, LINE_DIAGONAL, 3, 1,
       "3 mall elements of one category on one diagonal"}}},
    /* escape-room */
    {PINK,
     4,
     3,
     {{1, -1, EDGE_RIGHT}, {0, 0, EDGE_DOWN | EDGE_LEFT}, {1, 0, EDGE_UP}},
     {{BANK_NOTES, NONE, NONE, 7, 1, "7 bank notes in front of you"},
      {BANK_NOTES, NONE, NONE, 7, 1, "7 bank notes in front of you"}}},
    /* nebula-bungee-jumping */
    {PURPLE,
     8,
     6,
     {{2, -1, EDGE_LEFT | EDGE_RIGHT},
      {0, 0, EDGE_DOWN | EDGE_LEFT},
      {2, 0, 0},
      {0, 1, EDGE_UP},
      {1, 1, 0},
      {2, 1, EDGE_UP}},
     {{COUNT_ELEMENTS, EACH_CATEGORY, NONE, 1, 9,
       "1 mall element of each category on floor 9 or higher"},
      {COUNT_CUSTOMERS, FOOD, NONE, 1, 10,
       "1 satisfied customer on a Food Court store on floor 10 or higher"}}},
    /* dinosaur-zoo */
    {PURPLE,
     8,
     5,
     {{-1, 0, EDGE_UP | EDGE_LEFT},
      {0, 0, EDGE_DOWN | EDGE_UP},
      {1, 0, EDGE_RIGHT},
      {1, 1, 0},
      {1, 2, EDGE_UP | EDGE_RIGHT}},
     {{CUSTOMERS_IN_LINE, NONE, LINE_DIAGONAL, 4, 1, "4 satisfied customers on one diagonal"},
      {COUNT_CUSTOMERS, FASHION, NONE, 1, 10,
       "1 satisfied customer on a Fashion store on floor 10 or higher"}}},
    /* monster-battle-arena */
    {PURPLE,
     8,
     6,
     {{-1, 0, EDGE_LEFT},
      {0, 0, EDGE_DOWN | EDGE_UP},
      {1, 0, EDGE_UP},
      {2, 0, EDGE_RIGHT},
      {-1, 1, EDGE_UP},
      {2, 1, EDGE_UP}},
     {{COUNT_ELEMENTS, FOOD, NONE, 6, 1, "6 Food Court stores"},
      {COUNT_CUSTOMERS, FOOD, NONE, 5, 1, "5 satisfied customers on Food Court stores"}}},
    /* dimensional-drive-in */
    {PURPLE,
     8,
     5,
     {{0, 0, EDGE_DOWN}, {0, 1, EDGE_LEFT}, {1, 1, EDGE_RIGHT}, {0, 2, EDGE_UP}, {1, 2, EDGE_UP}},
     {{COUNT_ELEMENTS, HOBBY, NONE, 6, 1, "6 Hobby stores"},
      {COUNT_CUSTOMERS, HOBBY, NONE, 5, 1, "5 satisfied customers on Hobby stores"}}},
    /* haunted-estate */
    {PURPLE,
     8,
     5,
     {{2, -1, EDGE_LEFT},
      {0, 0, EDGE_DOWN},
      {1, 0, EDGE_UP},
      {2, 0, EDGE_RIGHT},
      {0, 1, EDGE_UP | EDGE_LEFT}},
     {{COUNT_ELEMENTS, FASHION, NONE, 6, 1, "6 Fashion stores"},
      {COUNT_CUSTOMERS, FASHION, NONE, 5, 1, "5 satisfied customers on Fashion stores"}}},
    /* tornado-ride */
    {PURPLE,
     8,
     6,
     {{0, 0, EDGE_DOWN | EDGE_LEFT},
      {0, 1, 0},
      {1, 1, EDGE_RIGHT},
      {-1, 2, EDGE_UP | EDGE_LEFT},
      {0, 2, 0},
      {1, 2, EDGE_UP}},
     {{COUNT_ELEMENTS, SAME_CATEGORY, NONE, 4, 5,
       "4 mall elements of one category on floor 5 or higher"},
      {COUNT_CUSTOMERS, HOBBY, NONE, 1, 10,
       "1 satisfied customer on a Hobby store on floor 10 or higher"}}},
    /* aquarium */
    {PURPLE,
     8,
     6,
     {{0, 0, EDGE_DOWN | EDGE_LEFT},
      {1, 0, 0},
      {2, 0, 0},
      {0, 1, EDGE_UP},
      {1, 1, 0},
      {2, 1, EDGE_UP | EDGE_RIGHT}},
     {{COUNT_ELEMENTS, EACH_CATEGORY, NONE, 4, 1, "4 mall elements of each category"},
      {COUNT_CUSTOMERS, EACH_CATEGORY, NONE, 3, 1,
       "3 satisfied customers on stores of each store category"}}},
};

const struct superstore_card superstore_cards[CARDS] = {
    {SPAN_LITERAL("high-element"),
     {COUNT_ELEMENTS, ANY_CATEGORY, NONE, 1, 8, "any mall element on floor 8 or higher"}},
    {SPAN_LITERAL("customer-column"),
     {CUSTOMERS_IN_LINE, NONE, LINE_COLUMN, 4, 1, "4 satisfied customers in one column"}},
    {SPAN_LITERAL("element-floor"),
     {ELEMENTS_IN_LINE, SAME_CATEGORY, LINE_FLOOR, 3, 1,
      "3 mall elements of one category on one floor"}},
    {SPAN_LITERAL("customer-floor"),
     {CUSTOMERS_IN_LINE, NONE, LINE_FLOOR, 3, 1, "3 satisfied customers on one floor"}},
    {SPAN_LITERAL("high-customer"),
     {COUNT_CUSTOMERS, ANY_CATEGORY, NONE, 1, 6, "1 satisfied customer on floor 6 or higher"}},
    {SPAN_LITERAL("element-column"),
     {ELEMENTS_IN_LINE, SAME_CATEGORY, LINE_COLUMN, 4, 1,
      "4 mall elements of one category in one column"}},
};

const struct superstore_dock superstore_docks[DOCKS] = {
    {GRAY, 2, FOOD},  {GRAY, 2, HOBBY}, {GRAY, 2, FASHION}, {GRAY, 3, NONE},
    {BROWN, 2, NONE}, {BROWN, 2, NONE}, {BROWN, 2, NONE},   {BROWN, 3, NONE},
};

const uint8_t superstore_store_copies[MARKS] = {4, 2, 2};
const uint8_t superstore_mark_entrances[MARKS] = {12, 6, 6};

const uint8_t superstore_pink_count = 3;
const uint8_t superstore_purple_count = 7;
const uint8_t superstore_purple_drawn[SEATS_MAX + 1] = {0, 0, 3, 3, 4};

const uint8_t superstore_dock_requirement[2] = {[GRAY] = 1, [BROWN] = 2};

const uint8_t superstore_rainbow_values[SEATS_MAX + 1][SEATS_MAX] = {
    [2] = {10}, [3] = {10, 5}, [4] = {10, 5, 3}};
const uint8_t superstore_colour_values[SEATS_MAX + 1][SEATS_MAX] = {
    [2] = {8}, [3] = {8, 4}, [4] = {8, 4, 2}};

const struct span superstore_categories[CATEGORIES] = {
    SPAN_LITERAL("food"),
    SPAN_LITERAL("hobby"),
    SPAN_LITERAL("fashion"),
    SPAN_LITERAL("entrance"),
};
const char *const superstore_category_titles[CATEGORIES] = {"Food Court", "Hobby", "Fashion",
                                                            "Entrance"};

const struct span superstore_wishes[WISHES] = {
    SPAN_LITERAL("restaurant"),      SPAN_LITERAL("ice-cream-stand"), SPAN_LITERAL("grocery"),
    SPAN_LITERAL("theater"),         SPAN_LITERAL("book-store"),      SPAN_LITERAL("gym"),
    SPAN_LITERAL("interior-design"), SPAN_LITERAL("apparel"),         SPAN_LITERAL("hair-salon"),
    SPAN_LITERAL("any-food"),        SPAN_LITERAL("any-hobby"),       SPAN_LITERAL("any-fashion"),
};
const char *const superstore_wish_titles[WISHES] = {
    "Restaurant",      "Ice Cream Stand",
    "Grocery",         "Theater",
    "Book Store",      "Gym",
    "Interior Design", "Apparel",
    "Hair Salon",      "any Food Court store",
    "any Hobby store", "any Fashion store",
};

const struct span superstore_faces[FACES] = {SPAN_LITERAL("front"), SPAN_LITERAL("back")};

const struct span superstore_columns[COLUMNS] = {
    SPAN_LITERAL("l16"), SPAN_LITERAL("l15"), SPAN_LITERAL("l14"), SPAN_LITERAL("l13"),
    SPAN_LITERAL("l12"), SPAN_LITERAL("l11"), SPAN_LITERAL("l10"), SPAN_LITERAL("l9"),
    SPAN_LITERAL("l8"),  SPAN_LITERAL("l7"),  SPAN_LITERAL("l6"),  SPAN_LITERAL("l5"),
    SPAN_LITERAL("l4"),  SPAN_LITERAL("l3"),  SPAN_LITERAL("l2"),  SPAN_LITERAL("l1"),
    SPAN_LITERAL("m1"),  SPAN_LITERAL("m2"),  SPAN_LITERAL("r1"),  SPAN_LITERAL("r2"),
    SPAN_LITERAL("r3"),  SPAN_LITERAL("r4"),  SPAN_LITERAL("r5"),  SPAN_LITERAL("r6"),
    SPAN_LITERAL("r7"),  SPAN_LITERAL("r8"),  SPAN_LITERAL("r9"),  SPAN_LITERAL("r10"),
    SPAN_LITERAL("r11"), SPAN_LITERAL("r12"), SPAN_LITERAL("r13"), SPAN_LITERAL("r14"),
    SPAN_LITERAL("r15"), SPAN_LITERAL("r16"),
};

const uint8_t superstore_attractions_in_byte_order[ATTRACTIONS] = {10, 2, 1, 7, 5, 3,
                                                                   8,  6, 4, 0, 9};
const uint8_t superstore_docks_in_byte_order[DOCKS] = {6, 4, 5, 7, 2, 0, 1, 3};
const uint8_t superstore_columns_in_byte_order[COLUMNS] = {
    15, 6,  5,  4,  3,  2,  1,  0,  14, 13, 12, 11, 10, 9,  8,  7,  16,
    17, 18, 27, 28, 29, 30, 31, 32, 33, 19, 20, 21, 22, 23, 24, 25, 26};
const uint8_t superstore_floors_in_byte_order[FLOOR_MAX] = {
    1,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 2,  20, 21, 22, 23, 24, 25, 26, 27,
    28, 29, 3,  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 4,  40, 5,  6,  7,  8,  9};

uint8_t superstore_piece_named(struct span name, uint8_t from, uint8_t to)
{
    for (uint8_t piece = from; piece < to; piece++)
        if (span_equal(superstore_pieces[piece].name, name))
            return piece;
    return NONE;
}

static uint8_t named(const struct span *names, unsigned count, struct span name)
{
    for (unsigned i = 0; i < count; i++)
        if (span_equal(names[i], name))
            return (uint8_t)i;
    return NONE;
}

uint8_t superstore_wish_named(struct span name)
{
    return named(superstore_wishes, WISHES, name);
}

uint8_t superstore_card_named(struct span name)
{
    for (unsigned card = 0; card < CARDS; card++)
        if (span_equal(superstore_cards[card].name, name))
            return (uint8_t)card;
    return NONE;
}

uint8_t superstore_category_named(struct span name)
{
    return named(superstore_categories, CATEGORIES, name);
}

/* `l16` .. `r16` without a table lookup: every ply reads a move. */
uint8_t superstore_column_named(struct span name)
{
    uint64_t number;
    if (name.length < 2 || name.length > 3)
        return NONE;
    struct span digits = {name.at + 1, name.length - 1};
    if (!span_number(digits, COLUMN_M1, &number) || number == 0)
        return NONE;
    if (name.at[0] == 'l')
        return (uint8_t)(COLUMN_M1 - number);
    if (name.at[0] == 'r')
        return (uint8_t)(COLUMN_M2 + number);
    if (name.at[0] == 'm' && number <= 2)
        return (uint8_t)(COLUMN_M1 - 1 + number);
    return NONE;
}

bool superstore_suits(uint8_t wish, uint8_t store)
{
    return wish < WISH_ANY ? wish == store : wish - WISH_ANY == superstore_pieces[store].category;
}
