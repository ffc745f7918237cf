/* Supermarché by Ryan Mayes, the freely printed edition, implementing engine/game/game.h: a game
 * for one.
 *
 *      components.json .h .c      what the box holds
 *      state.h .c                 what lies on the table; the round as a drawing; the end
 *      supermarche.c              how it begins
 *      luck.h .c                  shuffles and dice
 *      play.c                     moves as text, checking and applying them
 *      move.h                     a move as a value
 *      turn.h .c                  what then runs by itself: phases and shopping trips
 *      legal.c                    every legal move, and the fallback move
 *      view.c, events.c           what each viewer may know
 *      policy.h .c                how good each move is, for players made of code
 *      trial.h .c                 how a round may end after a move
 *      cases.c                   worked cases
 */
#include <string.h>

#include "engine/base/embed.h"
#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

/* The start of a game: Rulebook, Setup. */

void supermarche_clear(struct supermarche_state *state)
{
    memset(state, 0, sizeof *state);
    state->round = 1;
    state->on_sale = NONE;
    state->shopper = NONE;
    for (unsigned food = 0; food < FOODS; food++)
        state->supply[food] = CUBES;
}

void supermarche_lay_out(const struct supermarche_components *set, struct supermarche_state *state,
                         unsigned difficulty)
{
    state->difficulty = (uint8_t)difficulty;
    state->money = set->difficulties[difficulty].money;
    for (unsigned i = 0; i < FOODS; i++) {
        const struct supermarche_food *food = &set->foods[i];
        state->store[i][food->initial_box] = food->initial_cubes;
        state->supply[i] = (uint8_t)(state->supply[i] - food->initial_cubes);
    }
}

static void set_up(const struct supermarche_components *set, struct supermarche_state *state,
                   const struct game_options *options, const struct chance *chance)
{
    supermarche_lay_out(set, state, options->value[0]);
    supermarche_shuffle(set, state, chance);
    state->point = AT_ROUND_BEGIN;
    bool decided = supermarche_advance(set, state, chance);
    assert(decided); /* nobody shops before the first decision, a sale */
    (void)decided;
}

static void supermarche_setup(const struct game *game, void *opaque, unsigned seats,
                              const struct game_options *options, const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    (void)seats;
    supermarche_clear(state);
    set_up(set, state, options, chance);
}

/* The same for version 0.9.0. */
static void supermarche_setup_0_9_0(const struct game *game, void *opaque, unsigned seats,
                                    const struct game_options *options, const struct chance *chance)
{
    struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    (void)seats;
    supermarche_clear(state);
    state->coupon_overflows = 1;
    set_up(set, state, options, chance);
}

EMBED_EVERYWHERE(supermarche_components, "engine/games/supermarche/components.json");

/* Filled by the catalogue. */
static struct supermarche_components built_in;

/* In the order of supermarche_difficulties[]. */
static const char *const difficulties[] = {"easy", "normal", "hard", NULL};

static const struct game_option options[] = {
    {"difficulty", difficulties, 1, "How much money you start with: $30, $15 or none."},
};

/* What all versions share. */
#define SUPERMARCHE                                                                                \
    .slug = "supermarche", .title = "Supermarché", .seats_min = 1, .seats_max = 1,                 \
    .options = options, .option_count = sizeof options / sizeof options[0],                        \
    .components = supermarche_components, .components_end = supermarche_components_end,            \
    .components_sha256 = "2a1c4f97942dea3fa2c3018911b9585022dbd442b33f066ccd04861fd23bcab3",       \
    .set = &built_in, .set_size = sizeof built_in, .read = supermarche_read_components,            \
    .state_size = sizeof(struct supermarche_state),                                                \
    .plies_max = 400,    /* 40 a round, 86 rolls and 40 payments: at most 366 */                   \
        .legal_max = 51, /* ten numbers for each of five foods, and `buy done` */                  \
        .move_max = 24,  /* `stock dry-goods never 10` */                                          \
        .deciders = supermarche_deciders, .legal = supermarche_legal, .play = supermarche_play,    \
    .fallback = supermarche_fallback, .rekey = supermarche_rekey, .drawn = supermarche_drawn,      \
    .imagine = supermarche_imagine, .outcome = supermarche_outcome, .view = supermarche_view,      \
    .events = supermarche_events, .weigh = supermarche_weigh, .weight_unit = 150,                  \
    .finish = supermarche_finish, .sketch = supermarche_sketch

extern const struct game game_supermarche_1_0_0, game_supermarche_0_9_0;

const struct game game_supermarche_1_0_0 = {
    SUPERMARCHE,
    .version = "1.0.0",
    .setup = supermarche_setup,
    .cases = &supermarche_worked_cases,
};

/* As 1.0.0, except for R21: a coupon needs one free space. */
const struct game game_supermarche_0_9_0 = {
    SUPERMARCHE,
    .version = "0.9.0",
    .setup = supermarche_setup_0_9_0,
    .cases = &supermarche_worked_cases_0_9_0,
};
