/* Reads a component set: pieces, attractions, cards and balloons. The grid of a mall, its columns
 * and floors, is the same in every set. */
#include "engine/games/superstore-3000/components.h"

#include <string.h>

enum {
    NAME_BYTES = 21, /* keep every move within the ruleset's bound */
    CATEGORY_BYTES = 18,
    POINTS_MAX = 20,
    PLATES_MAX = 4, /* in one list of an attraction */
    PLATES_IN_ALL = 24,
    COUNT_MAX = 24, /* that a condition asks for */
    REACH = 3       /* of an attraction's cells from its base */
};

static const char *const marks[] = {"base", "3plus", "4", NULL};
static const char *const seat_keys[] = {"2", "3", "4"};
static const char *const sides[] = {"a", "b"};
static const char *const no_category[] = {"any", "same", "each"};

static struct names categories(const struct superstore_components *set, unsigned count)
{
    return NAMES_ALONE(set->categories, count);
}

/* A piece's name, which no piece before has. */
static struct span piece_name(struct component_reader *reader, component row,
                              const struct superstore_components *set, unsigned piece)
{
    struct span name = component_new_name(reader, row, "id", NAMES(set->pieces, piece));
    if (name.length > NAME_BYTES)
        component_refuse(reader, component_member(reader, row, "id"),
                         "This name is too long: it has at most 21 characters.", PARTS_END);
    return name;
}

/* A title made of parts, up to NULL. */
static const char *title_of(struct component_reader *reader, const char *one, const char *two,
                            const char *three)
{
    char bytes[2 * COMPONENT_TITLE_MAX];
    struct text title = TEXT_OVER(bytes);
    text_add(&title, one);
    text_add(&title, two);
    text_add(&title, three);
    return component_keep(reader, text_span(&title)).at;
}

static const char *numbered_title(struct component_reader *reader, const char *word, unsigned i)
{
    char bytes[40];
    struct text title = TEXT_OVER(bytes);
    text_add(&title, word);
    text_add_number(&title, i + 1);
    return component_keep(reader, text_span(&title)).at;
}

static void read_categories(struct component_reader *reader, struct superstore_components *set)
{
    component rows = component_rows(reader, "categories", "items", CATEGORIES, CATEGORIES);
    for (unsigned i = 0; i < CATEGORIES; i++) {
        component row = component_element(reader, rows, i);
        set->categories[i] = component_new_name(reader, row, "id", categories(set, i));
        if (set->categories[i].length > CATEGORY_BYTES)
            component_refuse(reader, component_member(reader, row, "id"),
                             "This name is too long: it has at most 18 characters.", PARTS_END);
        set->category_titles[i] = component_title(reader, row, "name").at;
        if (component_flag(reader, row, "is_store") != (i != ENTRANCE))
            component_refuse(reader, component_member(reader, row, "is_store"),
                             "The first three categories are stores, the last one is not.",
                             PARTS_END);
    }
}

static void read_stores(struct component_reader *reader, struct superstore_components *set)
{
    component rows = component_rows(reader, "store_types", "items", STORES, STORES);
    for (unsigned i = 0; i < STORES; i++) {
        component row = component_element(reader, rows, i);
        struct superstore_piece *piece = &set->pieces[i];
        piece->name = piece_name(reader, row, set, i);
        piece->title = component_title(reader, row, "name").at;
        piece->category =
            component_reference(reader, row, "category", categories(set, CATEGORIES), "category");
        if (piece->category != i / 3)
            component_refuse(reader, component_member(reader, row, "category"),
                             "Store types must be in the order of the categories, three of each.",
                             PARTS_END);
        component copies = component_member(reader, row, "copies");
        for (unsigned mark = 0; mark < MARKS; mark++)
            set->store_copies[mark][i] =
                (uint8_t)component_number(reader, copies, marks[mark], 0, COUNT_MAX);
        set->wishes[i] = piece->name;
        set->wish_titles[i] = piece->title;
    }
    for (unsigned i = 0; i < STORE_CATEGORIES && component_good(reader); i++) {
        char bytes[COMPONENT_NAME_MAX + 8];
        struct text name = TEXT_OVER(bytes);
        text_add(&name, "any-");
        text_add_span(&name, set->categories[i]);
        set->wishes[WISH_ANY + i] = component_keep(reader, text_span(&name));
        set->wish_titles[WISH_ANY + i] =
            title_of(reader, "any ", set->category_titles[i], " store");
    }
}

