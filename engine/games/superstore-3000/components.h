/* The component data of the rules as constant tables.
 *
 * components.json beside this file is the data's published form; a test compares the two field by
 * field. Everything that can be in a mall is a piece, and pieces are numbered consecutively, so one
 * byte identifies a tile:
 *
 *      0 .. 8   9 .. 32     33 .. 36         37 .. 44       45 .. 55
 *      stores   entrances   main entrances   docking bays   attractions
 *      mall elements
 */
#ifndef TILLROLL_SUPERSTORE_COMPONENTS_H
#define TILLROLL_SUPERSTORE_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/game/component_reader.h"

enum {
    STORES = 9,
    ENTRANCES = 24,
    ELEMENTS = STORES + ENTRANCES,
    MAINS = 4,
    DOCKS = 8,
    ATTRACTIONS = 11, /* the night club is the first, the other ten are common */
    PINK_ATTRACTIONS = 3,
    FIRST_ENTRANCE = STORES,
    FIRST_MAIN = ELEMENTS,
    FIRST_DOCK = FIRST_MAIN + MAINS,
    FIRST_ATTRACTION = FIRST_DOCK + DOCKS,
    PIECES = FIRST_ATTRACTION + ATTRACTIONS,
    CARDS = 6,   /* individual attraction cards */
    WISHES = 12, /* the nine store types, then any store of each of the three categories */
    NONE = 255   /* no piece, seat, column, category or wish */
};

/* Set-up, supplies and limits. */
enum {
    SEATS_MIN = 2,
    SEATS_MAX = 4,
    MARKS = 3,             /* tiles for every game, for three and four seats, for four seats */
    ELEMENTS_A_SEAT = 24,  /* mall elements in the game, by seat */
    SUPPLY_MAX = 96,       /* mall elements in the game */
    DISPENSER_COLUMNS = 2, /* `a` and `b` */
    DISPENSER_ROWS = 4,
    START_NOTES = 3, /* bank notes of each seat */
    MOVE_RANGE = 3,  /* tiles a customer walks */
    PINK_DRAWN = 2,
    COMMON_MAX = 6, /* common attractions of one game */
    COLUMNS = 34,   /* l16 .. l1, m1, m2, r1 .. r16 */
    FLOOR_MAX = 40,
    COLUMN_M1 = 16,
    COLUMN_M2 = 17,
    WISHES_PRINTED_MAX = 3, /* on one tile */
    CELLS_MAX = 6           /* of one attraction */
};

enum category { FOOD, HOBBY, FASHION, ENTRANCE, CATEGORIES, STORE_CATEGORIES = ENTRANCE };

/* Wishes beyond the store types: any store of a category. */
enum { WISH_ANY = STORES };

/* The edges of a cell. A plate on an edge of an attraction connects both sides of the edge. */
enum edge { EDGE_UP = 1, EDGE_RIGHT = 2, EDGE_DOWN = 4, EDGE_LEFT = 8 };

enum face { FRONT, BACK, FACES };

struct superstore_piece {
    struct span name;
    const char *title;  /* for people */
    uint8_t category;   /* of a mall element; NONE for other pieces */
    uint8_t wish_count; /* customers that come with it */
    uint8_t wish[WISHES_PRINTED_MAX];
};

enum condition_kind {
    COUNT_ELEMENTS,
    COUNT_CUSTOMERS,
    ELEMENTS_IN_LINE,
    CUSTOMERS_IN_LINE,
    EMPTY_ENTRANCES,
    BANK_NOTES
};

/* The category of a condition that is not for a single category. */
enum { ANY_CATEGORY = CATEGORIES, SAME_CATEGORY, EACH_CATEGORY };

enum line { LINE_FLOOR, LINE_COLUMN, LINE_DIAGONAL };

struct superstore_condition {
    uint8_t kind;      /* enum condition_kind */
    uint8_t category;  /* enum category, or one of the three above; if the kind needs it */
    uint8_t line;      /* enum line, if the kind needs it */
    uint8_t count;     /* minimum number */
    uint8_t min_floor; /* on this floor or higher; 1 if the kind does not need it */
    const char *text;
};

enum group { INDIVIDUAL, PINK, PURPLE };

