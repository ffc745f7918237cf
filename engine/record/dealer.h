/* Co-dealers: independent parties whose verifiable random outputs (engine/base/ecvrf.h) are mixed
 * into the luck of a game, so that it is nobody's choice as long as one party is honest.
 * engine/record/RECORD.md, Luck, says why and in which order.
 *
 * What a dealer is asked for is the output on this input, which follows from a record's header:
 *
 *      tillroll dealer 1
 *      <scope>
 *      <commitment, in hex>
 *      <SHA-256 of the entropy lines, each with LF, in hex; `-` if there are none>
 *
 * with LF after each line. A service sends it as a signed note (engine/log/note.h), signed with the
 * key of its log. The answer is the proof in hex and LF.
 *
 * Pure; any thread.
 */
#ifndef TILLROLL_ENGINE_RECORD_DEALER_H
#define TILLROLL_ENGINE_RECORD_DEALER_H

#include "engine/record/record.h"

enum { DEALER_INPUT_MAX = 256 }; /* bytes of the input, and a NUL */

struct dealer_input {
    char scope[RECORD_SCOPE_MAX]; /* a game's id, or that of a duplicate round */
    uint8_t commitment[32];
    bool has_entropy;
    uint8_t entropy[32]; /* the hash of the entropy lines */
};

/* The input for the luck of a game, of whose header everything from `seat` to the entropy is
 * filled in. */
void dealer_input_of(const struct record_header *header, struct dealer_input *input);

/* Appends the input: at most DEALER_INPUT_MAX - 1 bytes. */
void dealer_input_print(const struct dealer_input *input, struct text *text);

/* Reads it in its one form. False if it is anything else. */
bool dealer_input_read(struct span text, struct dealer_input *input);

/* Checks the proofs of all dealers of a header that has been read. False with the fault
 * `wrong-proof` at the first one that does not hold. */
bool dealer_check(const struct record_header *header, struct record_fault *fault);

#endif
