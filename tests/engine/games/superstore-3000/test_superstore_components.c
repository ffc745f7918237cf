/* The tables of Superstore 3000 against components.json, field by field: neither may say anything
 * that the other does not. */
#include <jansson.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/superstore-3000/rules.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct superstore_components *set;

static json_t *root;

FIXTURE(load)
{
    struct span data = game_components(game);
    root = json_loadb(data.at, data.length, 0, NULL);
    return root == NULL;
}

FIXTURE(unload)
{
    json_decref(root);
    return 0;
}

/* A value by its path: `get(root, "dispenser/rows")`. */
static const json_t *get(const json_t *from, const char *path)
{
    struct span rest = span_of(path);
    while (rest.length > 0 && from != NULL) {
        size_t length = 0;
        while (length < rest.length && rest.at[length] != '/')
            length++;
        char key[64] = {0};
        assert_true(length < sizeof key);
        memcpy(key, rest.at, length);
        from = json_object_get(from, key);
        size_t cut = length < rest.length ? length + 1 : length;
        rest = (struct span){rest.at + cut, rest.length - cut};
    }
    if (from == NULL)
        fail_msg("components.json has no %s", path);
    return from;
}

static json_int_t number(const json_t *from, const char *path)
{
    const json_t *value = get(from, path);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const char *text(const json_t *from, const char *path)
{
    const json_t *value = get(from, path);
    assert_true(json_is_string(value));
    return json_string_value(value);
}

static const json_t *items(const char *path, size_t count)
{
    const json_t *list = get(root, path);
    assert_int_equal(json_array_size(list), count);
    return list;
}

static void assert_name(struct span name, const char *expected)
{
    assert_int_equal(name.length, strlen(expected));
    assert_memory_equal(name.at, expected, name.length);
}

static uint8_t category_or_none(const json_t *value)
{
    if (json_is_null(value))
        return NONE;
    uint8_t category = superstore_category_named(set, span_of(json_string_value(value)));
    assert_int_not_equal(category, NONE);
    return category;
}

TEST(test_identity)
{
    assert_string_equal(game->slug, text(root, "slug"));
    assert_string_equal(game->title, text(root, "title"));
    assert_string_equal(game->version, text(root, "ruleset_version"));
    assert_int_equal(game->seats_min, number(root, "identity/seats_min"));
    assert_int_equal(game->seats_max, number(root, "identity/seats_max"));
    assert_int_equal(game->option_count, 0);
}

TEST(test_categories)
{
    const json_t *list = items("categories/items", CATEGORIES);
    for (unsigned i = 0; i < CATEGORIES; i++) {
        const json_t *item = json_array_get(list, i);
        assert_name(set->categories[i], text(item, "id"));
        assert_string_equal(set->category_titles[i], text(item, "name"));
        assert_int_equal(i < STORE_CATEGORIES, json_is_true(get(item, "is_store")));
    }
}

static void assert_wishes(const struct superstore_piece *piece, const json_t *wishes)
{
    assert_int_equal(piece->wish_count, json_array_size(wishes));
    for (unsigned i = 0; i < piece->wish_count; i++)
        assert_name(set->wishes[piece->wish[i]], json_string_value(json_array_get(wishes, i)));
}

TEST(test_stores)
{
    static const char *const marks[MARKS] = {"base", "3plus", "4"};
    const json_t *list = items("store_types/items", STORES);
    for (unsigned i = 0; i < STORES; i++) {
        const json_t *item = json_array_get(list, i);
        const struct superstore_piece *piece = &set->pieces[i];
        assert_name(piece->name, text(item, "id"));
        assert_name(set->wishes[i], text(item, "id"));
        assert_string_equal(piece->title, text(item, "name"));
        assert_string_equal(set->wish_titles[i], text(item, "name"));
        assert_name(set->categories[piece->category], text(item, "category"));
        assert_int_equal(piece->wish_count, 0);
        assert_int_equal(json_object_size(get(item, "copies")), MARKS);
        for (unsigned mark = 0; mark < MARKS; mark++)
            assert_int_equal(set->store_copies[mark][i], number(get(item, "copies"), marks[mark]));
    }
}

TEST(test_entrances)
{
    const json_t *list = items("entrances/items", ENTRANCES);
    json_int_t of_mark[MARKS] = {0};
    for (unsigned i = 0; i < ENTRANCES; i++) {
        const json_t *item = json_array_get(list, i);
        const struct superstore_piece *piece = &set->pieces[FIRST_ENTRANCE + i];
        assert_name(piece->name, text(item, "id"));
        assert_int_equal(piece->category, ENTRANCE);
        assert_wishes(piece, get(item, "wishes"));
        const char *mark = text(item, "mark");
        of_mark[strcmp(mark, "base") == 0 ? 0 : strcmp(mark, "3plus") == 0 ? 1 : 2]++;
    }
    for (unsigned mark = 0; mark < MARKS; mark++)
        assert_int_equal(set->mark_entrances[mark], of_mark[mark]);
}

/* The supply before it is shuffled, made visible by a fixed order that names nothing. */
TEST(test_mall_element_list)
{
    const json_t *list = items("mall_element_list/items", SUPPLY_MAX);
    struct chance_stacks stacks = {.count = 0};
    assert_true(chance_stack_add(&stacks, span_of("supply"), span_of("")));
    struct chance chance = {.stacks = &stacks};
    struct game_options options = {{0}};
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        char key[8] = {(char)('0' + seats), '\0'};
        struct superstore_state table;
        superstore_setup(game, &table, seats, &options, &chance);
        assert_int_equal(table.supply_end, number(get(root, "marks/tiles"), key));
        assert_int_equal(json_array_size(get(get(root, "marks/by_seats"), key)), seats - 1);
        for (unsigned i = 0; i < table.supply_end; i++)
            assert_name(set->pieces[table.supply[i]].name,
                        json_string_value(json_array_get(list, i)));
    }
}

