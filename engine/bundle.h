/* A record as it is handed on, with what others need who trust nobody:
 *
 *      the record                     .roll
 *                                     an empty line
 *      — <name> <signature>           the server's, over the record: together a signed note
 *                                     an empty line
 *      tillroll signatures 1 ..       its players', if there are any (signature.h)
 *                                     an empty line
 *      c2sp.org/tlog-proof@v1 ..      that its head is in the transparency log
 *
 * The record alone, and the record with its signatures alone, are bundles as well.
 */
#ifndef TILLROLL_ENGINE_BUNDLE_H
#define TILLROLL_ENGINE_BUNDLE_H

#include "engine/checkpoint.h"
#include "engine/record.h"

struct bundle {
    struct span record;
    struct span note;    /* the record with its signatures; empty if there are none */
    struct span players; /* their signatures; empty if there are none */
    struct span proof;   /* empty if there is none */
};

/* Finds the parts; what is in them is not looked at. They are parts of `bytes`. */
void bundle_split(struct span bytes, struct bundle *bundle);

/* True if the record is signed with this key; without a key, if it is followed by signatures at
 * all. Else a fault: `no-signature`, `bad-note`, `forged-signature`. */
bool bundle_is_signed(const struct bundle *bundle, const struct note_key *key,
                      struct record_fault *fault);

/* True if the proof leads from the record's leaf to a checkpoint that `key` has signed; without a
 * key its signature is not looked at. Else a fault: `no-proof`, `bad-proof`, `bad-checkpoint`,
 * `other-log`, `unsigned-checkpoint`, `forged-checkpoint`, `not-in-log`. `checkpoint` is the one it
 * leads to. */
bool bundle_is_logged(const struct bundle *bundle, const struct note_key *key,
                      struct checkpoint *checkpoint, struct record_fault *fault);

#endif
