/* event.wasm: bundles of events, judged in browsers by the same code as `tillroll event`
 * (engine/tournament/interchange/bundle.h). JavaScript puts a file into the room and calls
 * event_judge(). The functions import from `env`:
 *
 *      ed25519_asked(signature, text, size, key)   as for verify.wasm (engine/wasm/ed25519.h)
 *      event_told(done, total)                     records that have been replayed, and all
 */
#ifndef TILLROLL_ENGINE_WASM_EVENT_EVENT_H
#define TILLROLL_ENGINE_WASM_EVENT_EVENT_H

#include <stddef.h>

/* Returns room for a file of this size, at most BUNDLE_BYTES_MAX bytes, or NULL. The room before it
 * is freed. */
char *event_room(size_t size);

/* Judges the file in the room. Returns 0 if it is valid, 1 if it is invalid, and 2 if it is valid
 * so far: the event is not closed, or the file lacks its records. */
int event_judge(void);

/* What was found by the last call of event_judge(), as JSON, which stays until the next call:
 *
 *      {"fault":{"code":"..","line":n,"said":".."},"read":bool}
 *              if it is invalid; line 0 = none. `said`: what the command prints after "invalid: ".
 *              With `read`, seal, log, secret and pairings hold, and something is wrong with a
 *              record or its result
 *      {"key":hex,"restated_line":n,"results":{..},"secret":bool,"signed_games":n}
 *              otherwise; `results`: bundle_results_document()
 */
const char *event_document(void);

#endif