static void read_wishes(struct component_reader *reader, component row, unsigned count,
                        struct superstore_components *set, struct superstore_piece *piece)
{
    component list = component_list(reader, row, "wishes", count, count);
    piece->wish_count = (uint8_t)count;
    for (unsigned i = 0; i < count; i++)
        piece->wish[i] = component_reference(reader, component_element(reader, list, i), NULL,
                                             NAMES(set->pieces, STORES), "store type");
}

/* Entrances follow each other mark by mark. */
static void read_entrances(struct component_reader *reader, struct superstore_components *set)
{
    component rows = component_rows(reader, "entrances", "items", ENTRANCES, ENTRANCES);
    unsigned last = 0;
    for (unsigned i = 0; i < ENTRANCES; i++) {
        component row = component_element(reader, rows, i);
        struct superstore_piece *piece = &set->pieces[FIRST_ENTRANCE + i];
        piece->name = piece_name(reader, row, set, FIRST_ENTRANCE + i);
        piece->title = numbered_title(reader, "Entrance ", i);
        piece->category = ENTRANCE;
        read_wishes(reader, row, 2, set, piece);
        unsigned mark = component_word(reader, row, "mark", marks);
        if (mark < last)
            component_refuse(reader, component_member(reader, row, "mark"),
                             "Entrances must be in the order of the marks base, 3plus and 4.",
                             PARTS_END);
        last = mark;
        set->mark_entrances[mark]++;
    }
}

/* Each mark has the tiles that its number of seats adds, and the canonical list says the same. */
static void check_elements(struct component_reader *reader, const struct superstore_components *set)
{
    component tiles = component_member(
        reader, component_member(reader, component_root(reader), "marks"), "tiles");
    component list = component_rows(reader, "mall_element_list", "items", SUPPLY_MAX, SUPPLY_MAX);
    unsigned count = 0;
    unsigned entrance = FIRST_ENTRANCE;
    uint8_t element[2 * SUPPLY_MAX + STORES * COUNT_MAX] = {0};
    for (unsigned mark = 0; mark < MARKS && component_good(reader); mark++) {
        for (unsigned store = 0; store < STORES; store++)
            for (unsigned copy = 0; copy < set->store_copies[mark][store] && count < SUPPLY_MAX;
                 copy++)
                element[count++] = (uint8_t)store;
        for (unsigned i = 0; i < set->mark_entrances[mark] && count < SUPPLY_MAX; i++)
            element[count++] = (uint8_t)entrance++;
        component_fixed(reader, tiles, seat_keys[mark], (int32_t)(mark + 2) * ELEMENTS_A_SEAT);
        if (count != (mark + 2) * ELEMENTS_A_SEAT)
            component_refuse(reader, tiles,
                             "Store types and entrances must be 48 tiles of the mark base, and 24 "
                             "of each of the others.",
                             PARTS_END);
    }
    for (unsigned i = 0; i < SUPPLY_MAX && component_good(reader); i++) {
        component at = component_element(reader, list, i);
        if (component_reference(reader, at, NULL, NAMES(set->pieces, ELEMENTS), "tile") !=
            element[i])
            component_refuse(
                reader, at, "This place in the list is for `", set->pieces[element[i]].name.at,
                "`: mark by mark, store types with their copies, then entrances.", PARTS_END);
    }
}

static void read_mains(struct component_reader *reader, struct superstore_components *set)
{
    component table = component_member(reader, component_root(reader), "main_entrances");
    component rows = component_list(reader, table, "items", MAINS, MAINS);
    component_fixed(reader, table, "width", 2);
    component_fixed(reader, table, "floor", 1);
    for (unsigned i = 0; i < MAINS; i++) {
        component row = component_element(reader, rows, i);
        struct superstore_piece *piece = &set->pieces[FIRST_MAIN + i];
        piece->name = piece_name(reader, row, set, FIRST_MAIN + i);
        piece->title = numbered_title(reader, "Main Entrance ", i);
        piece->category = NONE;
        read_wishes(reader, row, WISHES_PRINTED_MAX, set, piece);
    }
}

