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

/* True for a tile of a single cell that can carry another: all but attractions and main
 * entrances. */
static inline bool is_plain(const struct superstore_tile *tile)
{
    return !superstore_is_attraction(tile->piece) && !superstore_is_main(tile->piece);
}

/* Adds the cells of a tile that lie in the columns from `first` on. */
static void add_to_columns(const struct superstore_components *set,
                           const struct superstore_tile *tile, unsigned first, unsigned count,
                           struct superstore_column *columns)
{
    struct superstore_place cell[CELLS_MAX];
    unsigned cells = superstore_cells(set, tile, cell);
    for (unsigned i = 0; i < cells; i++) {
        unsigned at = (unsigned)cell[i].column - first;
        if (!is_inside(cell[i].column, cell[i].floor) || at >= count)
            continue;
        columns[at].occupied |= UINT64_C(1) << cell[i].floor;
        if (!superstore_is_attraction(tile->piece) || (cell[i].plates & EDGE_UP) != 0)
            columns[at].carries |= UINT64_C(1) << cell[i].floor;
    }
}

void superstore_draw_outline(const struct superstore_components *set,
                             const struct superstore_mall *mall, struct superstore_outline *outline)
{
    memset(outline, 0, sizeof *outline);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (!is_plain(tile)) {
            add_to_columns(set, tile, 0, COLUMNS, outline->column);
            continue;
        }
        outline->column[tile->column].occupied |= UINT64_C(1) << tile->floor;
        outline->column[tile->column].carries |= UINT64_C(1) << tile->floor;
    }
}

struct superstore_column superstore_draw_column(const struct superstore_components *set,
                                                const struct superstore_mall *mall, unsigned column)
{
    struct superstore_column drawn = {0, 0};
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (!is_plain(tile)) {
            add_to_columns(set, tile, column, 1, &drawn);
            continue;
        }
        const uint64_t cell = (uint64_t)(tile->column == column) << tile->floor;
        drawn.occupied |= cell;
        drawn.carries |= cell;
    }
    return drawn;
}

bool superstore_is_free(const struct superstore_outline *outline, int column, int floor)
{
    return !is_inside(column, floor) || (outline->column[column].occupied >> floor & 1) == 0;
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
    for (unsigned i = 0; i < mall->tiles; i++)
        if (superstore_is_dock(mall->tile[i].piece))
            entrances |= UINT64_C(1) << mall->tile[i].column;
    return entrances << 1 | entrances >> 1;
}

/* The tile across an edge of a cell, if a tile there would be connected with it: bit t for tile t.
 * `opposite` is the neighbour's name of this edge. */
static inline uint32_t touched_across(const struct superstore_grid *grid, bool attraction,
                                      const struct superstore_place *cell, enum edge edge,
                                      enum edge opposite)
{
    int column = cell->column + (edge == EDGE_RIGHT) - (edge == EDGE_LEFT);
    int floor = cell->floor + (edge == EDGE_UP) - (edge == EDGE_DOWN);
    if (column < 0 || grid->tile[column][floor] == 0)
        return 0;
    unsigned other = grid->tile[column][floor] - 1u;
    if ((attraction || (grid->attractions >> other & 1) != 0) &&
        (cell->plates & (unsigned)edge) == 0 &&
        (grid->plates[column][floor] & (unsigned)opposite) == 0)
        return 0;
    return UINT32_C(1) << other;
}

uint32_t superstore_touched(const struct superstore_components *set,
                            const struct superstore_grid *grid, const struct superstore_tile *tile)
{
    struct superstore_place cell[CELLS_MAX];
    const unsigned count = superstore_cells(set, tile, cell);
    const bool attraction = superstore_is_attraction(tile->piece);
    uint32_t touched = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!is_inside(cell[i].column, cell[i].floor))
            continue;
        touched |= touched_across(grid, attraction, &cell[i], EDGE_UP, EDGE_DOWN) |
                   touched_across(grid, attraction, &cell[i], EDGE_RIGHT, EDGE_LEFT) |
                   touched_across(grid, attraction, &cell[i], EDGE_DOWN, EDGE_UP) |
                   touched_across(grid, attraction, &cell[i], EDGE_LEFT, EDGE_RIGHT);
    }
    return touched;
}

void superstore_draw_grid(const struct superstore_components *set,
                          const struct superstore_mall *mall, unsigned from,
                          struct superstore_grid *grid)
{
    if (from == 0) {
        grid->attractions = 0;
        memset(grid->tile, 0, sizeof grid->tile);
    }
    for (unsigned i = from; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(set, tile, cell);
        grid->attractions |= (uint32_t)superstore_is_attraction(tile->piece) << i;
        for (unsigned j = 0; j < count; j++) {
            if (!is_inside(cell[j].column, cell[j].floor))
                continue;
            grid->tile[cell[j].column][cell[j].floor] = (uint8_t)(i + 1);
            grid->plates[cell[j].column][cell[j].floor] = cell[j].plates;
        }
    }
}

