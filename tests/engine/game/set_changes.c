#include "tests/engine/game/set_changes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns ---- */

enum { PLACES = 16384, COLUMN_NAME = 160 };

/* A value of the file, by what it stands in. */
struct place {
    json_t *parent;
    const char *key; /* NULL in a list */
    size_t index;
    uint64_t column; /* a hash of its name */
};

struct places {
    struct place at[PLACES];
    size_t count;
};

static uint64_t mix(uint64_t hash, const char *word)
{
    for (; *word != '\0'; word++)
        hash = (hash ^ (unsigned char)*word) * UINT64_C(0x100000001b3);
    return (hash ^ '/') * UINT64_C(0x100000001b3);
}

static void find_places(struct places *places, json_t *value, uint64_t column)
{
    const char *key;
    json_t *child;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, child)
        {
            if (strcmp(key, "provenance") == 0)
                continue;
            assert(places->count < PLACES);
            places->at[places->count++] = (struct place){value, key, 0, mix(column, key)};
            find_places(places, child, mix(column, key));
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, child)
        {
            assert(places->count < PLACES);
            places->at[places->count++] = (struct place){value, NULL, i, mix(column, "*")};
            find_places(places, child, mix(column, "*"));
        }
    }
}

static json_t *value_at(const struct place *place)
{
    return place->key != NULL ? json_object_get(place->parent, place->key)
                              : json_array_get(place->parent, place->index);
}

/* Takes over `value`. */
static void put(const struct place *place, json_t *value)
{
    if (place->key != NULL)
        json_object_set_new(place->parent, place->key, value);
    else
        json_array_set_new(place->parent, place->index, value);
}

/* The places of a column, each column as likely as the other, moved to the beginning. */
static size_t choose_column(struct places *places, struct dice *dice)
{
    const uint64_t salt = (uint64_t)dice_below(dice, UINT32_MAX) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t best = UINT64_MAX;
    uint64_t column = 0;
    size_t count = 0;
    for (size_t i = 0; i < places->count; i++) {
        uint64_t rank = (places->at[i].column ^ salt) * UINT64_C(0xd6e8feb86659fd93);
        rank = (rank ^ rank >> 32) * UINT64_C(0xd6e8feb86659fd93);
        if (rank < best) {
            best = rank;
            column = places->at[i].column;
        }
    }
    for (size_t i = 0; i < places->count; i++) {
        if (places->at[i].column != column)
            continue;
        struct place place = places->at[i];
        places->at[i] = places->at[count];
        places->at[count++] = place;
    }
    return count;
}

/* ---- Changes of values ---- */

static void exchange(const struct place *a, const struct place *b)
{
    json_t *first = json_deep_copy(value_at(a));
    json_t *second = json_deep_copy(value_at(b));
    put(a, second);
    put(b, first);
}

static void change_number(const struct place *a, const struct place *b, struct dice *dice)
{
    const json_int_t value = json_integer_value(value_at(a));
    const json_int_t by = 1 + (json_int_t)dice_below(dice, 3);
    switch (dice_below(dice, 4)) {
    case 0:
        put(a, json_integer(value + (dice_one_in(dice, 2) ? by : -by)));
        return;
    case 1:
        put(a, json_integer((json_int_t)dice_below(dice, (size_t)(2 * llabs(value) + 4))));
        return;
    case 2: /* totals stay */
        put(a, json_integer(value + by));
        put(b, json_integer(json_integer_value(value_at(b)) - by));
        return;
    default:
        exchange(a, b);
    }
}

/* Every string `from` of the file becomes `to`, and the other way round. */
static void rename_all(json_t *value, const char *from, const char *to)
{
    const char *key;
    json_t *child;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, child)
        {
            rename_all(child, from, to);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, child)
        {
            rename_all(child, from, to);
        }
    } else if (json_is_string(value)) {
        if (strcmp(json_string_value(value), from) == 0)
            json_string_set(value, to);
        else if (strcmp(json_string_value(value), to) == 0)
            json_string_set(value, from);
    }
}

