/* Super Motherload by Gavan Brown and Matt Tolman. This file is the table of contents; read state.h
 * next, then turn.c, map.h and play.c. */
#include "engine/base/embed.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"

EMBED_EVERYWHERE(motherload_components, "engine/games/super-motherload/components.json");

/* Filled by the catalogue. */
static struct motherload_components built_in;
EMBED_EVERYWHERE(motherload_value, "engine/games/super-motherload/value.txt");

static const char *const chosen_or_drawn[] = {"chosen", "drawn", NULL};
static const char *const chosen_or_seat[] = {"chosen", "seat", NULL};

static const struct game_option options[] = {
    [OPTION_DECKS] = {"decks", chosen_or_seat, 0,
                      "Seats choose their decks in turn order, or seat k gets the k-th deck of "
                      "gray, green, purple, orange."},
    [OPTION_SIDES] = {"sides", chosen_or_drawn, 0,
                      "Seats pick the sides of the game boards, or the sides are drawn by lot."},
};

extern const struct game game_super_motherload_1_0_0;

const struct game game_super_motherload_1_0_0 = {
    .slug = "super-motherload",
    .title = "Super Motherload",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .components = motherload_components,
    .components_end = motherload_components_end,
    .components_sha256 = "fcb9e8e92af99a9fe5fa5a4b71cdd516955b7c943982cfdf8a738618af22aca6",
    .set = &built_in,
    .set_size = sizeof built_in,
    .read = motherload_read_components,
    .state_size = sizeof(struct motherload_state),
    .plies_max = 36000, /* at most 4716 turns; actual games have 190 to 1000 plies */
    .legal_max = 3763,  /* drills 3715, bombs 5, artifacts 35, claims 6, draw, end */
    .move_max = 41,     /* `drill yellow y0 y0 y10 y15 w0 w10 w15 w20` */
    .setup = motherload_setup,
    .deciders = motherload_deciders,
    .legal = motherload_legal,
    .play = motherload_play,
    .fallback = motherload_fallback,
    .rekey = motherload_rekey,
    .drawn = motherload_drawn,
    .imagine = motherload_imagine,
    .fit = motherload_fit,
    .show = motherload_show,
    .outcome = motherload_outcome,
    .view = motherload_view,
    .events = motherload_events,
    .weigh = motherload_weigh,
    .play_best = motherload_play_best,
    .weight_unit = 8,
    .features = motherload_features,
    .feature_count = MOTHERLOAD_FEATURES,
    .value = motherload_value,
    .value_end = motherload_value_end,
    .cases = &motherload_worked_cases,
};
