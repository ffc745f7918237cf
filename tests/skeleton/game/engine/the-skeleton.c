/* The Skeleton. This file is the table of contents; read rules.h next, then play.c and view.c. */
#include "engine/base/embed.h"
#include "engine/games/the-skeleton/rules.h"

EMBED(the_skeleton_components, "engine/games/the-skeleton/components.json");

const struct game game_the_skeleton_1_0_0 = {
    .slug = "the-skeleton",
    .title = "The Skeleton",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .components = the_skeleton_components,
    .components_end = the_skeleton_components_end,
    .components_sha256 = "COMPONENTS_SHA256",
    .state_size = sizeof(struct the_skeleton_state),
    .plies_max = SEATS_MAX, /* one each */
    .legal_max = 2,
    .move_max = 4,
    .setup = the_skeleton_setup,
    .deciders = the_skeleton_deciders,
    .legal = the_skeleton_legal,
    .play = the_skeleton_play,
    .fallback = the_skeleton_fallback,
    .rekey = the_skeleton_rekey,
    .drawn = the_skeleton_drawn,
    .imagine = the_skeleton_imagine,
    .outcome = the_skeleton_outcome,
    .view = the_skeleton_view,
    .events = the_skeleton_events,
    .weigh = the_skeleton_weigh,
    .weight_unit = 1,
    .cases = &the_skeleton_worked_cases,
};
