/* Officials' signatures of what they decide (engine/tournament/event/official.h), given in the
 * header field Tillroll-Signature: signatures in hex, with commas between them if a request adds
 * several lines that are signed; or `ask`. A request without the signature that is needed, or that
 * asks, is refused with the text to be signed, and is then sent again. */
#ifndef TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H
#define TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H

#include "api/event/event_load.h"

/* Checks and stores the caller's signature of an act, a line that has just been stored; `before` is
 * the number of the line before it. Without one, answers with a problem if `required` or asked for.
 * True also for acts that need none and have none. */
bool official_signature_take(struct call *call, const struct loaded_event *loaded,
                             const struct tournament_line *line, unsigned before, bool required);

#endif
