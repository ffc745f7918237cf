/* The start of a game: Rulebook, Setup. Seat 0 is the starting player; the seat to its right is the
 * last one. What follows the choice of the first board's side is in turn.c. */
#include <string.h>

#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "engine/games/super-motherload/turn.h"

void motherload_clear(struct motherload_state *state, unsigned seats)
{
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    state->act.pattern = NONE;
    state->put_mineral = NONE;
    state->put_stack = NONE;
    state->bought_from = NONE;
    state->supply = BOMB_TOKENS;
    state->artifact_next = ARTIFACT_TILES;
    memset(state->board, NONE, sizeof state->board);
    memset(state->side, NONE, sizeof state->side);
    memset(state->majors, NONE, sizeof state->majors);
    memset(state->minors, NONE, sizeof state->minors);
    memset(state->deck, NONE, sizeof state->deck);
}

void motherload_setup(void *opaque, unsigned seats, const struct game_options *options,
                      const struct chance *chance)
{
    struct motherload_state *state = opaque;
    motherload_clear(state, seats);
    state->decks_by_seat = options->value[OPTION_DECKS];
    state->sides_drawn = options->value[OPTION_SIDES];
    state->point = AT_SIDE_1;
    state->active = (uint8_t)(seats - 1);
    if (state->sides_drawn) {
        motherload_draw_sides(state, chance);
        motherload_open_table(state, state->side[0], chance);
    }
    motherload_advance(state, chance);
}
