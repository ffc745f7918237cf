/* See map.h. Rows are processed as a whole, so trying a tunnel everywhere costs little more than
 * trying it in one place. */
#include "engine/games/super-motherload/map.h"

#include <string.h>

const struct motherload_board *motherload_board_of(const struct motherload_components *set,
                                                   const struct motherload_state *state,
                                                   unsigned row)
{
    return &set->boards[state->board[row / ROWS]];
}

bool motherload_on_table(const struct motherload_state *state, int row, int column)
{
    return row >= 0 && row < state->boards * ROWS && column >= 0 && column < COLUMNS;
}

/* Which spaces of the board stop the act's tunnel. */
static const uint16_t *bars(const struct motherload_board *board, const struct motherload_act *act)
{
    const bool drill = act->kind == ACT_DRILL;
    const unsigned color = drill && act->color < DRILL_COLORS ? act->color : DRILL_COLORS;
    return board->barred[BAR_OF(color, drill && (act->bonuses >> ROCK & 1) == 0)];
}

static bool passes_corners(const struct motherload_act *act)
{
    return act->kind == ACT_DRILL && (act->bonuses >> CORNER & 1) != 0;
}

uint16_t motherload_closed_row(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_act *act, unsigned row)
{
    return state->covered[row] | bars(motherload_board_of(set, state, row), act)[row % ROWS];
}

static uint16_t widened(uint16_t row)
{
    return (uint16_t)((row << 1 | row >> 1) & BOARD_ROW);
}

/* Rulebook, Placing Tunnel Tiles: along an edge; with the corner bonus also at a corner. */
static uint16_t neighbours(uint16_t above, uint16_t row, uint16_t below, bool corners)
{
    const uint16_t across = above | below;
    return across | widened(corners ? across | row : row);
}

static uint16_t neighbours_of(const uint16_t *covered, unsigned row, bool corners)
{
    static_assert(MAP_ROWS - TABLE_ROWS > 0, "the row below the last one is empty");
    return neighbours(row > 0 ? covered[row - 1] : 0, covered[row], covered[row + 1], corners);
}

/* The surface joins all of the first row. */
static bool is_surface(const struct motherload_components *set,
                       const struct motherload_state *state, unsigned row)
{
    return row == 0 && set->boards[state->board[0]].depth == 1;
}

uint16_t motherload_joined_row(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_act *act, unsigned row)
{
    if (is_surface(set, state, row))
        return BOARD_ROW;
    return neighbours_of(state->covered, row, passes_corners(act));
}

/* The loops are written so that many rows are computed at once. */
void motherload_survey(const struct motherload_components *set,
                       const struct motherload_state *state, const struct motherload_act *act,
                       struct motherload_ground *ground)
{
    const uint16_t *covered = state->covered;
    struct motherload_rows *joined = &ground->joined;
    const bool corners = passes_corners(act);
    memset(ground->open.row, 0, sizeof ground->open);
    for (unsigned i = 0; i < state->boards; i++) {
        const uint16_t *barred = bars(&set->boards[state->board[i]], act);
        for (unsigned row = 0; row < ROWS; row++)
            ground->open.row[i * ROWS + row] =
                (uint16_t)(~(covered[i * ROWS + row] | barred[row]) & BOARD_ROW);
    }
    for (unsigned row = 1; row < TABLE_ROWS; row++)
        joined->row[row] = neighbours(covered[row - 1], covered[row], covered[row + 1], corners);
    joined->row[0] = motherload_joined_row(set, state, act, 0);
    for (unsigned row = state->boards * (unsigned)ROWS; row < MAP_ROWS; row++)
        joined->row[row] = 0;
}

unsigned motherload_orientations(const struct motherload_components *set,
                                 const struct motherload_act *act)
{
    if (act->kind == ACT_BOMB)
        return set->patterns[act->pattern].orientations;
    return act->length > 1 ? 2 : 1;
}

void motherload_stretch_across(struct motherload_ground *lines)
{
    for (unsigned row = 0; row < MAP_ROWS; row++) {
        lines->open.row[row] &= (uint16_t)(lines->open.row[row] >> 1);
        lines->joined.row[row] |= (uint16_t)(lines->joined.row[row] >> 1);
    }
}

void motherload_stretch_down(struct motherload_ground *lines)
{
    for (unsigned row = 0; row + 1 < MAP_ROWS; row++) {
        lines->open.row[row] &= lines->open.row[row + 1];
        lines->joined.row[row] |= lines->joined.row[row + 1];
    }
}

static void meet(const struct motherload_ground *lines, struct motherload_rows *anchors)
{
    for (unsigned row = 0; row < MAP_ROWS; row++)
        anchors->row[row] = lines->open.row[row] & lines->joined.row[row];
}

static bool any_line(const struct motherload_ground *lines)
{
    unsigned any = 0;
    for (unsigned row = 0; row < MAP_ROWS; row++)
        any |= (unsigned)lines->open.row[row] & lines->joined.row[row];
    return any != 0;
}

unsigned motherload_longest_line(const struct motherload_ground *ground, unsigned enough)
{
    struct motherload_ground across = *ground;
    struct motherload_ground down = *ground;
    unsigned length = 0;
    bool across_fits = any_line(ground);
    bool down_fits = across_fits;
    while (across_fits || down_fits) {
        if (++length >= enough)
            break;
        motherload_stretch_across(&across);
        motherload_stretch_down(&down);
        across_fits = across_fits && any_line(&across);
        down_fits = down_fits && any_line(&down);
    }
    return length;
}

