/* The shape of tunnels and where they can lie.
 *
 * A table of boards is up to 14 rows of 14 bits, upper board first. For a given act, `open` marks
 * the spaces that its tunnel may cover and `joined` those that connect it. Where a whole tunnel can
 * lie follows from shifting these masks: bit c of row r is set if the tunnel can have its anchor,
 * its first space in reading order, in row r and column c. */
#ifndef TILLROLL_SUPER_MOTHERLOAD_MAP_H
#define TILLROLL_SUPER_MOTHERLOAD_MAP_H

#include "engine/games/super-motherload/state.h"

enum { MAP_ROWS = TABLE_ROWS + 2 }; /* two empty rows below: patterns look up to two rows down */

struct motherload_rows {
    uint16_t row[MAP_ROWS];
};

struct motherload_ground {
    struct motherload_rows open, joined;
};

/* A tunnel: its spaces in reading order, rows counted from the top of the upper board. They may lie
 * off the boards. */
struct motherload_tunnel {
    uint8_t count;
    int8_t row[TUNNEL_MAX];
    int8_t column[TUNNEL_MAX];
};

/* For this act with its bonuses. */
void motherload_survey(const struct motherload_state *state, const struct motherload_act *act,
                       struct motherload_ground *ground);

/* How many orientations the act's tunnel has. A drill's are 0 across and, if it is longer than 1, 1
 * down; a bomb's those of its pattern. */
unsigned motherload_orientations(const struct motherload_act *act);

/* Where the act's tunnel can lie in this orientation. */
void motherload_anchors(const struct motherload_ground *ground, const struct motherload_act *act,
                        unsigned orientation, struct motherload_rows *anchors);

/* In how many ways the act's tunnel can lie; counting stops at `enough`. */
unsigned motherload_count_places(const struct motherload_state *state,
                                 const struct motherload_act *act, unsigned enough);

/* The longest line that can lie anywhere; every shorter one can lie, too. */
unsigned motherload_longest_line(const struct motherload_ground *ground);

/* The spaces of the act's tunnel with its anchor in `row` and `column`. */
struct motherload_tunnel motherload_tunnel_at(const struct motherload_act *act,
                                              unsigned orientation, unsigned row, unsigned column);

/* True if the space is on a board in play. */
bool motherload_on_table(const struct motherload_state *state, int row, int column);

/* The board that a row of the table belongs to. */
const struct motherload_board *motherload_board_of(const struct motherload_state *state,
                                                   unsigned row);

#endif