static void read_docks(struct component_reader *reader, struct superstore_components *set)
{
    static const char *const colours[] = {"gray", "brown", NULL};
    static const char *const titles[] = {"Gray Docking Bay", "Brown Docking Bay"};
    component table = component_member(reader, component_root(reader), "docking_bays");
    component rows = component_list(reader, table, "items", DOCKS, DOCKS);
    component requirement = component_member(reader, table, "requirement");
    component_fixed(reader, table, "width", 1);
    component_fixed(reader, table, "floor", 1);
    for (unsigned colour = GRAY; colour <= BROWN; colour++)
        set->dock_requirement[colour] =
            (uint8_t)component_number(reader, requirement, colours[colour], 0, 8);
    for (unsigned i = 0; i < DOCKS; i++) {
        component row = component_element(reader, rows, i);
        struct superstore_piece *piece = &set->pieces[FIRST_DOCK + i];
        struct superstore_dock *dock = &set->docks[i];
        piece->name = piece_name(reader, row, set, FIRST_DOCK + i);
        piece->category = NONE;
        dock->colour = (uint8_t)component_word(reader, row, "colour", colours);
        if (dock->colour != (i < DOCKS / 2 ? GRAY : BROWN))
            component_refuse(reader, component_member(reader, row, "colour"),
                             "Four gray bays come first, then four brown ones.", PARTS_END);
        dock->points = (uint8_t)component_number(reader, row, "points", 0, POINTS_MAX);
        dock->column_points = NONE;
        bool plain = component_is_null(reader, row, "category");
        bool wishes = !component_is_null(reader, row, "wish");
        const char *effect = plain ? "none" : dock->colour == GRAY ? "column-points" : "customer";
        if (component_good(reader) && !component_is(reader, row, "effect", effect))
            component_refuse(reader, component_member(reader, row, "effect"),
                             "The effect of this bay is `", effect, "`.", PARTS_END);
        if (component_good(reader) && wishes != (!plain && dock->colour == BROWN))
            component_refuse(reader, component_member(reader, row, "wish"),
                             "Brown bays with a category have a wish, others have none.",
                             PARTS_END);
        uint8_t category =
            plain ? 0
                  : component_reference(reader, row, "category", categories(set, STORE_CATEGORIES),
                                        "category of stores");
        piece->title =
            plain ? title_of(reader, titles[dock->colour], "", "")
                  : title_of(reader, titles[dock->colour], " (", set->category_titles[category]);
        if (!plain)
            piece->title = title_of(reader, piece->title, ")", "");
        if (!plain && dock->colour == GRAY)
            dock->column_points = category;
        if (!wishes)
            continue;
        piece->wish_count = 1;
        piece->wish[0] =
            component_reference(reader, row, "wish", NAMES_ALONE(set->wishes, WISHES), "wish");
        if (piece->wish[0] != WISH_ANY + category)
            component_refuse(reader, component_member(reader, row, "wish"),
                             "The customer of this bay wants any store of its category.",
                             PARTS_END);
    }
}

/* A list of cells that an attraction has; `edge` is set for each. */
static unsigned read_plates(struct component_reader *reader, component row, const char *key,
                            struct superstore_attraction *attraction, enum edge edge)
{
    component list = component_list(reader, row, key, 0, PLATES_MAX);
    for (unsigned i = 0; i < component_count(list) && component_good(reader); i++) {
        component at = component_list(reader, component_element(reader, list, i), NULL, 2, 2);
        int32_t dx =
            component_number(reader, component_element(reader, at, 0), NULL, -REACH, REACH);
        int32_t dy =
            component_number(reader, component_element(reader, at, 1), NULL, -REACH, REACH);
        unsigned cell = 0;
        while (cell < attraction->cell_count &&
               (attraction->cell[cell].dx != dx || attraction->cell[cell].dy != dy))
            cell++;
        if (cell == attraction->cell_count || (attraction->cell[cell].plates & edge) != 0) {
            component_refuse(reader, at, "This is not a cell of the attraction, or appears twice.",
                             PARTS_END);
            continue;
        }
        attraction->cell[cell].plates |= (uint8_t)edge;
    }
    return component_count(list);
}