/* One character of one drawing changes its place with another, maybe in another line. */
static void exchange_characters(const struct place *a, const struct place *b, struct dice *dice)
{
    char first[COLUMN_NAME];
    char second[COLUMN_NAME];
    bool same = value_at(a) == value_at(b);
    int lengths = snprintf(first, sizeof first, "%s", json_string_value(value_at(a)));
    int other = snprintf(second, sizeof second, "%s", json_string_value(value_at(b)));
    if (lengths < 1 || other < 1 || lengths >= COLUMN_NAME || other >= COLUMN_NAME)
        return;
    char *one = &first[dice_below(dice, (size_t)lengths)];
    char *two = &(same ? first : second)[dice_below(dice, (size_t)other)];
    char kept = *one;
    *one = *two;
    *two = kept;
    put(a, json_string(first));
    if (!same)
        put(b, json_string(second));
}

static void change_string(json_t *set, const struct place *a, const struct place *b,
                          struct dice *dice)
{
    char name[COLUMN_NAME];
    char other[COLUMN_NAME];
    snprintf(name, sizeof name, "%s", json_string_value(value_at(a)));
    switch (dice_below(dice, 5)) {
    case 0:
        exchange(a, b);
        return;
    case 1:
        put(a, json_deep_copy(value_at(b)));
        return;
    case 2:
        exchange_characters(a, b, dice);
        return;
    case 3:
        snprintf(other, sizeof other, "%s", json_string_value(value_at(b)));
        rename_all(set, name, other);
        return;
    default:
        snprintf(other, sizeof other, "n-%x", (unsigned)dice_below(dice, 1u << 24));
        rename_all(set, name, other);
    }
}

static void change_list(json_t *list, struct dice *dice)
{
    size_t count = json_array_size(list);
    if (count == 0)
        return;
    struct place a = {list, NULL, dice_below(dice, count), 0};
    struct place b = {list, NULL, dice_below(dice, count), 0};
    switch (dice_below(dice, 4)) {
    case 0:
        json_array_remove(list, a.index);
        return;
    case 1:
        json_array_insert_new(list, b.index, json_deep_copy(value_at(&a)));
        return;
    default:
        exchange(&a, &b);
    }
}

static void change_column(json_t *set, struct dice *dice)
{
    static struct places places;
    places.count = 0;
    find_places(&places, set, UINT64_C(0xcbf29ce484222325));
    size_t count = choose_column(&places, dice);
    const struct place *a = &places.at[dice_below(dice, count)];
    const struct place *b = &places.at[dice_below(dice, count)];
    json_t *value = value_at(a);
    const bool alike = json_typeof(value) == json_typeof(value_at(b));
    if (alike && json_is_integer(value))
        change_number(a, b, dice);
    else if (alike && json_is_string(value))
        change_string(set, a, b, dice);
    else if (alike && json_is_boolean(value))
        put(a, json_boolean(!json_is_true(value)));
    else if (alike && json_is_array(value) && !dice_one_in(dice, 4))
        change_list(value, dice);
    else
        exchange(a, b);
}

/* ---- Changes of maps, and what a file says twice ---- */

static json_t *rows_of(json_t *set, const char *table, const char *rows)
{
    return json_object_get(json_object_get(set, table), rows);
}

static const char *word(const json_t *row, const char *key)
{
    const char *value = json_string_value(json_object_get(row, key));
    return value == NULL ? "" : value;
}

/* Element i of a row that is a list; an empty string if a change has broken the row. */
static const char *end_of(const json_t *row, size_t i)
{
    const char *value = json_string_value(json_array_get(row, i));
    return value == NULL ? "" : value;
}

static json_t *any_row(json_t *rows, struct dice *dice)
{
    size_t count = json_array_size(rows);
    return count == 0 ? NULL : json_array_get(rows, dice_below(dice, count));
}

