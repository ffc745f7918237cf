/* Geometry: the cells of a tile, and adjacency. An edge between two cells connects their
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
        if (!superstore_is_inside(cell[i].column, cell[i].floor))
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
        const struct superstore_tile tile = superstore_tile(mall, i);
        struct superstore_place cell[CELLS_MAX];
        unsigned count = superstore_cells(set, &tile, cell);
        grid->attractions |= (uint32_t)superstore_is_attraction(tile.piece) << i;
        for (unsigned j = 0; j < count; j++) {
            if (!superstore_is_inside(cell[j].column, cell[j].floor))
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
            if ((drawn->plates & edge) != 0 &&
                superstore_is_inside(cell[i].column, cell[i].floor) &&
                superstore_is_inside(from->column + drawn->dx * turn, from->floor + drawn->dy))
                return true;
        }
    }
    return false;
}

/* leads_to() for a tile of one cell. Where all cells of the attraction are sure to be inside, it is
 * a look at the doors. */
static inline bool leads_to_cell(const struct superstore_components *set,
                                 const struct superstore_tile *from,
                                 const struct superstore_tile *to)
{
    return (superstore_shape(set, from)->doors &
            superstore_bit_around(from, to->column, to->floor)) != 0 &&
           ((from->column >= DOOR_REACH && from->column < COLUMNS - DOOR_REACH &&
             from->floor <= FLOOR_MAX - DOOR_REACH) ||
            leads_to(set, from, to));
}

/* The tiles of the mall with which a new one of a single cell is connected. */
static uint32_t find_beside(const struct superstore_components *set,
                            const struct superstore_mall *mall, const struct superstore_tile *tile)
{
    const uint32_t plain = superstore_plain_tiles(mall);
    const uint32_t same_column = bytes_equal(mall->column, tile->column);
    const uint32_t same_floor = bytes_equal(mall->floor, tile->floor);
    const uint32_t next_floor = bytes_equal(mall->floor, (uint8_t)(tile->floor - 1)) |
                                bytes_equal(mall->floor, (uint8_t)(tile->floor + 1));
    const uint32_t next_column = bytes_equal(mall->column, (uint8_t)(tile->column + 1)) |
                                 bytes_equal(mall->column, (tile->column - 1) & 0x7f);
    uint32_t touched = plain & ((same_column & next_floor) | (same_floor & next_column));
    for (uint32_t rest = mall->plan.attractions; rest != 0; rest &= rest - 1) {
        const struct superstore_tile other = superstore_tile(mall, superstore_lowest(rest));
        touched |= leads_to_cell(set, &other, tile) ? rest & (~rest + 1) : 0;
    }
    return touched;
}

/* 1 or 0. */
static uint32_t is_beside(const struct superstore_tile *tile, int column, int floor)
{
    const int right = column - tile->column, up = floor - tile->floor;
    return right * right + up * up == 1;
}

/* The tiles of the mall with which a new one is connected. */
static uint32_t find_connected(const struct superstore_components *set,
                               const struct superstore_mall *mall,
                               const struct superstore_tile *tile)
{
    if (!superstore_is_attraction(tile->piece))
        return find_beside(set, mall, tile) |
               (superstore_has_main(mall) ? is_beside(tile, COLUMN_M2, mall->floor[0]) : 0);
    const uint32_t plain =
        superstore_plain_tiles(mall) & (superstore_has_main(mall) ? ~UINT32_C(1) : ~UINT32_C(0));
    uint32_t touched = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile other = superstore_tile(mall, i);
        const bool connected = (plain >> i & 1) != 0 ? leads_to_cell(set, tile, &other)
                                                     : leads_to(set, tile, &other) ||
                                                           (superstore_is_attraction(other.piece) &&
                                                            leads_to(set, &other, tile));
        touched |= (uint32_t)connected << i;
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
    const uint8_t added = mall->tiles;
    join(&mall->plan, &tile, added, find_connected(set, mall, &tile));
    mall->piece[added] = tile.piece;
    mall->column[added] = tile.column;
    mall->floor[added] = tile.floor;
    mall->backs |= (uint32_t)(tile.face == BACK) << added;
    if (superstore_is_element(tile.piece))
        mall->sets.elements[set->pieces[tile.piece].category] |= UINT32_C(1) << added;
    superstore_set_customers(mall, added, superstore_all_customers(set, tile.piece));
    mall->tiles++;
    superstore_change_tops(set, mall, &tile);
    return added;
}

/* The neighbours of these tiles. */
static uint32_t beside(const struct superstore_plan *plan, uint32_t tiles)
{
    uint32_t near = 0;
    for (; tiles != 0; tiles &= tiles - 1)
        near |= plan->neighbours[superstore_lowest(tiles)];
    return near;
}

void superstore_find_reach(const struct superstore_plan *plan, unsigned tile,
                           uint32_t within[static MOVE_RANGE + 1])
{
    uint32_t reached = UINT32_C(1) << tile;
    uint32_t fresh = reached;
    for (unsigned steps = 0;; steps++) {
        uint32_t near = 0;
        while (fresh != 0) { /* attractions are entered at no cost */
            near |= beside(plan, fresh);
            fresh = near & plan->attractions & ~reached;
            reached |= fresh;
        }
        within[steps] = reached;
        if (steps == MOVE_RANGE)
            return;
        fresh = near & ~reached;
        reached |= fresh;
    }
}

uint32_t superstore_within(const struct superstore_plan *plan, unsigned tile, unsigned steps)
{
    uint32_t reached = UINT32_C(1) << tile;
    for (uint32_t fresh = reached; fresh != 0; steps--) {
        uint32_t near = 0;
        if (steps == 0 && plan->attractions == 0)
            return reached;
        while (fresh != 0) { /* attractions are entered at no cost */
            near |= beside(plan, fresh);
            fresh = near & plan->attractions & ~reached;
            reached |= fresh;
        }
        if (steps == 0)
            return reached;
        fresh = near & ~reached;
        reached |= fresh;
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