static bool has_cell(const struct superstore_attraction *attraction, unsigned count, int dx, int dy)
{
    for (unsigned i = 0; i < count; i++)
        if (attraction->cell[i].dx == dx && attraction->cell[i].dy == dy)
            return true;
    return false;
}

/* Cells in reading order from the lowest floor, joined to each other, with the base among them and
 * nothing below it. */
static void read_cells(struct component_reader *reader, component row,
                       struct superstore_attraction *attraction)
{
    component list = component_list(reader, row, "cells", 1, CELLS_MAX);
    attraction->cell_count = (uint8_t)component_count(list);
    for (unsigned i = 0; i < attraction->cell_count && component_good(reader); i++) {
        component at = component_list(reader, component_element(reader, list, i), NULL, 2, 2);
        int dx = component_number(reader, component_element(reader, at, 0), NULL, -1, 2);
        int dy = component_number(reader, component_element(reader, at, 1), NULL, -1, 2);
        const struct superstore_cell *before = &attraction->cell[i == 0 ? 0 : i - 1];
        if (i > 0 && (before->dy > dy || (before->dy == dy && before->dx >= dx)))
            component_refuse(
                reader, at,
                "Cells must be in order from the lowest row up, and in a row from left to right.",
                PARTS_END);
        attraction->cell[i] = (struct superstore_cell){(int8_t)dx, (int8_t)dy, 0};
    }
    if (!component_good(reader))
        return;
    if (!has_cell(attraction, attraction->cell_count, 0, 0) ||
        has_cell(attraction, attraction->cell_count, 0, -1)) {
        component_refuse(reader, list,
                         "The base [0, 0] must be a cell, and [0, -1] below it must not.",
                         PARTS_END);
        return;
    }
    uint8_t reached = 1;
    for (unsigned round = 0; round < CELLS_MAX; round++)
        for (unsigned i = 0; i < attraction->cell_count; i++)
            for (unsigned k = 0; k < attraction->cell_count; k++) {
                int dx = attraction->cell[i].dx - attraction->cell[k].dx;
                int dy = attraction->cell[i].dy - attraction->cell[k].dy;
                if ((reached >> k & 1) != 0 && dx * dx + dy * dy == 1)
                    reached |= (uint8_t)(1u << i);
            }
    if (reached != (1u << attraction->cell_count) - 1)
        component_refuse(reader, list, "The cells of an attraction must lie side by side.",
                         PARTS_END);
}

static void read_condition(struct component_reader *reader, component at,
                           const struct superstore_components *set, const char *text,
                           struct superstore_condition *condition)
{
    static const char *const kinds[] = {
        "elements",   "customers", "elements-in-line", "customers-in-line", "empty-entrances",
        "bank-notes", NULL};
    static const char *const lines[] = {"floor", "column", "diagonal", NULL};
    condition->kind = (uint8_t)component_word(reader, at, "kind", kinds);
    condition->category = NONE;
    condition->line = NONE;
    condition->min_floor = 1;
    condition->text = text;
    condition->count = (uint8_t)component_number(reader, at, "count", 1, COUNT_MAX);
    const bool counts = condition->kind == COUNT_ELEMENTS || condition->kind == COUNT_CUSTOMERS;
    if (counts || condition->kind == EMPTY_ENTRANCES)
        condition->min_floor = (uint8_t)component_number(reader, at, "min_floor", 1, FLOOR_MAX);
    if (condition->kind == ELEMENTS_IN_LINE || condition->kind == CUSTOMERS_IN_LINE)
        condition->line = (uint8_t)component_word(reader, at, "line", lines);
    if (!counts && condition->kind != ELEMENTS_IN_LINE)
        return;
    for (unsigned i = 0; i < 3 && component_good(reader); i++)
        if (component_is(reader, at, "category", no_category[i]))
            condition->category = (uint8_t)(ANY_CATEGORY + i);
    if (component_good(reader) && condition->category == NONE)
        condition->category =
            component_reference(reader, at, "category", categories(set, CATEGORIES), "category");
    if (condition->kind == ELEMENTS_IN_LINE && condition->category != SAME_CATEGORY)
        component_refuse(reader, component_member(reader, at, "category"),
                         "Elements in a line are those of the `same` category.", PARTS_END);
    if (condition->kind == COUNT_CUSTOMERS &&
        (condition->category == ENTRANCE || condition->category == SAME_CATEGORY))
        component_refuse(reader, component_member(reader, at, "category"),
                         "Customers are counted on stores of one category, of any, or of each.",
                         PARTS_END);
}