static uint16_t shifted(uint16_t row, int column)
{
    if (column >= 0)
        return (uint16_t)(row >> column);
    return (uint16_t)((row << -column) & BOARD_ROW);
}

static void pattern_anchors(const struct motherload_ground *ground,
                            const struct motherload_pattern *pattern, unsigned orientation,
                            struct motherload_rows *anchors)
{
    const struct motherload_orientation *offset = &pattern->orientation[orientation];
    memset(anchors, 0, sizeof *anchors);
    for (int row = 0; row < TABLE_ROWS; row++) {
        unsigned open = BOARD_ROW;
        unsigned joined = 0;
        for (unsigned i = 0; i < pattern->spaces; i++) {
            int at = row + offset->row[i];
            open &= shifted(ground->open.row[at], offset->column[i]);
            joined |= shifted(ground->joined.row[at], offset->column[i]);
        }
        anchors->row[row] = (uint16_t)(open & joined);
    }
}

void motherload_anchors(const struct motherload_components *set,
                        const struct motherload_ground *ground, const struct motherload_act *act,
                        unsigned orientation, struct motherload_rows *anchors)
{
    if (act->kind == ACT_BOMB) {
        pattern_anchors(ground, &set->patterns[act->pattern], orientation, anchors);
        return;
    }
    struct motherload_ground lines = *ground;
    for (unsigned length = 1; length < act->length && length < MAP_ROWS; length++)
        (orientation == 0 ? motherload_stretch_across : motherload_stretch_down)(&lines);
    meet(&lines, anchors);
}

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

unsigned motherload_count_places(const struct motherload_components *set,
                                 const struct motherload_state *state,
                                 const struct motherload_act *act, unsigned enough)
{
    struct motherload_ground ground;
    struct motherload_rows anchors;
    unsigned count = 0;
    motherload_survey(set, state, act, &ground);
    for (unsigned i = 0; i < motherload_orientations(set, act) && count < enough; i++) {
        motherload_anchors(set, &ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS && count < enough; row++)
            count += count_bits(anchors.row[row]);
    }
    return count < enough ? count : enough;
}

bool motherload_only_place(const struct motherload_components *set,
                           const struct motherload_state *state, const struct motherload_act *act,
                           struct motherload_tunnel *tunnel)
{
    struct motherload_ground ground;
    struct motherload_rows anchors;
    bool found = false;
    motherload_survey(set, state, act, &ground);
    for (unsigned i = 0; i < motherload_orientations(set, act); i++) {
        motherload_anchors(set, &ground, act, i, &anchors);
        for (unsigned row = 0; row < TABLE_ROWS; row++) {
            const unsigned here = anchors.row[row];
            if (here == 0)
                continue;
            if (found || (here & (here - 1)) != 0)
                return false;
            found = true;
            *tunnel = motherload_tunnel_at(set, act, i, row, (unsigned)__builtin_ctz(here));
        }
    }
    return found;
}

struct motherload_tunnel motherload_tunnel_at(const struct motherload_components *set,
                                              const struct motherload_act *act,
                                              unsigned orientation, unsigned row, unsigned column)
{
    struct motherload_tunnel tunnel = {0};
    bool bomb = act->kind == ACT_BOMB;
    const struct motherload_pattern *pattern = &set->patterns[bomb ? act->pattern : 0];
    const struct motherload_orientation *offset = &pattern->orientation[bomb ? orientation : 0];
    tunnel.count = bomb ? pattern->spaces : act->length;
    assert(tunnel.count <= TUNNEL_MAX);
    for (int i = 0; i < tunnel.count; i++) {
        int down = bomb ? offset->row[i] : (orientation == 1 ? i : 0);
        int across = bomb ? offset->column[i] : (orientation == 0 ? i : 0);
        tunnel.row[i] = (int8_t)((int)row + down);
        tunnel.column[i] = (int8_t)((int)column + across);
    }
    return tunnel;
}

/* ---- What tunnels yield ---- */

/* An artifact on the lowest board counts twice: as a find, and as one of the last. */
static motherload_yield yield_at(const struct motherload_components *set,
                                 const struct motherload_board *board, unsigned row,
                                 unsigned column, bool lowest)
{
    unsigned char terrain = (unsigned char)board->terrain[row][column];
    unsigned char content = (unsigned char)board->content[row][column];
    motherload_yield yield = set->yields[terrain] + set->yields[content];
    return yield + (lowest && content == 'A' ? (motherload_yield)1 << YIELD_LAST_FINDS : 0);
}

void motherload_sum_yields(const struct motherload_components *set,
                           const struct motherload_state *state, struct motherload_yields *yields)
{
    memset(yields->down[0], 0, sizeof yields->down[0]);
    for (unsigned row = 0; row < state->boards * (unsigned)ROWS; row++) {
        const struct motherload_board *board = motherload_board_of(set, state, row);
        bool lowest = row / ROWS + 1 == state->boards;
        motherload_yield sum = 0;
        for (unsigned column = 0; column < COLUMNS; column++) {
            motherload_yield yield = yield_at(set, board, row % ROWS, column, lowest);
            yields->across[row][column] = sum;
            sum += yield;
            yields->down[row + 1][column] = yields->down[row][column] + yield;
        }
        yields->across[row][COLUMNS] = sum;
    }
}