/* ---- The plan ---- */

/* True if a cell of the tile `to` lies behind a plate of the attraction `from`. */
static bool leads_to(const struct superstore_components *set, const struct superstore_tile *from,
                     const struct superstore_tile *to)
{
    const struct superstore_attraction *shape = &set->attractions[from->piece - FIRST_ATTRACTION];
    struct superstore_place cell[CELLS_MAX];
    const unsigned count = superstore_cells(set, to, cell);
    const int turn = from->face == BACK ? -1 : 1;
    for (unsigned i = 0; i < count; i++) {
        /* As the attraction is drawn, on its front. */
        const int x = (cell[i].column - from->column) * turn;
        const int y = cell[i].floor - from->floor;
        for (unsigned j = 0; j < shape->cell_count; j++) {
            const struct superstore_cell *drawn = &shape->cell[j];
            const int right = x - drawn->dx, up = y - drawn->dy;
            if (right * right + up * up != 1)
                continue;
            const unsigned edge =
                up == 0 ? (right > 0 ? EDGE_RIGHT : EDGE_LEFT) : (up > 0 ? EDGE_UP : EDGE_DOWN);
            if ((drawn->plates & edge) != 0 && is_inside(cell[i].column, cell[i].floor) &&
                is_inside(from->column + drawn->dx * turn, from->floor + drawn->dy))
                return true;
        }
    }
    return false;
}

/* 1 or 0. */
static uint32_t is_beside(const struct superstore_tile *tile, int column, int floor)
{
    const int right = column - tile->column, up = floor - tile->floor;
    return right * right + up * up == 1;
}

/* The tiles of the mall with which a new one is connected. Those of one cell are compared without
 * branches, since where the others lie cannot be guessed. */
static uint32_t find_connected(const struct superstore_components *set,
                               const struct superstore_mall *mall,
                               const struct superstore_tile *tile)
{
    const bool attraction = superstore_is_attraction(tile->piece);
    uint32_t touched = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *other = &mall->tile[i];
        if (attraction || superstore_is_attraction(other->piece)) {
            const bool connected =
                (attraction && leads_to(set, tile, other)) ||
                (superstore_is_attraction(other->piece) && leads_to(set, other, tile));
            touched |= (uint32_t)connected << i;
            continue;
        }
        const int second = superstore_is_main(other->piece) ? COLUMN_M2 : other->column;
        touched |=
            (is_beside(tile, other->column, other->floor) | is_beside(tile, second, other->floor))
            << i;
    }
    return touched;
}

static void join(struct superstore_plan *plan, const struct superstore_tile *tile, unsigned index,
                 uint32_t touched)
{
    const uint32_t own = UINT32_C(1) << index;
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
    join(plan, tile, index, superstore_touched(set, grid, tile));
}

uint8_t superstore_add_tile(const struct superstore_components *set, struct superstore_mall *mall,
                            struct superstore_tile tile)
{
    assert(mall->tiles < TILES_MAX);
    join(&mall->plan, &tile, mall->tiles, find_connected(set, mall, &tile));
    tile.customers = superstore_all_customers(set, tile.piece);
    mall->tile[mall->tiles] = tile;
    return mall->tiles++;
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
    while (plan->attractions != 0) {
        uint32_t wider = tiles | (widen(plan, tiles) & plan->attractions);
        if (wider == tiles)
            return tiles;
        tiles = wider;
    }
    return tiles;
}

void superstore_find_reach(const struct superstore_plan *plan, unsigned tile,
                           uint32_t within[static MOVE_RANGE + 1])
{
    within[0] = add_attractions(plan, UINT32_C(1) << tile);
    for (unsigned i = 1; i <= MOVE_RANGE; i++)
        within[i] = add_attractions(plan, widen(plan, within[i - 1]));
}

uint32_t superstore_within(const struct superstore_plan *plan, unsigned tile, unsigned steps)
{
    uint32_t reached = add_attractions(plan, UINT32_C(1) << tile);
    uint32_t inside = 0; /* has been widened */
    for (unsigned i = 0; i < steps; i++) {
        const uint32_t wider = reached | widen(plan, reached & ~inside);
        inside = reached;
        reached = add_attractions(plan, wider);
    }
    return reached;
}

unsigned superstore_distance(const struct superstore_plan *plan, unsigned from, unsigned to)
{
    for (unsigned steps = 0; steps < TILES_MAX; steps++)
        if ((superstore_within(plan, from, steps) >> to & 1) != 0)
            return steps;
    return NONE;
}
