/* Mall World by Andrea Meyer behind the contract of engine/game.h.
 *
 *      components.json .h .c         what the box holds
 *      state.h .c                    what lies on the table; the turn as a drawing
 *      setup.c                       how it begins
 *      moves.h .c                    moves as text
 *      play.c                        checking and applying a move
 *      turn.h .c, lobby.c, auction.c what then runs by itself
 *      piles.h .c                    drawing and shuffling
 *      legal.c                       every legal move, and the quiet one
 *      score.c                       the end
 *      view.c, events.c              what each viewer may know
 *      advise.h, advise*.c           a player that knows only its view
 *      position.c, expectation.c     worked cases
 */
#include "engine/embed.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/rules.h"

EMBED(mall_world_components, "engine/games/mall-world/components.json");

static const struct game_cases cases = {mall_world_load, mall_world_read};

static const char *const drawn_or_fixed[] = {"drawn", "fixed", NULL};

static const struct game_option options[] = {
    {"opening", drawn_or_fixed, 0,
     "Draw where covers and first tiles lie, or take the opening of the first game."},
};

extern const struct game game_mall_world_1_0_0;

const struct game game_mall_world_1_0_0 = {
    .slug = "mall-world",
    .title = "Mall World",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .components = mall_world_components,
    .components_end = mall_world_components_end,
    .components_sha256 = "0e18a71a7d1dc49aecc277173356029f3e2c661c97fbcd6ce8d8b88fe005837e",
    .state_size = sizeof(struct mall_world_state),
    .plies_max = 17000, /* at most 1,095 turns of at most 15 plies, and 566 others */
    .legal_max = 216,   /* three cards on offer, two moves with each in 36 rooms */
    .move_max = 60,     /* `confirm special-belt-and-button-jens-got-berries bribe -1000` */
    .setup = mall_world_setup,
    .deciders = mall_world_deciders,
    .legal = mall_world_legal,
    .play = mall_world_play,
    .fallback = mall_world_fallback,
    .rekey = mall_world_rekey,
    .drawn = mall_world_drawn,
    .outcome = mall_world_outcome,
    .view = mall_world_view,
    .events = mall_world_events,
    .advise = mall_world_advise,
    .cases = &cases,
};