TEST(test_main_entrances)
{
    const json_t *list = items("main_entrances/items", MAINS);
    for (unsigned i = 0; i < MAINS; i++) {
        const json_t *item = json_array_get(list, i);
        assert_name(set->pieces[FIRST_MAIN + i].name, text(item, "id"));
        assert_int_equal(set->pieces[FIRST_MAIN + i].category, NONE);
        assert_wishes(&set->pieces[FIRST_MAIN + i], get(item, "wishes"));
    }
    const json_t *columns = items("main_entrances/columns", 2);
    assert_int_equal(number(root, "main_entrances/width"), 2);
    assert_int_equal(number(root, "main_entrances/floor"), 1);
    assert_name(superstore_columns[COLUMN_M1], json_string_value(json_array_get(columns, 0)));
    assert_name(superstore_columns[COLUMN_M2], json_string_value(json_array_get(columns, 1)));
}

TEST(test_docking_bays)
{
    const json_t *list = items("docking_bays/items", DOCKS);
    for (unsigned i = 0; i < DOCKS; i++) {
        const json_t *item = json_array_get(list, i);
        const struct superstore_piece *piece = &set->pieces[FIRST_DOCK + i];
        const struct superstore_dock *dock = &set->docks[i];
        const char *effect = text(item, "effect");
        bool counts = strcmp(effect, "column-points") == 0;
        bool brings = strcmp(effect, "customer") == 0;
        assert_true(counts || brings || strcmp(effect, "none") == 0);
        assert_name(piece->name, text(item, "id"));
        assert_string_equal(dock->colour == GRAY ? "gray" : "brown", text(item, "colour"));
        assert_int_equal(dock->points, number(item, "points"));
        uint8_t category = category_or_none(get(item, "category"));
        assert_int_equal(dock->column_points, counts ? category : NONE);
        assert_int_equal(piece->wish_count, brings);
        assert_int_equal(json_is_null(get(item, "wish")), !brings);
        if (brings) {
            assert_name(set->wishes[piece->wish[0]], text(item, "wish"));
            assert_int_equal(piece->wish[0], WISH_ANY + category);
        }
    }
    assert_int_equal(set->dock_requirement[GRAY], number(root, "docking_bays/requirement/gray"));
    assert_int_equal(set->dock_requirement[BROWN], number(root, "docking_bays/requirement/brown"));
    assert_int_equal(number(root, "docking_bays/width"), 1);
    assert_int_equal(number(root, "docking_bays/floor"), 1);
}

static uint8_t find_word(const char *word, const char *const *words)
{
    for (uint8_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    fail_msg("unknown word %s", word);
    return NONE;
}

static void assert_condition(const struct superstore_condition *condition, const json_t *item,
                             const char *sentence)
{
    static const char *const kinds[] = {
        "elements",   "customers", "elements-in-line", "customers-in-line", "empty-entrances",
        "bank-notes", NULL};
    static const char *const lines[] = {"floor", "column", "diagonal", NULL};
    static const char *const categories[] = {"food", "hobby", "fashion", "entrance",
                                             "any",  "same",  "each",    NULL};
    const json_t *category = json_object_get(item, "category");
    const json_t *line = json_object_get(item, "line");
    const json_t *floor = json_object_get(item, "min_floor");
    assert_int_equal(condition->kind, find_word(text(item, "kind"), kinds));
    assert_int_equal(condition->count, number(item, "count"));
    assert_int_equal(condition->category,
                     category == NULL ? NONE : find_word(json_string_value(category), categories));
    assert_int_equal(condition->line,
                     line == NULL ? NONE : find_word(json_string_value(line), lines));
    assert_int_equal(condition->min_floor, floor == NULL ? 1 : json_integer_value(floor));
    assert_string_equal(condition->text, sentence);
}

static bool lists_cell(const json_t *list, const struct superstore_cell *cell)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        if (json_integer_value(json_array_get(pair, 0)) == cell->dx &&
            json_integer_value(json_array_get(pair, 1)) == cell->dy)
            return true;
    }
    return false;
}