/* The rows of every list are numbered as they lie. */
static void renumber(json_t *value)
{
    const char *key;
    json_t *child;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, child)
        {
            renumber(child);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, child)
        {
            if (json_object_get(child, "index") != NULL)
                json_object_set_new(child, "index", json_integer((json_int_t)i));
            renumber(child);
        }
    }
}

static int compare_pairs(const json_t *first, const json_t *second)
{
    int order = 0;
    if (json_is_array(first)) {
        for (size_t i = 0; i < 2 && order == 0; i++)
            order = strcmp(end_of(first, i), end_of(second, i));
        return order;
    }
    order = strcmp(word(first, "a"), word(second, "a"));
    return order != 0 ? order : strcmp(word(first, "b"), word(second, "b"));
}

/* Puts pairs into the byte order of their ends. */
static void sort_pairs(json_t *rows)
{
    for (size_t i = 1; i < json_array_size(rows); i++) {
        json_t *row = json_incref(json_array_get(rows, i));
        size_t at = i;
        while (at > 0 && compare_pairs(json_array_get(rows, at - 1), row) > 0)
            at--;
        json_array_remove(rows, i);
        json_array_insert_new(rows, at, row);
    }
}

static void change_shinjuku(json_t *set, struct dice *dice)
{
    json_t *connections = rows_of(set, "connections", "rows");
    json_t *adjacency = rows_of(set, "ward_adjacency", "rows");
    json_t *stations = rows_of(set, "stations", "rows");
    json_t *wards = rows_of(set, "wards", "rows");
    const char *a = word(any_row(stations, dice), "id");
    const char *b = word(any_row(stations, dice), "id");
    const char *one = word(any_row(wards, dice), "id");
    const char *other = word(any_row(wards, dice), "id");
    switch (dice_below(dice, 5)) {
    case 0:
        json_array_remove(connections, dice_below(dice, json_array_size(connections)));
        return;
    case 1:
        json_array_append_new(connections, json_pack("{s:i, s:s, s:s, s:b}", "index", 0, "a",
                                                     strcmp(a, b) < 0 ? a : b, "b",
                                                     strcmp(a, b) < 0 ? b : a, "permanent", 0));
        return;
    case 2:
        json_array_remove(adjacency, dice_below(dice, json_array_size(adjacency)));
        return;
    case 3:
        json_array_append_new(adjacency, strcmp(one, other) < 0 ? json_pack("[s, s]", one, other)
                                                                : json_pack("[s, s]", other, one));
        return;
    default:
        json_object_set_new(any_row(stations, dice), "ward", json_string(one));
    }
}

static void settle_shinjuku(json_t *set)
{
    json_t *adjacency = rows_of(set, "ward_adjacency", "rows");
    json_t *ward, *row;
    size_t i, k;
    sort_pairs(rows_of(set, "connections", "rows"));
    sort_pairs(adjacency);
    json_array_foreach(rows_of(set, "wards", "rows"), i, ward)
    {
        json_t *neighbours = json_array();
        json_t *stations = json_array();
        const char *name = word(ward, "id");
        /* In a pair the lower name stands first: those before the ward, then those after it. */
        for (unsigned side = 2; side-- > 0;)
            json_array_foreach(adjacency, k, row)
            {
                if (strcmp(end_of(row, side), name) == 0)
                    json_array_append(neighbours, json_array_get(row, 1 - side));
            }
        json_array_foreach(rows_of(set, "stations", "rows"), k, row)
        {
            if (strcmp(word(row, "ward"), name) == 0)
                json_array_append(stations, json_object_get(row, "id"));
        }
        json_object_set_new(ward, "neighbours", neighbours);
        json_object_set_new(ward, "stations", stations);
    }
}

enum { PLAN_ROWS = 7, PLAN_COLUMNS = 8, PLAN_ROOMS = 36 };

/* Moves a room of the plan. */
static void change_mall_world(json_t *set, struct dice *dice)
{
    const json_t *plan = rows_of(set, "board", "plan");
    const size_t rooms = 1 + dice_below(dice, 2);
    for (size_t i = 0; i < rooms; i++) {
        struct place a = {(json_t *)plan, NULL, dice_below(dice, PLAN_ROWS), 0};
        struct place b = {(json_t *)plan, NULL, dice_below(dice, PLAN_ROWS), 0};
        exchange_characters(&a, &b, dice);
    }
}

