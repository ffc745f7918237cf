/* Shinjuku by Gary Kacmarcik, Rules of Play version 2 r11, behind the contract of engine/game.h.
 *
 *      components.json .h .c, expansions.c   what the box holds
 *      state.h .c                            what lies on the table; the turn as a drawing
 *      setup.c                               how it begins
 *      moves.h .c                            moves as text
 *      play.c                                checking and applying a move
 *      turn.h .c, piles.h .c                 what then runs by itself; drawing and shuffling
 *      legal.c                               every legal move, and the quiet one
 *      score.c                               the end
 *      view.c, events.c, names.c             what each viewer may know
 *      advise.h, advise*.c                   a player that knows only its view
 *      position.c, expectation.c             worked cases
 */
#include "engine/embed.h"
#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"

EMBED(shinjuku_components, "engine/games/shinjuku/components.json");

static const struct game_cases cases = {shinjuku_load, shinjuku_read};

static const char *const off_or_on[] = {"off", "on", NULL};

static const struct game_option options[] = {
    {"advanced", off_or_on, 0, "Play without the Matsuri and without Upgrade Bonus tokens."},
};

extern const struct game game_shinjuku_1_0_0;

const struct game game_shinjuku_1_0_0 = {
    .slug = "shinjuku",
    .title = "Shinjuku",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .components = shinjuku_components,
    .components_end = shinjuku_components_end,
    .components_sha256 = "24151c165855e8be4bf8fcfc9d3dccf9e6617ddefb7f13ffacb6a87ec9cfabc7",
    .state_size = sizeof(struct shinjuku_state),
    .plies_max = 7347, /* at most 79 turns of at most 93 plies */
    .legal_max = 638,  /* 320 open, 67 + 189 expand, 44 move, 16 upgrade, income, end */
    .move_max = 49,    /* `expand kasai-rinkai-koen shin-kiba monzen-nakacho` */
    .setup = shinjuku_setup,
    .deciders = shinjuku_deciders,
    .legal = shinjuku_legal,
    .play = shinjuku_play,
    .fallback = shinjuku_fallback,
    .rekey = shinjuku_rekey,
    .drawn = shinjuku_drawn,
    .outcome = shinjuku_outcome,
    .view = shinjuku_view,
    .events = shinjuku_events,
    .advise = shinjuku_advise,
    .cases = &cases,
};