static void read_sides(struct component_reader *reader, component row,
                       struct superstore_components *set, struct superstore_attraction *attraction)
{
    component both = component_member(reader, row, "sides");
    for (unsigned i = 0; i < 2; i++) {
        component side = component_member(reader, both, sides[i]);
        read_condition(reader, side, set, component_title(reader, side, "text").at,
                       &attraction->side[i]);
    }
}

static void draw_attraction(struct superstore_attraction *attraction)
{
    attraction->doors = 0;
    attraction->body = 0;
    for (unsigned i = 0; i < attraction->cell_count; i++) {
        const struct superstore_cell *cell = &attraction->cell[i];
        const unsigned at = (unsigned)(DOOR_ROW * (cell->dy + DOOR_REACH) + cell->dx + DOOR_REACH);
        const uint64_t plates[] = {(cell->plates & EDGE_UP) != 0, (cell->plates & EDGE_RIGHT) != 0,
                                   (cell->plates & EDGE_DOWN) != 0,
                                   (cell->plates & EDGE_LEFT) != 0};
        attraction->doors |= plates[0] << (at + DOOR_ROW) | plates[1] << (at + 1) |
                             plates[2] << (at - DOOR_ROW) | plates[3] << (at - 1);
        attraction->body |= UINT64_C(1) << at;
    }
}

static void read_attractions(struct component_reader *reader, struct superstore_components *set)
{
    static const char *const groups[] = {"individual", "pink", "purple", NULL};
    component rows = component_rows(reader, "attractions", "items", ATTRACTIONS, ATTRACTIONS);
    unsigned platforms = 0;
    for (unsigned i = 0; i < ATTRACTIONS && component_good(reader); i++) {
        component row = component_element(reader, rows, i);
        struct superstore_attraction *attraction = &set->attractions[i];
        struct superstore_piece *piece = &set->pieces[FIRST_ATTRACTION + i];
        piece->name = piece_name(reader, row, set, FIRST_ATTRACTION + i);
        piece->title = component_title(reader, row, "name").at;
        piece->category = NONE;
        attraction->group = (uint8_t)component_word(reader, row, "group", groups);
        if (attraction->group != (i == 0 ? INDIVIDUAL : i <= PINK_ATTRACTIONS ? PINK : PURPLE))
            component_refuse(reader, component_member(reader, row, "group"),
                             "The first attraction is the individual one, three pink ones follow, "
                             "and then seven purple ones.",
                             PARTS_END);
        attraction->points = (uint8_t)component_number(reader, row, "points", 0, POINTS_MAX);
        read_cells(reader, row, attraction);
        component base = component_list(reader, row, "base_plate", 2, 2);
        component_fixed(reader, component_element(reader, base, 0), NULL, 0);
        component_fixed(reader, component_element(reader, base, 1), NULL, 0);
        for (unsigned k = 0; k < attraction->cell_count; k++)
            if (attraction->cell[k].dx == 0 && attraction->cell[k].dy == 0)
                attraction->cell[k].plates |= EDGE_DOWN;
        platforms += read_plates(reader, row, "platforms", attraction, EDGE_UP);
        (void)read_plates(reader, row, "left_plates", attraction, EDGE_LEFT);
        (void)read_plates(reader, row, "right_plates", attraction, EDGE_RIGHT);
        draw_attraction(attraction);
        if (attraction->group != INDIVIDUAL)
            read_sides(reader, row, set, attraction);
    }
    if (platforms > PLATES_IN_ALL)
        component_refuse(reader, rows, "All attractions have at most 24 platforms together.",
                         PARTS_END);
}

static void check_group(struct component_reader *reader, component table, const char *key,
                        const struct superstore_components *set, unsigned first, unsigned count)
{
    component list = component_list(reader, table, key, count, count);
    for (unsigned i = 0; i < count && component_good(reader); i++) {
        component at = component_element(reader, list, i);
        if (component_reference(reader, at, NULL,
                                NAMES(set->pieces + FIRST_ATTRACTION, ATTRACTIONS),
                                "attraction") != first + i)
            component_refuse(reader, at, "The attractions of a group must be in their order.",
                             PARTS_END);
    }
}

