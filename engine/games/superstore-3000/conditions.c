/* The conditions of attraction cards: each kind counts something in the mall and compares it with
 * the number on the card. */
#include "engine/games/superstore-3000/state.h"

/* Lines of one kind are numbered: floors and columns by themselves, diagonals by column - floor or
 * column + floor. */
enum { LINES = COLUMNS + FLOOR_MAX + 1 };

static bool is_counted(const struct superstore_tile *tile, bool customers)
{
    return customers ? superstore_is_satisfied(tile) : superstore_is_element(tile->piece);
}

/* Mall elements, or satisfied customers, by category. */
static bool holds_count(const struct superstore_mall *mall,
                        const struct superstore_condition *condition, bool customers)
{
    unsigned of[CATEGORIES] = {0};
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (tile->floor >= condition->min_floor && is_counted(tile, customers))
            of[superstore_pieces[tile->piece].category]++;
    }
    if (condition->category < CATEGORIES)
        return of[condition->category] >= condition->count;
    unsigned sum = 0;
    unsigned enough = 0;
    unsigned categories = customers ? STORE_CATEGORIES : CATEGORIES;
    for (unsigned category = 0; category < categories; category++) {
        sum += of[category];
        enough += of[category] >= condition->count;
    }
    if (condition->category == ANY_CATEGORY)
        return sum >= condition->count;
    return condition->category == SAME_CATEGORY ? enough > 0 : enough == categories;
}

/* The number of the line of a kind on which the tile lies; diagonals rise to the right (0) or to
 * the left (1). */
static unsigned line_of(const struct superstore_tile *tile, unsigned line, unsigned direction)
{
    if (line == LINE_FLOOR)
        return tile->floor;
    if (line == LINE_COLUMN)
        return tile->column;
    if (direction == 0)
        return (unsigned)(tile->column + FLOOR_MAX - tile->floor);
    return (unsigned)tile->column + tile->floor;
}

/* For mall elements each category is counted by itself, for customers all together. */
static bool holds_in_direction(const struct superstore_mall *mall,
                               const struct superstore_condition *condition, bool customers,
                               unsigned direction)
{
    uint8_t on_line[CATEGORIES][LINES] = {{0}};
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (!is_counted(tile, customers))
            continue;
        unsigned category = customers ? 0 : superstore_pieces[tile->piece].category;
        if (++on_line[category][line_of(tile, condition->line, direction)] >= condition->count)
            return true;
    }
    return false;
}

static bool holds_in_line(const struct superstore_mall *mall,
                          const struct superstore_condition *condition, bool customers)
{
    return holds_in_direction(mall, condition, customers, 0) ||
           (condition->line == LINE_DIAGONAL && holds_in_direction(mall, condition, customers, 1));
}

static bool holds_empty_entrances(const struct superstore_mall *mall,
                                  const struct superstore_condition *condition)
{
    unsigned count = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        count += superstore_is_entrance(tile->piece) && tile->customers == 0 &&
                 tile->floor >= condition->min_floor;
    }
    return count >= condition->count;
}

bool superstore_holds(const struct superstore_mall *mall,
                      const struct superstore_condition *condition)
{
    switch ((enum condition_kind)condition->kind) {
    case COUNT_ELEMENTS:
        return holds_count(mall, condition, false);
    case COUNT_CUSTOMERS:
        return holds_count(mall, condition, true);
    case ELEMENTS_IN_LINE:
        return holds_in_line(mall, condition, false);
    case CUSTOMERS_IN_LINE:
        return holds_in_line(mall, condition, true);
    case EMPTY_ENTRANCES:
        return holds_empty_entrances(mall, condition);
    case BANK_NOTES:
        return mall->bank_notes >= condition->count;
    }
    return false;
}
