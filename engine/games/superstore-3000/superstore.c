/* Superstore 3000 by Rodrigo Rego, Space Cowboys 2024. This file is the table of contents; read
 * state.h next, then setup.c, play.c and turn.c. */
#include "engine/embed.h"
#include "engine/games/superstore-3000/position.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"

EMBED(superstore_components, "engine/games/superstore-3000/components.json");

static const struct game_cases cases = {superstore_load_position, superstore_read_position};

const struct game game_superstore_3000_1_0_0 = {
    .slug = "superstore-3000",
    .title = "Superstore 3000",
    .version = "1.0.0",
    .seats_min = SEATS_MIN,
    .seats_max = SEATS_MAX,
    .components = superstore_components,
    .components_end = superstore_components_end,
    .components_sha256 = "70dc549bc5b725de812ff8dbd150a40042998482ad624d196b36a785a87911b6",
    .state_size = sizeof(struct superstore_state),
    .plies_max = 171, /* four seats: 108 turns and 63 customers to choose for */
    .legal_max = 450, /* customers times stores of one mall, more than any turn offers */
    .move_max = 42,   /* `attract nebula-bungee-jumping front l16 10` */
    .setup = superstore_setup,
    .deciders = superstore_deciders,
    .legal = superstore_legal,
    .play = superstore_play,
    .fallback = superstore_fallback,
    .rekey = superstore_rekey,
    .drawn = superstore_drawn,
    .outcome = superstore_outcome,
    .view = superstore_view,
    .events = superstore_events,
    .advise = superstore_advise,
    .cases = &cases,
};
