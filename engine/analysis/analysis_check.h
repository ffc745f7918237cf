/* Checks an analysis that somebody else has made, as far as that goes without making it again. */
#ifndef TILLROLL_ENGINE_ANALYSIS_CHECK_H
#define TILLROLL_ENGINE_ANALYSIS_CHECK_H

#include <jansson.h>

#include "engine/analysis/analysis.h"
#include "engine/search/level.h"

/* Names what the numbers of an analysis depend on besides the record and the budget. */
#define ANALYSIS_MAKER ANALYSIS_VERSION "." LEVEL_VERSION

/* What is wrong with a document, or NULL: it must have exactly the members of analysis_document()
 * and `plies`, with those of analysis_document_ply(); be of this record and budget (1 or more) and
 * of ANALYSIS_VERSION; have the record's plies that count, in order, with their moves; and all its
 * sums must hold exactly. `record` must be one that analysis_new() takes. The text is static. Any
 * thread. */
const char *analysis_check(const json_t *document, struct span record, uint32_t budget);

#endif
