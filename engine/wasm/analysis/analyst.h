/* Analysis for browsers (engine/analysis/analysis.h), compiled to WebAssembly.
 *
 *      web-static/game/analysis.js             the part of a game's page
 *      web-static/game/analysis-worker.js      runs beside it
 *      practice/json.c                         stands in for Jansson
 *
 * There is one analysis at a time. The module has no imports, and takes at most 256 MiB of memory.
 * Texts are NUL-terminated JSON in UTF-8 and stay until the next call. */
#ifndef TILLROLL_ENGINE_WASM_ANALYSIS_ANALYST_H
#define TILLROLL_ENGINE_WASM_ANALYSIS_ANALYST_H

#include <stddef.h>
#include <stdint.h>

/* The buffer for a record and a component set, and its size in bytes. The record has to stay in it
 * until the analysis is complete. */
char *analyst_room(void);
size_t analyst_room_size(void);

/* Begins an analysis of the record of `size` bytes in the buffer; behind it are the `set_size`
 * bytes of the component set that it names, 0 for the ruleset's own. Budget 0: the game's usual
 * one.
 * {"plies", "dealt"}: the number of plies, and the value of each seat after the deal. Or, if the
 * record is not analysed, {"code", "message", "line"}: `wrong-components` if it names another set.
 * A budget or size out of range traps. */
const char *analyst_begin(size_t size, size_t set_size, uint32_t budget);

/* Analyses the next ply: what analysis_document_ply() makes of it; null if there are no more, or
 * {"code", "message", "line"} if it cannot be analysed. Traps without an analysis. */
const char *analyst_step(void);

/* All but the plies, summed over those analysed so far: analysis_document(). Traps without an
 * analysis. */
const char *analyst_document(void);

#endif
