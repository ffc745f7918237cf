/* Columns: what is occupied, what carries, and where the next tile can stand. */
#include "engine/games/superstore-3000/plan.h"

#include <string.h>

/* Adds the cells of an attraction that lie in the columns from `first` on. */
static void add_to_columns(const struct superstore_components *set,
                           const struct superstore_tile *tile, unsigned first, unsigned count,
                           struct superstore_column *columns)
{
    const struct superstore_attraction *shape = superstore_shape(set, tile);
    for (unsigned i = 0; i < shape->cell_count; i++) {
        const struct superstore_cell *cell = &shape->cell[i];
        const int column = tile->column + (tile->face == BACK ? -cell->dx : cell->dx);
        const int floor = tile->floor + cell->dy;
        const unsigned at = (unsigned)column - first;
        if (!superstore_is_inside(column, floor) || at >= count)
            continue;
        columns[at].occupied |= UINT64_C(1) << floor;
        if ((cell->plates & EDGE_UP) != 0)
            columns[at].carries |= UINT64_C(1) << floor;
    }
}

void superstore_draw_outline(const struct superstore_components *set,
                             const struct superstore_mall *mall, struct superstore_outline *outline)
{
    memset(outline, 0, sizeof *outline);
    if (superstore_has_main(mall))
        outline->column[COLUMN_M2].occupied = UINT64_C(1) << mall->floor[0];
    for (uint32_t rest = superstore_plain_tiles(mall); rest != 0; rest &= rest - 1) {
        const unsigned i = superstore_lowest(rest);
        outline->column[mall->column[i]].occupied |= UINT64_C(1) << mall->floor[i];
    }
    for (unsigned column = 0; column < COLUMNS; column++)
        outline->column[column].carries = outline->column[column].occupied;
    for (uint32_t rest = mall->plan.attractions; rest != 0; rest &= rest - 1) {
        const struct superstore_tile tile = superstore_tile(mall, superstore_lowest(rest));
        add_to_columns(set, &tile, 0, COLUMNS, outline->column);
    }
}

struct superstore_column superstore_draw_column(const struct superstore_components *set,
                                                const struct superstore_mall *mall, unsigned column)
{
    struct superstore_column drawn = {0, 0};
    if (column == COLUMN_M2 && superstore_has_main(mall))
        drawn.occupied = UINT64_C(1) << mall->floor[0];
    uint32_t rest = bytes_equal(mall->column, (uint8_t)column) & superstore_plain_tiles(mall);
    for (; rest != 0; rest &= rest - 1)
        drawn.occupied |= UINT64_C(1) << mall->floor[superstore_lowest(rest)];
    drawn.carries = drawn.occupied;
    for (rest = mall->plan.attractions; rest != 0; rest &= rest - 1) {
        const struct superstore_tile tile = superstore_tile(mall, superstore_lowest(rest));
        if (tile.column <= column + DOOR_REACH && column <= tile.column + (unsigned)DOOR_REACH)
            add_to_columns(set, &tile, column, 1, &drawn);
    }
    return drawn;
}

bool superstore_is_free(const struct superstore_outline *outline, int column, int floor)
{
    return !superstore_is_inside(column, floor) ||
           (outline->column[column].occupied >> floor & 1) == 0;
}

bool superstore_is_support_place(const struct superstore_outline *outline, unsigned column,
                                 unsigned floor)
{
    return (superstore_support_places(outline->column[column]) >> floor & 1) != 0;
}

enum fit superstore_fit(const struct superstore_components *set,
                        const struct superstore_outline *outline,
                        const struct superstore_tile *attraction)
{
    struct superstore_place cell[CELLS_MAX];
    unsigned count = superstore_cells(set, attraction, cell);
    for (unsigned i = 0; i < count; i++)
        if (cell[i].floor < 1)
            return BELOW_GROUND;
    for (unsigned i = 0; i < count; i++)
        if (!superstore_is_free(outline, cell[i].column, cell[i].floor))
            return COVERS_TILE;
    return superstore_is_support_place(outline, attraction->column, attraction->floor) ? FITS
                                                                                       : NO_BASE;
}

uint64_t superstore_beside_entrances(const struct superstore_mall *mall)
{
    uint64_t entrances = UINT64_C(1) << COLUMN_M1 | UINT64_C(1) << COLUMN_M2;
    for (uint32_t rest = superstore_docks(mall); rest != 0; rest &= rest - 1)
        entrances |= UINT64_C(1) << mall->column[superstore_lowest(rest)];
    return entrances << 1 | entrances >> 1;
}

/* ---- Where the next tile can stand ---- */

static void set_top(struct superstore_tops *tops, unsigned column, uint64_t floors)
{
    const unsigned place = superstore_places_of_columns[column];
    uint32_t *columns = &tops->columns[place / 32];
    *columns &= ~(UINT32_C(1) << place % 32);
    *columns |= (uint32_t)(floors != 0) << place % 32;
    tops->floor[column] = floors == 0                    ? 0
                          : (floors & (floors - 1)) != 0 ? TOP_SEVERAL
                                                         : (uint8_t)__builtin_ctzll(floors);
}

static void find_tops(const struct superstore_components *set, struct superstore_mall *mall,
                      const struct superstore_tile *added)
{
    struct superstore_place cell[CELLS_MAX];
    const unsigned count = superstore_cells(set, added, cell);
    uint64_t found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (cell[i].column < 0 || cell[i].column >= COLUMNS ||
            (found >> (unsigned)cell[i].column & 1) != 0)
            continue;
        const unsigned column = (unsigned)cell[i].column;
        found |= UINT64_C(1) << column;
        set_top(&mall->tops, column,
                superstore_support_places(superstore_draw_column(set, mall, column)));
    }
}

/* True if a tile covers the cell, which is not on floor 1. */
static bool is_covered(const struct superstore_components *set, const struct superstore_mall *mall,
                       uint8_t column, uint8_t floor)
{
    if (superstore_tile_at(mall, column, floor) != NONE)
        return true;
    for (uint32_t rest = mall->plan.attractions; rest != 0; rest &= rest - 1) {
        const struct superstore_tile tile = superstore_tile(mall, superstore_lowest(rest));
        if ((superstore_shape(set, &tile)->body & superstore_bit_around(&tile, column, floor)) != 0)
            return true;
    }
    return false;
}

/* One of a single cell takes a place or none, and adds the one above. */
void superstore_change_tops(const struct superstore_components *set, struct superstore_mall *mall,
                            const struct superstore_tile *added)
{
    const uint8_t top = mall->tops.floor[added->column];
    const bool single =
        !superstore_is_attraction(added->piece) && !superstore_is_main(added->piece);
    if (!single || top == TOP_SEVERAL || added->floor == FLOOR_MAX) {
        find_tops(set, mall, added);
        return;
    }
    const uint8_t above = (uint8_t)(added->floor + 1);
    const uint64_t left = top == 0 || top == added->floor ? 0 : UINT64_C(1) << top;
    const uint64_t next = is_covered(set, mall, added->column, above) ? 0 : UINT64_C(1) << above;
    set_top(&mall->tops, added->column, left | next);
}
