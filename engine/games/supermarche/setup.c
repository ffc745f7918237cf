/* The start of a game: Rulebook, Setup. */
#include <string.h>

#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

void supermarche_clear(struct supermarche_state *state)
{
    memset(state, 0, sizeof *state);
    state->round = 1;
    state->on_sale = NONE;
    state->shopper = NONE;
    for (unsigned food = 0; food < FOODS; food++)
        state->supply[food] = CUBES;
}

void supermarche_lay_out(struct supermarche_state *state, unsigned difficulty)
{
    state->difficulty = (uint8_t)difficulty;
    state->money = supermarche_difficulties[difficulty].money;
    for (unsigned i = 0; i < FOODS; i++) {
        const struct supermarche_food *food = &supermarche_foods[i];
        state->store[i][food->initial_box] = food->initial_cubes;
        state->supply[i] = (uint8_t)(state->supply[i] - food->initial_cubes);
    }
}

static void set_up(struct supermarche_state *state, const struct game_options *options,
                   const struct chance *chance)
{
    supermarche_lay_out(state, options->value[0]);
    supermarche_shuffle(state, chance);
    state->point = AT_ROUND_BEGIN;
    bool decided = supermarche_advance(state, chance);
    assert(decided); /* nobody shops before the first decision, a sale */
    (void)decided;
}

void supermarche_setup(void *opaque, unsigned seats, const struct game_options *options,
                       const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    (void)seats;
    supermarche_clear(state);
    set_up(state, options, chance);
}

void supermarche_setup_0_9_0(void *opaque, unsigned seats, const struct game_options *options,
                             const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    (void)seats;
    supermarche_clear(state);
    state->coupon_overflows = 1;
    set_up(state, options, chance);
}
