/* Players' signatures of their moves (engine/signature.h): checked before anything is written, and
 * stored beside the record with it. */
#ifndef TILLROLL_API_SIGNED_MOVES_H
#define TILLROLL_API_SIGNED_MOVES_H

#include "api/call.h"
#include "engine/replay.h"
#include "engine/signature.h"

struct move_signed {
    bool given;
    uint8_t bytes[SIGNATURE_BYTES];
};

/* Reads the member `signature` of the body, which may be missing. False with a problem. */
bool signed_moves_read(struct call *call, struct move_signed *given);

/* Whether a decision of the caller's seat may be written with this signature, or without one:
 * `move` is what will stand behind the time in its line, and `head` the chain's value for which the
 * caller has decided. False with a problem. */
bool signed_moves_check(struct call *call, const struct replay *replay, unsigned seat,
                        struct span move, const uint8_t head[static 32],
                        const struct move_signed *given);

/* The same for several moves of one request, of which none can be signed: nobody but the service
 * knows the chain's values between them. */
bool signed_moves_check_several(struct call *call, const struct replay *replay, unsigned seat,
                                const struct move_signed *given);

/* The signatures of a game's first `entries` entries as a text (engine/signature.h), in the arena.
 * `count` says how many. */
enum db_status signed_moves_print(struct db *db, struct arena *arena, const struct id *game,
                                  unsigned entries, struct span *text, size_t *count);

#endif