static void assert_shape(const struct superstore_attraction *attraction, const json_t *item)
{
    static const struct {
        const char *key;
        unsigned edge;
    } plates[] = {{"platforms", EDGE_UP}, {"left_plates", EDGE_LEFT}, {"right_plates", EDGE_RIGHT}};
    size_t found[3] = {0};
    assert_int_equal(attraction->cell_count, json_array_size(get(item, "cells")));
    for (unsigned i = 0; i < attraction->cell_count; i++) {
        const struct superstore_cell *cell = &attraction->cell[i];
        bool base = cell->dx == 0 && cell->dy == 0;
        const json_t *pair = json_array_get(get(item, "cells"), i);
        assert_int_equal(cell->dx, json_integer_value(json_array_get(pair, 0)));
        assert_int_equal(cell->dy, json_integer_value(json_array_get(pair, 1)));
        assert_int_equal((cell->plates & EDGE_DOWN) != 0, base);
        for (unsigned j = 0; j < 3; j++) {
            bool plate = (cell->plates & plates[j].edge) != 0;
            assert_int_equal(plate, lists_cell(get(item, plates[j].key), cell));
            found[j] += plate;
        }
    }
    for (unsigned j = 0; j < 3; j++)
        assert_int_equal(found[j], json_array_size(get(item, plates[j].key)));
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(json_integer_value(json_array_get(get(item, "base_plate"), i)), 0);
}

TEST(test_attractions)
{
    static const char *const groups[] = {"individual", "pink", "purple", NULL};
    const json_t *list = items("attractions/items", ATTRACTIONS);
    for (unsigned i = 0; i < ATTRACTIONS; i++) {
        const json_t *item = json_array_get(list, i);
        const struct superstore_attraction *attraction = &set->attractions[i];
        const struct superstore_piece *piece = &set->pieces[FIRST_ATTRACTION + i];
        assert_name(piece->name, text(item, "id"));
        assert_string_equal(piece->title, text(item, "name"));
        assert_int_equal(attraction->group, find_word(text(item, "group"), groups));
        assert_int_equal(attraction->points, number(item, "points"));
        assert_shape(attraction, item);
        if (i == 0) {
            assert_null(json_object_get(item, "sides"));
            continue;
        }
        assert_int_equal(json_object_size(get(item, "sides")), 2);
        const json_t *a = get(item, "sides/a");
        const json_t *b = get(item, "sides/b");
        assert_condition(&attraction->side[0], a, text(a, "text"));
        assert_condition(&attraction->side[1], b, text(b, "text"));
    }
}

TEST(test_groups)
{
    const json_t *pink = items("attraction_groups/pink", set->pink_count);
    const json_t *purple = items("attraction_groups/purple", set->purple_count);
    for (unsigned i = 0; i < set->pink_count; i++) {
        assert_int_equal(set->attractions[1 + i].group, PINK);
        assert_name(set->pieces[FIRST_ATTRACTION + 1 + i].name,
                    json_string_value(json_array_get(pink, i)));
    }
    for (unsigned i = 0; i < set->purple_count; i++) {
        unsigned attraction = 1u + set->pink_count + i;
        assert_int_equal(set->attractions[attraction].group, PURPLE);
        assert_name(set->pieces[FIRST_ATTRACTION + attraction].name,
                    json_string_value(json_array_get(purple, i)));
    }
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        char key[8] = {(char)('0' + seats), '\0'};
        const json_t *draw = get(get(root, "attraction_groups/draw"), key);
        assert_int_equal(number(draw, "pink"), PINK_DRAWN);
        assert_int_equal(number(draw, "purple"), set->purple_drawn[seats]);
    }
}

TEST(test_cards)
{
    const json_t *list = items("individual_cards/items", CARDS);
    assert_name(set->pieces[FIRST_ATTRACTION].name, text(root, "individual_cards/attraction"));
    for (unsigned i = 0; i < CARDS; i++) {
        const json_t *item = json_array_get(list, i);
        assert_name(set->cards[i].name, text(item, "id"));
        assert_condition(&set->cards[i].condition, get(item, "condition"), text(item, "text"));
    }
}

