/* Supermarché by Ryan Mayes, the freely printed edition, behind the contract of engine/game.h: a
 * game for one.
 *
 *      components.json .h .c      what the box holds
 *      state.h .c                 what lies on the table; the round as a drawing
 *      setup.c, luck.h .c         how it begins; shuffles and dice
 *      moves.h .c                 moves as text
 *      play.c                     checking and applying a move
 *      turn.h .c, trip.c          what then runs by itself: phases and shopping trips
 *      legal.c                    every legal move, and the quiet one
 *      score.c                    the end
 *      view.c, events.c, names.c  what each viewer may know
 *      advise.c                   a player that knows only its view
 *      position.c, expectation.c  worked cases
 */
#include "engine/embed.h"
#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"

EMBED(supermarche_components, "engine/games/supermarche/components.json");

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
    .state_size = sizeof(struct supermarche_state),                                                \
    .plies_max = 400,    /* 40 a round, 86 rolls and 40 payments: at most 366 */                   \
        .legal_max = 51, /* ten numbers for each of five foods, and `buy done` */                  \
        .move_max = 24,  /* `stock dry-goods never 10` */                                          \
        .deciders = supermarche_deciders, .legal = supermarche_legal, .play = supermarche_play,    \
    .fallback = supermarche_fallback, .rekey = supermarche_rekey, .drawn = supermarche_drawn,      \
    .outcome = supermarche_outcome, .view = supermarche_view, .events = supermarche_events,        \
    .advise = supermarche_advise

extern const struct game game_supermarche_1_0_0, game_supermarche_0_9_0;

static const struct game_cases cases = {supermarche_load, supermarche_read};

const struct game game_supermarche_1_0_0 = {
    SUPERMARCHE,
    .version = "1.0.0",
    .setup = supermarche_setup,
    .cases = &cases,
};

/* As 1.0.0, but R21: a coupon needs one free space. */
static const struct game_cases cases_0_9_0 = {supermarche_load_0_9_0, supermarche_read};

const struct game game_supermarche_0_9_0 = {
    SUPERMARCHE,
    .version = "0.9.0",
    .setup = supermarche_setup_0_9_0,
    .cases = &cases_0_9_0,
};
