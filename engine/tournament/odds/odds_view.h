/* Odds as JSON, for the service and the command line. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_VIEW_H
#define TILLROLL_ENGINE_TOURNAMENT_ODDS_ODDS_VIEW_H

#include <jansson.h>

#include "engine/tournament/odds/odds.h"

/* {"version", "seed": hex, "samples", "stage": from 1, "rows": [{"division": n or null, "win":
 * `open`, `sure` or `out`, "win_chance", "advance": the same or null, "advance_chance": or null},
 * ..]}. Chances are in ten-thousandths: 0 and 10000 only if none or all of the samples were so. The
 * rows are those of `odds->entries`; the caller adds who they are, and owns the document. NULL when
 * out of memory. Pure. */
json_t *odds_view(const struct odds *odds);

#endif