static json_t *room_name(unsigned square)
{
    const char name[] = {(char)('a' + square % PLAN_COLUMNS), (char)('1' + square / PLAN_COLUMNS),
                         '\0'};
    return json_string(name);
}

static bool is_beside(unsigned a, unsigned b)
{
    unsigned columns = a % PLAN_COLUMNS > b % PLAN_COLUMNS ? a % PLAN_COLUMNS - b % PLAN_COLUMNS
                                                           : b % PLAN_COLUMNS - a % PLAN_COLUMNS;
    unsigned rows = a / PLAN_COLUMNS > b / PLAN_COLUMNS ? a / PLAN_COLUMNS - b / PLAN_COLUMNS
                                                        : b / PLAN_COLUMNS - a / PLAN_COLUMNS;
    return columns + rows == 1;
}

static void set_rooms(json_t *board, const unsigned *room, unsigned count)
{
    static const int around[] = {-PLAN_COLUMNS, -1, 1, PLAN_COLUMNS};
    json_t *rows = json_array();
    unsigned sides = 0;
    for (unsigned i = 0; i < count; i++) {
        json_t *neighbours = json_array();
        const char column[] = {(char)('a' + room[i] % PLAN_COLUMNS), '\0'};
        for (unsigned way = 0; way < 4; way++)
            for (unsigned k = 0; k < count; k++)
                if ((int)room[k] == (int)room[i] + around[way] && is_beside(room[i], room[k]))
                    json_array_append_new(neighbours, room_name(room[k]));
        sides += (unsigned)json_array_size(neighbours);
        json_array_append_new(rows, json_pack("{s:i, s:o, s:s, s:i, s:o}", "index", (int)i, "id",
                                              room_name(room[i]), "column", column, "row",
                                              (int)(room[i] / PLAN_COLUMNS + 1), "neighbours",
                                              neighbours));
    }
    json_object_set_new(board, "rooms", rows);
    json_object_set_new(board, "edges", json_integer((json_int_t)sides / 2));
}

static void settle_mall_world(json_t *set, struct dice *dice)
{
    json_t *board = json_object_get(set, "board");
    json_t *trios = json_array();
    json_t *opening = json_object_get(set, "fixed_opening");
    unsigned room[PLAN_ROOMS];
    unsigned count = 0;
    for (unsigned square = 0; square < PLAN_ROWS * PLAN_COLUMNS; square++) {
        const char *line = end_of(json_object_get(board, "plan"), square / PLAN_COLUMNS);
        if (strlen(line) == PLAN_COLUMNS && count < PLAN_ROOMS &&
            line[square % PLAN_COLUMNS] == '#')
            room[count++] = square;
    }
    set_rooms(board, room, count);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = a + 1; b < count; b++)
            for (unsigned c = b + 1; c < count; c++)
                if (is_beside(room[a], room[b]) + is_beside(room[b], room[c]) +
                        is_beside(room[a], room[c]) >
                    1)
                    json_array_append_new(trios, json_pack("[o, o, o]", room_name(room[a]),
                                                           room_name(room[b]), room_name(room[c])));
    json_object_set_new(json_object_get(set, "trios"), "count",
                        json_integer((json_int_t)json_array_size(trios)));
    json_object_set_new(json_object_get(set, "trios"), "items", trios);
    if (count == 0 || !dice_one_in(dice, 2))
        return;
    /* Another opening, since the room of one may be gone. */
    json_object_set_new(opening, "storage-room", json_deep_copy(any_row(trios, dice)));
    json_object_set_new(opening, "bathroom", json_deep_copy(any_row(trios, dice)));
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(opening, "tiles"), i, row)
    {
        json_object_set_new(row, "room", room_name(room[dice_below(dice, count)]));
    }
}

