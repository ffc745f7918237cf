/* Officials' signatures of what they decide (engine/tournament/event/official.h), given in the
 * header field Tillroll-Signature: signatures in hex, with commas between them if a request adds
 * several lines that are signed; or `ask`. A request without the signature that is needed, or that
 * asks, is refused with the text to be signed, and is then sent again. */
#ifndef TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H
#define TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H

#include "api/event/event_load.h"
#include "engine/record/signature.h"

/* Checks and stores the caller's signature of an act, a line that has just been stored; `before` is
 * the number of the line before it. Without one, answers with a problem if `required` or asked for.
 * True also for acts that need none and have none. */
bool official_signature_take(struct call *call, const struct loaded_event *loaded,
                             const struct tournament_line *line, unsigned before, bool required);

/* Checks the caller's signature of an act in a running game, a line that has been added to its
 * record (with its mark) but not stored; `head` is the chain's value before the first line of the
 * request. The event's setting says whether it is needed; a game without an event takes none. False
 * with a problem. Otherwise `act` is what party_add_act() stores, with or without a signature. */
bool official_signature_of_line(struct call *call, const struct id *event, const struct id *game,
                                const uint8_t head[static 32], unsigned seq, struct span line,
                                struct signature *act);

#endif
