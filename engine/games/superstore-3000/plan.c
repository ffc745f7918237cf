/* Geometry: the cells of a tile, support, and adjacency. An edge between two cells connects their
 * tiles if neither is part of an attraction, or if an attraction has a plate on it. */
#include "engine/games/superstore-3000/plan.h"

#include <string.h>

static uint8_t mirrored(uint8_t plates)
{
    uint8_t kept = plates & (EDGE_UP | EDGE_DOWN);
    if ((plates & EDGE_LEFT) != 0)
        kept |= EDGE_RIGHT;
    if ((plates & EDGE_RIGHT) != 0)
        kept |= EDGE_LEFT;
    return kept;
}

static unsigned attraction_cells(const struct superstore_components *set,
                                 const struct superstore_tile *tile,
                                 struct superstore_place cell[static CELLS_MAX])
{
    const struct superstore_attraction *shape = &set->attractions[tile->piece - FIRST_ATTRACTION];
    for (unsigned i = 0; i < shape->cell_count; i++) {
        const struct superstore_cell *drawn = &shape->cell[i];
        bool back = tile->face == BACK;
        cell[i] = (struct superstore_place){
            .column = tile->column + (back ? -drawn->dx : drawn->dx),
            .floor = tile->floor + drawn->dy,
            .plates = back ? mirrored(drawn->plates) : drawn->plates,
        };
    }
    return shape->cell_count;
}

unsigned superstore_cells(const struct superstore_components *set,
                          const struct superstore_tile *tile,
                          struct superstore_place cell[static CELLS_MAX])
{
    if (superstore_is_attraction(tile->piece))
        return attraction_cells(set, tile, cell);
    cell[0] = (struct superstore_place){tile->column, tile->floor, 0};
    if (!superstore_is_main(tile->piece))
        return 1;
    cell[1] = (struct superstore_place){COLUMN_M2, tile->floor, 0};
    return 2;
}

static bool is_inside(int column, int floor)
{
    return column >= 0 && column < COLUMNS && floor >= 1 && floor <= FLOOR_MAX;
}

void superstore_draw_outline(const struct superstore_components *set,
                             const struct superstore_mall *mall, struct superstore_outline *outline)
{
    memset(outline, 0, sizeof *outline);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        bool attraction = superstore_is_attraction(tile->piece);
        if (!attraction && !superstore_is_main(tile->piece) &&
            is_inside(tile->column, tile->floor)) { /* most are a single cell */
            uint64_t floor = UINT64_C(1) << tile->floor;
            outline->occupied[tile->column] |= floor;
            outline->carries[tile->column] |= floor;
            continue;
        }
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(set, tile, cell);
        for (unsigned j = 0; j < count; j++) {
            if (!is_inside(cell[j].column, cell[j].floor))
                continue;
            uint64_t floor = UINT64_C(1) << cell[j].floor;
            outline->occupied[cell[j].column] |= floor;
            if (!attraction || (cell[j].plates & EDGE_UP) != 0)
                outline->carries[cell[j].column] |= floor;
        }
    }
}

bool superstore_is_free(const struct superstore_outline *outline, int column, int floor)
{
    return !is_inside(column, floor) || (outline->occupied[column] >> floor & 1) == 0;
}

bool superstore_is_support_place(const struct superstore_outline *outline, unsigned column,
                                 unsigned floor)
{
    return (superstore_support_places(outline, column) >> floor & 1) != 0;
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
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_dock(mall->tile[i].piece))
            entrances |= UINT64_C(1) << mall->tile[i].column;
    return entrances << 1 | entrances >> 1;
}

/* The tile across an edge of a cell, if a tile there would be connected with it: bit t for tile t.
 * `opposite` is the neighbour's name of this edge. */
static inline uint32_t touched_across(const struct superstore_plan *plan,
                                      const struct superstore_grid *grid, bool attraction,
                                      const struct superstore_place *cell, enum edge edge,
                                      enum edge opposite)
{
    int column = cell->column + (edge == EDGE_RIGHT) - (edge == EDGE_LEFT);
    int floor = cell->floor + (edge == EDGE_UP) - (edge == EDGE_DOWN);
    if (column < 0 || grid->tile[column][floor] == 0)
        return 0;
    unsigned other = grid->tile[column][floor] - 1u;
    if ((attraction || (plan->attractions >> other & 1) != 0) &&
        (cell->plates & (unsigned)edge) == 0 &&
        (grid->plates[column][floor] & (unsigned)opposite) == 0)
        return 0;
    return UINT32_C(1) << other;
}

