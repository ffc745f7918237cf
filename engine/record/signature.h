/* Signatures of what happens in a game. A player whose seat has an Ed25519 key may sign what the
 * seat sends, and an official what they decide about a seat or a dispute:
 *
 *      "tillroll move" LF game LF hex(head) LF seat LF move LF
 *      "tillroll entropy" LF game LF hex(commitment) LF seat LF hex(entropy) LF
 *      "tillroll official" LF game LF hex(head) LF official LF kind LF detail LF
 *
 * `head` is the chain's value at which the player signed, `move` what follows the time in the
 * player's line: the move, or `undo <n>`. A signature is therefore valid for one decision of one
 * game. A signature of entropy shows that the entropy was given after the server had committed to
 * its secret. An official signs lines `forfeit`, `fallback`, `return`, `substitute` and `ruling`:
 * kind and detail are the first word and the rest of what follows the time. They have the same form
 * as what an official signs about an event (engine/tournament/event/official.h).
 *
 * Replaying does not need signatures, so they are not in the record but in a separate text beside
 * it:
 *
 *      tillroll signatures 1
 *      game <game id>
 *      entropy <seat> <signature, 128 hex digits>    in the order of seats
 *      <seq> <signature>                             in the order of entries, as the next
 *      official <seq> <official> <key, 64 hex digits> <signature>
 *
 * The head is the chain's value before the player's line. It may also be the value before an
 * earlier line, if all lines from there on are system lines other than a take-back, or simultaneous
 * plies of lower seats, because a player does not see the simultaneous decisions of others. There
 * are fewer than SIGNATURE_LINES_BACK lines between the two. The head of an official's signature
 * may be from before an earlier line only if the lines from there on are rulings by the same
 * official at the same time, as those of one request are: an official's signature is valid for the
 * game as it was, and once.
 */
#ifndef TILLROLL_ENGINE_RECORD_SIGNATURE_H
#define TILLROLL_ENGINE_RECORD_SIGNATURE_H

#include "engine/record/record.h"

#define SIGNATURE_FIRST_LINE "tillroll signatures 1"

enum {
    SIGNATURE_BYTES = 64,
    SIGNATURE_LINES_BACK = 16,
    SIGNATURE_MESSAGE_MAX = 512,
    SIGNATURE_LINE_MAX = 256 /* bytes of a line of a text of signatures, with its LF */
};

/* Faults of officials' signatures. */
#define SIGNATURE_FAULT_OFFICIAL "bad-official-signature"
#define SIGNATURE_FAULT_STALE    "stale-official-signature" /* signed before others played */

enum signature_kind { SIGNATURE_OF_ENTROPY, SIGNATURE_OF_MOVE, SIGNATURE_OF_OFFICIAL };

/* A line of a text of signatures. */
struct signature {
    enum signature_kind kind;
    uint32_t number;                     /* the entry that is signed; the seat, of entropy */
    char official[RECORD_ID_LENGTH + 1]; /* of an official's */
    uint8_t key[32];                     /* likewise */
    uint8_t bytes[SIGNATURE_BYTES];
};

/* Appends the message that is signed. `move` is borrowed. */
void signature_message(const char *game_id, const uint8_t head[static 32], unsigned seat,
                       struct span move, struct text *message);

/* The same for the entropy of a seat in `header`. */
void signature_entropy_message(const struct record_header *header, unsigned seat,
                               struct text *message);

/* What an official signs of a line without mark: `forfeit 2`. Borrowed from it. */
struct span signature_act(struct span line);

/* Whether an official may sign the entry. */
bool signature_is_act(const struct record_entry *entry);

/* Appends the message that an official signs. `act` is borrowed. */
void signature_official_message(const char *game_id, const uint8_t head[static 32],
                                const char *official, struct span act, struct text *message);

/* True if it is the official's signature of the act at this head. */
bool signature_of_official_holds(const char *game_id, const uint8_t head[static 32],
                                 struct span act, const struct signature *signature);

/* True if `signature` is the message's signature by `key`. */
bool signature_holds(const char *game_id, const uint8_t head[static 32], unsigned seat,
                     struct span move, const uint8_t signature[static SIGNATURE_BYTES],
                     const uint8_t key[static 32]);

/* The same for the entropy of a seat that has a key; uses that key. */
bool signature_of_entropy_holds(const struct record_header *header, unsigned seat,
                                const uint8_t signature[static SIGNATURE_BYTES]);

/* Append the parts of a text of signatures: its beginning, and the line of a signature, each with
 * its LF. */
void signature_print_first(const char *game_id, struct text *text);
void signature_print(const struct signature *signature, struct text *text);

/* Removes the next signature from the front of a valid text of signatures. False if there are no
 * more. */
bool signature_next(struct span *rest, struct signature *signature);

struct signature_count {
    uint32_t good;    /* signatures, all of them valid */
    uint32_t plies;   /* plies and undo lines of seats that have a key, including fallback moves */
    uint32_t entropy; /* signatures of entropy, all of them valid */
    uint32_t officials; /* signatures of officials, all of them valid */
};

/* Checks a text of signatures against its record, finished or not. The record is assumed to be
 * valid (engine/record/replay.h). False with a fault: its line is one of `signatures`, or 0 if the
 * record cannot be read. Reads only its arguments; any thread. */
bool signature_check(struct span record, struct span signatures, struct signature_count *count,
                     struct record_fault *fault);

#endif
