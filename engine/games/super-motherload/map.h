/* The shapes of tunnels and their possible places.
 *
 * A table of boards is up to 14 rows of 14 bits, upper board first. For a given act, `open` marks
 * the spaces that its tunnel may cover and `joined` those that connect it. Shifting these masks
 * gives the places for a whole tunnel: bit c of row r is set if its anchor, its first space in
 * reading order, can be in row r and column c.
 */
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

/* Surveys the map for this act with its bonuses. */
void motherload_survey(const struct motherload_components *set,
                       const struct motherload_state *state, const struct motherload_act *act,
                       struct motherload_ground *ground);

/* The spaces of a single row of the boards in play that are not open, and those that are joined. */
uint16_t motherload_closed_row(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_act *act, unsigned row);
uint16_t motherload_joined_row(const struct motherload_components *set,
                               const struct motherload_state *state,
                               const struct motherload_act *act, unsigned row);

/* The number of orientations of the act's tunnel. A drill's are 0 across and, if it is longer than
 * 1, 1 down; a bomb's are those of its pattern. */
unsigned motherload_orientations(const struct motherload_components *set,
                                 const struct motherload_act *act);

/* The possible places of the act's tunnel in this orientation. */
void motherload_anchors(const struct motherload_components *set,
                        const struct motherload_ground *ground, const struct motherload_act *act,
                        unsigned orientation, struct motherload_rows *anchors);

/* The number of places for the act's tunnel; counting stops at `enough`. */
unsigned motherload_count_places(const struct motherload_components *set,
                                 const struct motherload_state *state,
                                 const struct motherload_act *act, unsigned enough);

/* True, with the tunnel, if there is exactly one place for the act's tunnel. */
bool motherload_only_place(const struct motherload_components *set,
                           const struct motherload_state *state, const struct motherload_act *act,
                           struct motherload_tunnel *tunnel);

/* The longest line with a place anywhere; every shorter one has a place too. It is not looked for
 * beyond `enough`, 1 .. */
unsigned motherload_longest_line(const struct motherload_ground *ground, unsigned enough);

/* The spaces of the act's tunnel with its anchor in `row` and `column`. */
struct motherload_tunnel motherload_tunnel_at(const struct motherload_components *set,
                                              const struct motherload_act *act,
                                              unsigned orientation, unsigned row, unsigned column);

/* Sums of yields: across[r][c] of the first c spaces of row r, down[r][c] of the first r spaces of
 * column c. */
struct motherload_yields {
    motherload_yield across[TABLE_ROWS][COLUMNS + 1];
    motherload_yield down[TABLE_ROWS + 1][COLUMNS];
};

/* Adds up what the boards on the table hold. What was taken is still in the sums, but no new tunnel
 * can lie there. */
void motherload_sum_yields(const struct motherload_components *set,
                           const struct motherload_state *state, struct motherload_yields *yields);

/* One field of a yield other than the dollars. */
static inline unsigned motherload_yield_of(motherload_yield yield, unsigned field)
{
    return (unsigned)(yield >> field) & 15;
}

static inline unsigned motherload_cards_of(motherload_yield yield)
{
    return (unsigned)(yield >> YIELD_CARDS);
}

static inline unsigned motherload_dollars_of(motherload_yield yield)
{
    return (unsigned)yield & YIELD_DOLLARS_MAX;
}

/* One space longer: `lines` holds the anchors of all lines of some length that are open, and those
 * that are joined. */
void motherload_stretch_across(struct motherload_ground *lines);
void motherload_stretch_down(struct motherload_ground *lines);

/* True if the space is on a board in play. */
bool motherload_on_table(const struct motherload_state *state, int row, int column);

/* The board that a row of the table belongs to. */
const struct motherload_board *motherload_board_of(const struct motherload_components *set,
                                                   const struct motherload_state *state,
                                                   unsigned row);

#endif