static void read_groups(struct component_reader *reader, struct superstore_components *set)
{
    component table = component_member(reader, component_root(reader), "attraction_groups");
    component draw = component_member(reader, table, "draw");
    set->pink_count = PINK_ATTRACTIONS;
    set->purple_count = ATTRACTIONS - 1 - PINK_ATTRACTIONS;
    check_group(reader, table, "pink", set, 1, set->pink_count);
    check_group(reader, table, "purple", set, 1 + PINK_ATTRACTIONS, set->purple_count);
    for (unsigned i = 0; i < MARKS; i++) {
        component drawn = component_member(reader, draw, seat_keys[i]);
        component_fixed(reader, drawn, "pink", PINK_DRAWN);
        set->purple_drawn[2 + i] =
            (uint8_t)component_number(reader, drawn, "purple", 1, COMMON_MAX - PINK_DRAWN);
    }
}

static void read_cards(struct component_reader *reader, struct superstore_components *set)
{
    component table = component_member(reader, component_root(reader), "individual_cards");
    component rows = component_list(reader, table, "items", CARDS, CARDS);
    if (component_reference(reader, table, "attraction",
                            NAMES(set->pieces + FIRST_ATTRACTION, ATTRACTIONS), "attraction") != 0)
        component_refuse(reader, component_member(reader, table, "attraction"),
                         "The cards belong to the individual attraction.", PARTS_END);
    for (unsigned i = 0; i < CARDS; i++) {
        component row = component_element(reader, rows, i);
        set->cards[i].name = component_new_name(reader, row, "id", NAMES(set->cards, i));
        read_condition(reader, component_member(reader, row, "condition"), set,
                       component_title(reader, row, "text").at, &set->cards[i].condition);
    }
}

/* Values of balloons: the best first, one fewer than there are seats. */
static void read_values(struct component_reader *reader, component table, const char *key,
                        unsigned seats, uint8_t values[static SEATS_MAX])
{
    component list = component_list(reader, table, key, seats - 1, seats - 1);
    for (unsigned i = 0; i + 1 < seats; i++) {
        values[i] = (uint8_t)component_number(reader, component_element(reader, list, i), NULL, 1,
                                              2 * POINTS_MAX);
        if (i > 0 && values[i] > values[i - 1])
            component_refuse(reader, list, "The best value must come first.", PARTS_END);
    }
}

static void read_balloons(struct component_reader *reader, struct superstore_components *set)
{
    component table = component_member(reader, component_root(reader), "balloons");
    component by_seats = component_member(reader, table, "by_seats");
    for (unsigned i = 0; i < MARKS; i++) {
        component values = component_member(reader, by_seats, seat_keys[i]);
        read_values(reader, values, "rainbow", 2 + i, set->rainbow_values[2 + i]);
        for (unsigned category = 0; category < STORE_CATEGORIES; category++) {
            uint8_t own[SEATS_MAX] = {0};
            uint8_t *to = category == 0 ? set->colour_values[2 + i] : own;
            read_values(reader, values, set->categories[category].at, 2 + i, to);
            if (component_good(reader) && memcmp(to, set->colour_values[2 + i], SEATS_MAX) != 0)
                component_refuse(reader, values, "The three colors must have the same values.",
                                 PARTS_END);
        }
    }
}

static void check_numbers(struct component_reader *reader)
{
    component root = component_root(reader);
    component identity = component_member(reader, root, "identity");
    component_fixed(reader, identity, "seats_min", SEATS_MIN);
    component_fixed(reader, identity, "seats_max", SEATS_MAX);
    component dispenser = component_member(reader, root, "dispenser");
    component_fixed(reader, dispenser, "rows", DISPENSER_ROWS);
    component costs =
        component_list(reader, dispenser, "cost_by_row", DISPENSER_ROWS, DISPENSER_ROWS);
    for (unsigned i = 0; i < DISPENSER_ROWS; i++)
        component_fixed(reader, component_element(reader, costs, i), NULL, (int32_t)i);
    component money = component_member(reader, root, "money");
    component_fixed(reader, money, "start_notes", START_NOTES);
    component_fixed(reader, money, "bank_start", 0);
    component_fixed(reader, component_member(reader, root, "customers"), "move_range", MOVE_RANGE);
}