static uint32_t touched_by(const struct superstore_plan *plan, const struct superstore_grid *grid,
                           const struct superstore_tile *tile, const struct superstore_place *cell,
                           unsigned count)
{
    const bool attraction = superstore_is_attraction(tile->piece);
    uint32_t touched = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!is_inside(cell[i].column, cell[i].floor))
            continue;
        touched |= touched_across(plan, grid, attraction, &cell[i], EDGE_UP, EDGE_DOWN) |
                   touched_across(plan, grid, attraction, &cell[i], EDGE_RIGHT, EDGE_LEFT) |
                   touched_across(plan, grid, attraction, &cell[i], EDGE_DOWN, EDGE_UP) |
                   touched_across(plan, grid, attraction, &cell[i], EDGE_LEFT, EDGE_RIGHT);
    }
    return touched;
}

uint32_t superstore_touched(const struct superstore_components *set,
                            const struct superstore_plan *plan, const struct superstore_grid *grid,
                            const struct superstore_tile *tile)
{
    struct superstore_place cell[CELLS_MAX];
    unsigned count = superstore_cells(set, tile, cell);
    return touched_by(plan, grid, tile, cell, count);
}

static void join_cells(struct superstore_plan *plan, const struct superstore_grid *grid,
                       const struct superstore_tile *tile, unsigned index,
                       const struct superstore_place *cell, unsigned count)
{
    const uint32_t own = UINT32_C(1) << index;
    const uint32_t touched = touched_by(plan, grid, tile, cell, count);
    if (superstore_is_attraction(tile->piece))
        plan->attractions |= own;
    for (uint32_t rest = touched; rest != 0; rest &= rest - 1)
        plan->neighbours[superstore_lowest(rest)] |= own | (rest & (~rest + 1));
    plan->neighbours[index] = touched != 0 ? touched | own : 0;
}

void superstore_join_plan(const struct superstore_components *set, struct superstore_plan *plan,
                          const struct superstore_grid *grid, const struct superstore_tile *tile,
                          unsigned index)
{
    struct superstore_place cell[CELLS_MAX];
    unsigned count = superstore_cells(set, tile, cell);
    join_cells(plan, grid, tile, index, cell, count);
}

static void draw_tiles(const struct superstore_components *set, const struct superstore_mall *mall,
                       unsigned from, struct superstore_grid *grid, struct superstore_plan *plan)
{
    for (unsigned i = from; i < mall->tiles; i++) {
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(set, &mall->tile[i], cell);
        join_cells(plan, grid, &mall->tile[i], i, cell, count);
        for (unsigned j = 0; j < count; j++) {
            if (!is_inside(cell[j].column, cell[j].floor))
                continue;
            grid->tile[cell[j].column][cell[j].floor] = (uint8_t)(i + 1);
            grid->plates[cell[j].column][cell[j].floor] = cell[j].plates;
        }
    }
}

void superstore_draw_ground(const struct superstore_components *set,
                            const struct superstore_mall *mall, struct superstore_ground *ground)
{
    if (ground->tiles == 0) {
        memset(ground->grid.tile, 0, sizeof ground->grid.tile);
        memset(&ground->plan, 0, sizeof ground->plan);
    }
    draw_tiles(set, mall, ground->tiles, &ground->grid, &ground->plan);
    ground->tiles = mall->tiles;
}

void superstore_draw_plan(const struct superstore_components *set,
                          const struct superstore_mall *mall, struct superstore_plan *plan)
{
    struct superstore_grid grid;
    memset(grid.tile, 0, sizeof grid.tile);
    memset(plan, 0, sizeof *plan);
    draw_tiles(set, mall, 0, &grid, plan);
}

/* The tiles, and all neighbours of them. */
static uint32_t widen(const struct superstore_plan *plan, uint32_t tiles)
{
    uint32_t wider = tiles;
    for (uint32_t rest = tiles; rest != 0; rest &= rest - 1)
        wider |= plan->neighbours[superstore_lowest(rest)];
    return wider;
}

/* Adds the attractions that can be entered from the tiles at no cost. */
static uint32_t add_attractions(const struct superstore_plan *plan, uint32_t tiles)
{
    for (;;) {
        uint32_t wider = tiles | (widen(plan, tiles) & plan->attractions);
        if (wider == tiles)
            return tiles;
        tiles = wider;
    }
}

uint32_t superstore_within(const struct superstore_plan *plan, unsigned tile, unsigned steps)
{
    uint32_t reached = add_attractions(plan, UINT32_C(1) << tile);
    for (unsigned i = 0; i < steps; i++)
        reached = add_attractions(plan, widen(plan, reached));
    return reached;
}

void superstore_find_reach(const struct superstore_plan *plan, unsigned tile,
                           uint32_t within[static MOVE_RANGE + 1])
{
    within[0] = add_attractions(plan, UINT32_C(1) << tile);
    for (unsigned i = 1; i <= MOVE_RANGE; i++)
        within[i] = add_attractions(plan, widen(plan, within[i - 1]));
}

unsigned superstore_distance(const struct superstore_plan *plan, unsigned from, unsigned to)
{
    for (unsigned steps = 0; steps < TILES_MAX; steps++)
        if ((superstore_within(plan, from, steps) >> to & 1) != 0)
            return steps;
    return NONE;
}
