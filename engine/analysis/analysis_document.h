/* An analysis as JSON, for the command line and for browsers. Values are integers in units of
 * 1 / ANALYSIS_ONE. */
#ifndef TILLROLL_ENGINE_ANALYSIS_DOCUMENT_H
#define TILLROLL_ENGINE_ANALYSIS_DOCUMENT_H

#include "engine/analysis/analysis.h"

/* All but the plies, summed over those analysed so far: {"analysis", "game", "ruleset", "version",
 * "budget", "one", "seats"}. A new reference. */
json_t *analysis_document(const struct analysis *analysis);

/* The ply analysed last: {"seq", "seat", "move", "skill", "luck", "value", "loss"} and, if a better
 * move was found, {"better", "better_text"}, where the text is its sentence from the log or null. A
 * new reference. At least one ply must have been analysed. */
json_t *analysis_document_ply(const struct analysis *analysis);

#endif
