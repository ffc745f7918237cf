/* Officials' signatures of their decisions (engine/tournament/event/official.h). The header field
 * Tillroll-Signature contains either hexadecimal signatures, separated by commas if a request adds
 * several signed lines, or `ask`. A request that says `ask` or lacks a required signature is
 * refused with the text to be signed, and is then sent again. */
#ifndef TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H
#define TILLROLL_API_EVENT_OFFICIAL_SIGNATURES_H

#include "api/event/event_load.h"
#include "engine/record/signature.h"

/* Checks and stores the caller's signature of an act, a line that has just been stored; `before` is
 * the number of the line before it. Without a signature, answers with a problem if one is
 * `required` or the request says `ask`. True also for acts that need no signature and have none. */
bool official_signature_take(struct call *call, const struct loaded_event *loaded,
                             const struct tournament_line *line, unsigned before, bool required);

/* Checks the caller's signature of an act in a running game: a line that has been added to the
 * record, with its mark, but not stored. `head` is the chain's value before the first line of the
 * request. The event's setting says whether a signature is required; a game without an event has
 * none. False with a problem. Otherwise party_add_act() can store `act`, with or without a
 * signature. */
bool official_signature_of_line(struct call *call, const struct id *event, const struct id *game,
                                const uint8_t head[static 32], unsigned seq, struct span line,
                                struct signature *act);

#endif