struct superstore_cell {
    int8_t dx, dy;  /* from the base cell: to the right and upwards, on the front face */
    uint8_t plates; /* edges, enum edge */
};

/* Cells around an attraction's base, on its front: one to the right by x and upwards by y has bit
 * DOOR_ROW * (y + DOOR_REACH) + x + DOOR_REACH. */
enum { DOOR_REACH = 2, DOOR_ROW = 8 };

struct superstore_attraction {
    uint8_t group, points, cell_count;
    struct superstore_cell cell[CELLS_MAX];
    uint64_t doors;                      /* cells that lie behind a plate */
    uint64_t body;                       /* its own cells */
    struct superstore_condition side[2]; /* `a` and `b`; a night club has a card instead */
};

struct superstore_card {
    struct span name;
    struct superstore_condition condition;
};

enum colour { GRAY, BROWN };

struct superstore_dock {
    uint8_t colour, points;
    uint8_t column_points; /* category whose customers above a gray bay count; NONE */
};

enum { SUPERSTORE_POOL = 12000 };

struct superstore_components {
    struct superstore_piece pieces[PIECES];
    struct superstore_attraction attractions[ATTRACTIONS];
    struct superstore_card cards[CARDS];
    struct superstore_dock docks[DOCKS];
    struct span categories[CATEGORIES];
    struct span wishes[WISHES];
    const char *category_titles[CATEGORIES];
    const char *wish_titles[WISHES];

    /* Tiles of each mark: copies of every store type, and entrances, which follow each other. */
    uint8_t store_copies[MARKS][STORES];
    uint8_t mark_entrances[MARKS];

    uint8_t pink_count, purple_count;
    uint8_t purple_drawn[SEATS_MAX + 1]; /* by the number of seats */

    /* Mall elements of each category that a bay of a colour requires. */
    uint8_t dock_requirement[2];

    /* Balloon values, the best first, by the number of seats; 0 for none. */
    uint8_t rainbow_values[SEATS_MAX + 1][SEATS_MAX];
    uint8_t colour_values[SEATS_MAX + 1][SEATS_MAX];

    /* In the byte order of their names, for lists of moves. */
    uint8_t attractions_in_byte_order[ATTRACTIONS];
    uint8_t docks_in_byte_order[DOCKS];

    char pool[SUPERSTORE_POOL]; /* names and titles */
};

/* Reads a set (engine/game/component_set.h). */
void superstore_read_components(struct component_reader *reader, void *set);

/* The grid of a mall and the faces of tiles, the same in every set; and their byte orders. */
extern const struct span superstore_faces[FACES];
extern const struct span superstore_columns[COLUMNS];
extern const uint8_t superstore_columns_in_byte_order[COLUMNS];
extern const uint8_t superstore_places_of_columns[COLUMNS]; /* ... and where each stands there */
extern const uint8_t superstore_floors_in_byte_order[FLOOR_MAX];

static inline bool superstore_is_store(uint8_t piece)
{
    return piece < FIRST_ENTRANCE;
}

static inline bool superstore_is_entrance(uint8_t piece)
{
    return piece >= FIRST_ENTRANCE && piece < ELEMENTS;
}

static inline bool superstore_is_element(uint8_t piece)
{
    return piece < ELEMENTS;
}

static inline bool superstore_is_main(uint8_t piece)
{
    return piece >= FIRST_MAIN && piece < FIRST_DOCK;
}

static inline bool superstore_is_dock(uint8_t piece)
{
    return piece >= FIRST_DOCK && piece < FIRST_ATTRACTION;
}

static inline bool superstore_is_attraction(uint8_t piece)
{
    return piece >= FIRST_ATTRACTION && piece < PIECES;
}

/* The index of the thing with this name, or NONE. For pieces, the search goes from `from` up to,
 * not including, `to`. */
uint8_t superstore_piece_named(const struct superstore_components *set, struct span name,
                               uint8_t from, uint8_t to);
uint8_t superstore_wish_named(const struct superstore_components *set, struct span name);
uint8_t superstore_card_named(const struct superstore_components *set, struct span name);
uint8_t superstore_column_named(struct span name);
uint8_t superstore_category_named(const struct superstore_components *set, struct span name);

/* True if a store of this piece meets the wish. */
bool superstore_suits(const struct superstore_components *set, uint8_t wish, uint8_t store);

#endif