enum { SHAPE = 4, SPACES = 7, TURNS = 8 };

struct offsets {
    int at[SPACES][2];
    unsigned count;
};

static int compare_offsets(const void *a, const void *b)
{
    return (((const int *)a)[0] != ((const int *)b)[0] ? ((const int *)a)[0] - ((const int *)b)[0]
                                                       : ((const int *)a)[1] - ((const int *)b)[1]);
}

/* Where the spaces of a turned and mirrored shape lie, from the first one. */
static struct offsets turned(const struct offsets *shape, unsigned turn)
{
    struct offsets image = {.count = shape->count};
    for (unsigned i = 0; i < shape->count; i++) {
        int row = shape->at[i][0];
        int column = shape->at[i][1];
        if ((turn & 4) != 0)
            column = -column;
        for (unsigned quarter = 0; quarter < (turn & 3); quarter++) {
            int kept = row;
            row = column;
            column = -kept;
        }
        image.at[i][0] = row;
        image.at[i][1] = column;
    }
    qsort(image.at, image.count, sizeof image.at[0], compare_offsets);
    for (unsigned i = image.count; i-- > 0;) {
        image.at[i][0] -= image.at[0][0];
        image.at[i][1] -= image.at[0][1];
    }
    return image;
}

static int compare_images(const void *a, const void *b)
{
    const struct offsets *first = a;
    const struct offsets *second = b;
    for (unsigned i = 0; i < first->count; i++) {
        int order = compare_offsets(first->at[i], second->at[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static void change_motherload(json_t *set, struct dice *dice)
{
    json_t *pattern = any_row(rows_of(set, "bomb_patterns", "list"), dice);
    json_t *shape = json_object_get(pattern, "shape");
    size_t at = dice_below(dice, json_array_size(shape));
    char line[SHAPE + 1];
    snprintf(line, sizeof line, "%s", end_of(shape, at));
    char *space = &line[dice_below(dice, strlen(line))];
    *space = *space == '#' ? '.' : '#';
    json_array_set_new(shape, at, json_string(line));
}

static void settle_motherload(json_t *set)
{
    json_t *pattern, *line;
    size_t i, row;
    json_array_foreach(rows_of(set, "bomb_patterns", "list"), i, pattern)
    {
        struct offsets shape = {.count = 0};
        struct offsets image[TURNS];
        json_t *orientations = json_array();
        json_array_foreach(json_object_get(pattern, "shape"), row, line)
        {
            const char *spaces = json_string_value(line);
            for (int column = 0; spaces != NULL && spaces[column] != '\0'; column++)
                if (spaces[column] == '#' && shape.count < SPACES) {
                    shape.at[shape.count][0] = (int)row;
                    shape.at[shape.count++][1] = column;
                }
        }
        for (unsigned turn = 0; turn < TURNS; turn++)
            image[turn] = turned(&shape, turn);
        qsort(image, TURNS, sizeof image[0], compare_images);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            if (turn > 0 && compare_images(&image[turn - 1], &image[turn]) == 0)
                continue;
            json_t *list = json_array();
            for (unsigned k = 0; k < shape.count; k++)
                json_array_append_new(
                    list, json_pack("[i, i]", image[turn].at[k][0], image[turn].at[k][1]));
            json_array_append_new(orientations, list);
        }
        json_object_set_new(pattern, "orientations", orientations);
        json_object_set_new(pattern, "spaces", json_integer(shape.count));
    }
}

static void settle_superstore(json_t *set)
{
    static const char *const marks[] = {"base", "3plus", "4"};
    json_t *list = json_array();
    json_t *row;
    size_t i;
    for (unsigned mark = 0; mark < 3; mark++) {
        json_array_foreach(rows_of(set, "store_types", "items"), i, row)
        {
            json_int_t copies =
                json_integer_value(json_object_get(json_object_get(row, "copies"), marks[mark]));
            for (json_int_t k = 0; k < copies && k < 100; k++)
                json_array_append(list, json_object_get(row, "id"));
        }
        json_array_foreach(rows_of(set, "entrances", "items"), i, row)
        {
            if (strcmp(word(row, "mark"), marks[mark]) == 0)
                json_array_append(list, json_object_get(row, "id"));
        }
    }
    json_object_set_new(json_object_get(set, "mall_element_list"), "items", list);
}

static void change(const char *slug, json_t *set, struct dice *dice)
{
    bool map = dice_one_in(dice, 4);
    bool mall = strcmp(slug, "mall-world") == 0;
    if (map && strcmp(slug, "shinjuku") == 0)
        change_shinjuku(set, dice);
    else if (map && mall)
        change_mall_world(set, dice);
    else if (map && strcmp(slug, "super-motherload") == 0)
        change_motherload(set, dice);
    else
        change_column(set, dice);
    renumber(set);
    if (strcmp(slug, "shinjuku") == 0)
        settle_shinjuku(set);
    else if (mall && map)
        settle_mall_world(set, dice);
    else if (strcmp(slug, "super-motherload") == 0)
        settle_motherload(set);
    else if (strcmp(slug, "superstore-3000") == 0)
        settle_superstore(set);
}

/* ---- Whole sets ---- */

static json_t *load(const struct game *game)
{
    struct span text = game_components(game);
    json_t *set = json_loadb(text.at, text.length, 0, NULL);
    assert(set != NULL);
    return set;
}

/* The game with this set, or NULL. */
static struct game *game_of(const struct game *rules, const json_t *set)
{
    struct component_fault fault;
    char *text = json_dumps(set, JSON_INDENT(1));
    assert(text != NULL);
    struct game *game = component_set_game(rules, span_of(text), &fault);
    free(text);
    return game;
}

struct game *set_changed(const struct game *rules, uint32_t number, unsigned attempts,
                         unsigned *steps)
{
    struct dice dice;
    json_t *set = load(rules);
    struct game *game = game_of(rules, set);
    dice_open(&dice, "changes", number);
    for (*steps = 0; attempts > 0; attempts--) {
        json_t *next = json_deep_copy(set);
        change(rules->slug, next, &dice);
        struct game *other = json_equal(next, set) ? NULL : game_of(rules, next);
        if (other == NULL) {
            json_decref(next);
            continue;
        }
        ++*steps;
        component_set_free(game);
        json_decref(set);
        game = other;
        set = next;
    }
    json_decref(set);
    return game;
}

static void compare(const json_t *a, const json_t *b, const char *name, json_t *all,
                    json_t *changed)
{
    char below[COLUMN_NAME];
    const char *key;
    json_t *child;
    size_t i;
    if (json_is_object(a)) {
        json_object_foreach((json_t *)a, key, child)
        {
            snprintf(below, sizeof below, "%s/%s", name, key);
            if (strcmp(key, "provenance") != 0)
                compare(child, json_object_get(b, key), below, all, changed);
        }
        return;
    }
    if (json_is_array(a)) {
        snprintf(below, sizeof below, "%s/*", name);
        json_array_foreach(a, i, child)
        {
            compare(child, json_array_get(b, i), below, all, changed);
        }
        return;
    }
    json_object_set_new(all, name, json_true());
    if (!json_equal(a, b))
        json_object_set_new(changed, name, json_true());
}

size_t set_columns_changed(const struct game *rules, const struct game *game, json_t *changed)
{
    json_t *before = load(rules);
    json_t *after = load(game);
    json_t *all = json_object();
    compare(before, after, "", all, changed);
    size_t count = json_object_size(all);
    json_decref(all);
    json_decref(before);
    json_decref(after);
    return count;
}

/* ---- How many ---- */

uint32_t set_number(const char *name, uint32_t usual)
{
    const char *value = getenv(name);
    uint64_t number = usual;
    if (value != NULL && !span_number(span_of(value), UINT32_MAX, &number)) {
        fprintf(stderr, "%s takes a number\n", name);
        exit(EXIT_FAILURE);
    }
    return (uint32_t)number;
}
