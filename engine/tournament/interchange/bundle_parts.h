/* Shared by the parts of reading a bundle. Internal to bundle_*.c. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_PARTS_H

#include "engine/tournament/interchange/bundle.h"

/* Fills `fault` with a sentence and, if it is not empty, a detail after it; returns false. */
bool bundle_refuse(struct bundle_fault *fault, size_t line, const char *code, const char *message,
                   const char *detail);

/* Reproduces the numbering, stage or round of a line from the event before it, and compares. True
 * for lines of other kinds. */
bool bundle_check_pairing(struct bundle *bundle, const struct tournament_line *line, size_t number,
                          struct bundle_fault *fault);

#endif