static void assert_values(const uint8_t values[static SEATS_MAX], const json_t *list)
{
    for (unsigned place = 0; place < SEATS_MAX; place++)
        assert_int_equal(values[place], place < json_array_size(list)
                                            ? json_integer_value(json_array_get(list, place))
                                            : 0);
}

TEST(test_balloons)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        char key[8] = {(char)('0' + seats), '\0'};
        const json_t *values = get(get(root, "balloons/by_seats"), key);
        assert_values(set->rainbow_values[seats], get(values, "rainbow"));
        assert_values(set->colour_values[seats], get(values, "hobby"));
        assert_values(set->colour_values[seats], get(values, "food"));
        assert_values(set->colour_values[seats], get(values, "fashion"));
    }
}

TEST(test_numbers)
{
    assert_int_equal(json_array_size(get(root, "dispenser/columns")), DISPENSER_COLUMNS);
    assert_int_equal(number(root, "dispenser/rows"), DISPENSER_ROWS);
    for (unsigned row = 0; row < DISPENSER_ROWS; row++)
        assert_int_equal(
            json_integer_value(json_array_get(get(root, "dispenser/cost_by_row"), row)), row);
    assert_int_equal(number(root, "money/start_notes"), START_NOTES);
    assert_int_equal(number(root, "money/bank_start"), 0);
    assert_int_equal(number(root, "customers/move_range"), MOVE_RANGE);
    assert_true(json_is_null(get(root, "customers/limit")));
}

TEST(test_bounds)
{
    assert_name(superstore_columns[0], text(root, "bounds/column_min"));
    assert_name(superstore_columns[COLUMNS - 1], text(root, "bounds/column_max"));
    assert_int_equal(FLOOR_MAX, number(root, "bounds/floor_max"));
    assert_int_equal(game->plies_max, number(root, "bounds/plies/4"));
    assert_true((json_int_t)game->legal_max >= number(root, "bounds/act_moves"));
    assert_true((json_int_t)game->legal_max >= number(root, "bounds/serve_moves"));
    assert_true(TILES_MAX >= number(root, "bounds/tiles_per_mall"));
}

/* The streams that the set-up draws from: fixing all of them takes all chance out of it. */
TEST(test_streams)
{
    const json_t *list = items("streams/items", 7);
    struct chance_stacks stacks = {.count = 0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *stream = text(json_array_get(list, i), "id");
        const char *fixed = strcmp(stream, "first") == 0 ? "1" : "";
        assert_true(chance_stack_add(&stacks, span_of(stream), span_of(fixed)));
    }
    struct game_options options = {{0}};
    struct chance one = {.seed = {1}, .stacks = &stacks};
    struct chance two = {.seed = {2}, .stacks = &stacks};
    struct superstore_state first;
    struct superstore_state second;
    superstore_setup(game, &first, 4, &options, &one);
    superstore_setup(game, &second, 4, &options, &two);
    assert_memory_equal(&first, &second, sizeof first);
}

/* Names in byte order, and every index once. */
static void assert_order(const struct span *names, size_t stride, const uint8_t *order,
                         size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct span *a = (const void *)((const char *)names + order[i - 1] * stride);
        const struct span *b = (const void *)((const char *)names + order[i] * stride);
        assert_true(span_compare(*a, *b) < 0);
    }
}

TEST(test_byte_orders)
{
    assert_order(&set->pieces[FIRST_ATTRACTION].name, sizeof set->pieces[0],
                 set->attractions_in_byte_order, ATTRACTIONS);
    assert_order(&set->pieces[FIRST_DOCK].name, sizeof set->pieces[0], set->docks_in_byte_order,
                 DOCKS);
    assert_order(superstore_columns, sizeof superstore_columns[0], superstore_columns_in_byte_order,
                 COLUMNS);
    for (unsigned i = 1; i < FLOOR_MAX; i++) {
        char a[8];
        char b[8];
        struct text one = TEXT_OVER(a);
        struct text two = TEXT_OVER(b);
        text_add_number(&one, superstore_floors_in_byte_order[i - 1]);
        text_add_number(&two, superstore_floors_in_byte_order[i]);
        assert_true(span_compare(text_span(&one), text_span(&two)) < 0);
    }
}

TEST(test_columns)
{
    for (unsigned column = 0; column < COLUMNS; column++)
        assert_int_equal(superstore_column_named(superstore_columns[column]), column);
    static const char *const wrong[] = {"",    "l",  "l0", "l01", "l17", "m0", "m3",
                                        "r17", "r0", "x1", "r-1", "l1 ", "M1", "m01"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(superstore_column_named(span_of(wrong[i])), NONE);
}

int main(void)
{
    game = catalog_newest(span_of("superstore-3000"));
    set = game->set;
    return run_all_tests(load, unload);
}
