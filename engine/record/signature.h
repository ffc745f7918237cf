/* Players' signatures of their moves and of their entropy. A player whose seat has an Ed25519 key
 * may sign what the seat sends:
 *
 *      "tillroll move" LF game LF hex(head) LF seat LF move LF
 *      "tillroll entropy" LF game LF hex(commitment) LF seat LF hex(entropy) LF
 *
 * `head` is the chain's value at which the player signed, `move` what follows the time in the
 * player's line: the move, or `undo <n>`. A signature is therefore valid for one decision of one
 * game. A signature of entropy shows that the entropy was given after the server had committed to
 * its secret.
 *
 * Replaying does not need signatures, so they are not in the record but in a separate text beside
 * it:
 *
 *      tillroll signatures 1
 *      game <game id>
 *      entropy <seat> <signature, 128 hex digits>    in the order of seats
 *      <seq> <signature>                             one a line, in the order of entries
 *
 * The head is the chain's value before the player's line. It may also be the value before an
 * earlier line, if all lines from there on are system lines other than a take-back, or simultaneous
 * plies of lower seats, because a player does not see the simultaneous decisions of others. There
 * are fewer than SIGNATURE_LINES_BACK lines between the two.
 */
#ifndef TILLROLL_ENGINE_RECORD_SIGNATURE_H
#define TILLROLL_ENGINE_RECORD_SIGNATURE_H

#include "engine/record/record.h"

#define SIGNATURE_FIRST_LINE "tillroll signatures 1"

enum { SIGNATURE_BYTES = 64, SIGNATURE_LINES_BACK = 16, SIGNATURE_MESSAGE_MAX = 512 };

/* Appends the message that is signed. `move` is borrowed. */
void signature_message(const char *game_id, const uint8_t head[static 32], unsigned seat,
                       struct span move, struct text *message);

/* The same for the entropy of a seat in `header`. */
void signature_entropy_message(const struct record_header *header, unsigned seat,
                               struct text *message);

/* True if `signature` is the message's signature by `key`. */
bool signature_holds(const char *game_id, const uint8_t head[static 32], unsigned seat,
                     struct span move, const uint8_t signature[static SIGNATURE_BYTES],
                     const uint8_t key[static 32]);

/* The same for the entropy of a seat that has a key; uses that key. */
bool signature_of_entropy_holds(const struct record_header *header, unsigned seat,
                                const uint8_t signature[static SIGNATURE_BYTES]);

/* Append the parts of a text of signatures: its beginning, the line of an entropy signature, and
 * the line of an entry's signature, each with its LF. */
void signature_print_first(const char *game_id, struct text *text);
void signature_print_entropy(unsigned seat, const uint8_t signature[static SIGNATURE_BYTES],
                             struct text *text);
void signature_print(uint32_t seq, const uint8_t signature[static SIGNATURE_BYTES],
                     struct text *text);

/* Removes the next signature from the front of a valid text of signatures: one of entropy, and
 * `number` is a seat, or one of the entry `number`. False if there are no more. */
bool signature_next(struct span *rest, bool *of_entropy, uint32_t *number,
                    uint8_t signature[static SIGNATURE_BYTES]);

struct signature_count {
    uint32_t good;    /* signatures, all of them valid */
    uint32_t plies;   /* plies and undo lines of seats that have a key, including fallback moves */
    uint32_t entropy; /* signatures of entropy, all of them valid */
};

/* Checks a text of signatures against its record, finished or not. The record is assumed to be
 * valid (engine/record/replay.h). False with a fault: its line is one of `signatures`, or 0 if the
 * record cannot be read. Reads only its arguments; any thread. */
bool signature_check(struct span record, struct span signatures, struct signature_count *count,
                     struct record_fault *fault);

#endif
