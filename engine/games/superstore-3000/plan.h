/* The geometry of a mall, computed from the list of its tiles.
 *
 *      floor 3        . g .          columns are bit sets of floors: what is occupied, and which
 *      floor 2        e r .          cells carry something on their upper edge; a place to build
 *      floor 1      d M M            is a free cell above one that carries
 *
 * Distances are between tiles, so there is a graph of at most 32 tiles, with one bit set of
 * neighbours for each (struct superstore_plan). A tile that is added is connected with those before
 * it, and where the next one can stand is found anew in its columns (struct superstore_tops).
 */
#ifndef TILLROLL_SUPERSTORE_PLAN_H
#define TILLROLL_SUPERSTORE_PLAN_H

#include "engine/games/superstore-3000/state.h"

/* Bit f of a column stands for floor f. */
struct superstore_column {
    uint64_t occupied, carries;
};

/* Cells beyond the columns or above floor 40 are treated as free, and carry nothing. */
struct superstore_outline {
    struct superstore_column column[COLUMNS];
};

/* A cell that a tile covers; it may lie outside the outline. */
struct superstore_place {
    int column, floor;
    uint8_t plates; /* edges, enum edge; attractions only */
};

/* The content of each cell, with a margin so that every cell has a neighbour above and to the
 * right. `plates` is meaningless without a tile. */
struct superstore_grid {
    uint32_t attractions;                     /* bit t: tile t is an attraction */
    uint8_t tile[COLUMNS + 1][FLOOR_MAX + 2]; /* index + 1, 0 = free */
    uint8_t plates[COLUMNS + 1][FLOOR_MAX + 2];
};

/* The first tile of a mall is the main entrance, but for a mall that is built up in a test. */
static inline bool superstore_has_main(const struct superstore_mall *mall)
{
    return mall->tiles > 0 && superstore_is_main(mall->piece[0]);
}

/* All tiles but attractions: they carry others, and have a single cell, but for the second one of
 * the main entrance. */
static inline uint32_t superstore_plain_tiles(const struct superstore_mall *mall)
{
    return bytes_at_least(mall->floor, 1) & ~mall->plan.attractions;
}

/* True for a cell of the grid. */
static inline bool superstore_is_inside(int column, int floor)
{
    return column >= 0 && column < COLUMNS && floor >= 1 && floor <= FLOOR_MAX;
}

/* The bit of a cell among those around an attraction's base, 0 if it is too far away. */
static inline uint64_t superstore_bit_around(const struct superstore_tile *attraction, int column,
                                             int floor)
{
    const int right = column - attraction->column;
    const unsigned x = (unsigned)(DOOR_REACH + (attraction->face == BACK ? -right : right));
    const unsigned y = (unsigned)(DOOR_REACH + floor - attraction->floor);
    return x >= DOOR_ROW || y >= DOOR_ROW ? 0 : UINT64_C(1) << (DOOR_ROW * y + x);
}

static inline const struct superstore_attraction *
superstore_shape(const struct superstore_components *set, const struct superstore_tile *attraction)
{
    return &set->attractions[attraction->piece - FIRST_ATTRACTION];
}

/* Adds a tile at the end of the list, connects it, and returns its index; all its customers
 * stand. Its place must be free. */
uint8_t superstore_add_tile(const struct superstore_components *set, struct superstore_mall *mall,
                            struct superstore_tile tile);

/* Writes the cells that the tile covers and returns how many there are. */
unsigned superstore_cells(const struct superstore_components *set,
                          const struct superstore_tile *tile,
                          struct superstore_place cell[static CELLS_MAX]);

void superstore_draw_outline(const struct superstore_components *set,
                             const struct superstore_mall *mall,
                             struct superstore_outline *outline);

/* The same for a single column. */
struct superstore_column superstore_draw_column(const struct superstore_components *set,
                                                const struct superstore_mall *mall,
                                                unsigned column);

bool superstore_is_free(const struct superstore_outline *outline, int column, int floor);

/* Bit f: the cell of the column on floor f is a support place. */
static inline uint64_t superstore_support_places(struct superstore_column column)
{
    const uint64_t all_floors = ((UINT64_C(1) << FLOOR_MAX) - 1) << 1;
    return column.carries << 1 & ~column.occupied & all_floors;
}

/* Finds them anew after this tile was added to the mall. */
void superstore_change_tops(const struct superstore_components *set, struct superstore_mall *mall,
                            const struct superstore_tile *added);

/* The columns of the mall that have a support place: bit i for superstore_columns_in_byte_order[i].
 */
static inline uint64_t superstore_top_columns(const struct superstore_mall *mall)
{
    return mall->tops.columns[0] | (uint64_t)mall->tops.columns[1] << 32;
}

bool superstore_is_support_place(const struct superstore_outline *outline, unsigned column,
                                 unsigned floor);

/* Why an attraction cannot stand there: every cell must be on floor 1 or higher and free, and the
 * base cell must be a support place; tested in this order. */
enum fit { FITS, BELOW_GROUND, COVERS_TILE, NO_BASE };
enum fit superstore_fit(const struct superstore_components *set,
                        const struct superstore_outline *outline,
                        const struct superstore_tile *attraction);

/* Bit c: a bay on floor 1 of column c would touch the main entrance or another bay. */
uint64_t superstore_beside_entrances(const struct superstore_mall *mall);

/* Puts the tiles from `from` on onto the grid; with 0, all of them onto an empty one. */
void superstore_draw_grid(const struct superstore_components *set,
                          const struct superstore_mall *mall, unsigned from,
                          struct superstore_grid *grid);

/* Adds to the plan a tile that is not on the grid, with this index in the mall's list. */
void superstore_join_plan(const struct superstore_components *set, struct superstore_plan *plan,
                          const struct superstore_grid *grid, const struct superstore_tile *tile,
                          unsigned index);

/* The tiles with which one that is not on the grid would be connected: bit t for tile t. */
uint32_t superstore_touched(const struct superstore_components *set,
                            const struct superstore_grid *grid, const struct superstore_tile *tile);

/* superstore_within() for 0 to MOVE_RANGE steps. */
void superstore_find_reach(const struct superstore_plan *plan, unsigned tile,
                           uint32_t within[static MOVE_RANGE + 1]);

/* Bits of the tiles at a distance of at most `steps`, including the tile itself and attractions. */
uint32_t superstore_within(const struct superstore_plan *plan, unsigned tile, unsigned steps);

/* The number of tiles entered on the way, not counting attractions; NONE if there is no way. */
unsigned superstore_distance(const struct superstore_plan *plan, unsigned from, unsigned to);

#endif