void superstore_read_components(struct component_reader *reader, void *opaque)
{
    static const char *const display[] = {
        "title",   "ruleset_version",  "identity", "colour",     "columns",       "by_seats",
        "grid",    "individual_tiles", "order",    "fill_order", "pieces_in_box", "limit",
        "streams", "bounds",           NULL};
    struct superstore_components *set = opaque;
    component_pool(reader, set->pool, sizeof set->pool);
    read_categories(reader, set);
    read_stores(reader, set);
    read_entrances(reader, set);
    check_elements(reader, set);
    read_mains(reader, set);
    read_docks(reader, set);
    read_attractions(reader, set);
    read_groups(reader, set);
    read_cards(reader, set);
    read_balloons(reader, set);
    check_numbers(reader);
    component_finish(reader, display);
    if (!component_good(reader))
        return;
    component_sort(NAMES(set->pieces + FIRST_ATTRACTION, ATTRACTIONS),
                   set->attractions_in_byte_order);
    component_sort(NAMES(set->pieces + FIRST_DOCK, DOCKS), set->docks_in_byte_order);
}

/* ---- The grid ---- */

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

const uint8_t superstore_columns_in_byte_order[COLUMNS] = {
    15, 6,  5,  4,  3,  2,  1,  0,  14, 13, 12, 11, 10, 9,  8,  7,  16,
    17, 18, 27, 28, 29, 30, 31, 32, 33, 19, 20, 21, 22, 23, 24, 25, 26};
const uint8_t superstore_places_of_columns[COLUMNS] = {
    7,  6,  5,  4,  3,  2,  1,  15, 14, 13, 12, 11, 10, 9,  8,  0,  16,
    17, 18, 26, 27, 28, 29, 30, 31, 32, 33, 19, 20, 21, 22, 23, 24, 25};
const uint8_t superstore_floors_in_byte_order[FLOOR_MAX] = {
    1,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 2,  20, 21, 22, 23, 24, 25, 26, 27,
    28, 29, 3,  30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 4,  40, 5,  6,  7,  8,  9};

/* ---- Names ---- */

uint8_t superstore_piece_named(const struct superstore_components *set, struct span name,
                               uint8_t from, uint8_t to)
{
    for (uint8_t piece = from; piece < to; piece++)
        if (span_equal(set->pieces[piece].name, name))
            return piece;
    return NONE;
}

uint8_t superstore_wish_named(const struct superstore_components *set, struct span name)
{
    return names_find(NAMES_ALONE(set->wishes, WISHES), name);
}

uint8_t superstore_card_named(const struct superstore_components *set, struct span name)
{
    return names_find(NAMES(set->cards, CARDS), name);
}

uint8_t superstore_category_named(const struct superstore_components *set, struct span name)
{
    return names_find(NAMES_ALONE(set->categories, CATEGORIES), name);
}

/* `l16` .. `r16` without a table lookup: every ply reads a move. */
uint8_t superstore_column_named(struct span name)
{
    if (name.length < 2 || name.length > 3)
        return NONE;
    const unsigned tens = name.length == 3 ? (unsigned)(uint8_t)name.at[1] - '0' : 0;
    const unsigned units = (unsigned)(uint8_t)name.at[name.length - 1] - '0';
    const unsigned number = 10 * tens + units;
    if (tens > 9 || units > 9 || number == 0 || number > COLUMN_M1 ||
        (name.length == 3 && tens == 0))
        return NONE;
    if (name.at[0] == 'l')
        return (uint8_t)(COLUMN_M1 - number);
    if (name.at[0] == 'r')
        return (uint8_t)(COLUMN_M2 + number);
    if (name.at[0] == 'm' && number <= 2)
        return (uint8_t)(COLUMN_M1 - 1 + number);
    return NONE;
}

bool superstore_suits(const struct superstore_components *set, uint8_t wish, uint8_t store)
{
    return wish < WISH_ANY ? wish == store : wish - WISH_ANY == set->pieces[store].category;
}
