/* Deposits: signed moves that players leave with a witness (its drop box), so that a service cannot
 * say that they never arrived.
 *
 *      tillroll deposit 1
 *      <origin of the service's log>
 *      <game>
 *      <scope of the secret behind the game's luck>    RECORD.md, Luck
 *      <commitment to that secret, in hex>
 *      <head at which the move was signed, in hex>
 *      <seat>
 *      <key of the seat, in hex>
 *      <move>
 *      <signature of the move, in hex>                 engine/record/signature.h
 *
 * with LF after each line. Its hash is SHA-256 of this text. Nobody but the player can compute it,
 * since it covers the signature; so it may be shown while the move is a secret. The whole text may
 * be shown to whoever shows the secret, which the service reveals when nothing is hidden any more.
 *
 * The receipt is a note that witnesses have cosigned (engine/log/cosignature.h): the time in their
 * lines is when they have stored the deposit. Its text is no checkpoint, having no size:
 *
 *      tillroll deposit 1
 *      <origin>
 *      <game>
 *      <hash, in hex>
 *
 * Deposit, empty line and receipt are a file that proves both. Pure; any thread.
 */
#ifndef TILLROLL_ENGINE_LOG_DEPOSIT_H
#define TILLROLL_ENGINE_LOG_DEPOSIT_H

#include "engine/log/note.h"
#include "engine/record/replay.h"

enum {
    DEPOSIT_MAX = 768,         /* bytes of the text, and a NUL */
    DEPOSIT_RECEIPT_MAX = 320, /* bytes of a receipt's text, and a NUL */
    DEPOSIT_HASH = 32
};

struct deposit {
    char origin[NOTE_NAME_MAX + 1];
    char game[RECORD_ID_LENGTH + 1];
    char scope[RECORD_SCOPE_MAX];
    uint8_t commitment[32], head[32];
    unsigned seat;
    uint8_t key[32];
    char move[GAME_MOVE_MAX + 1];
    uint8_t signature[64];
};

/* Appends the text: at most DEPOSIT_MAX - 1 bytes. */
void deposit_print(const struct deposit *deposit, struct text *text);

/* Reads it in its one form. False if it is anything else. Does not check the signature. */
bool deposit_read(struct span text, struct deposit *deposit);

/* True if the signature is by the key, for this move at this head. */
bool deposit_is_signed(const struct deposit *deposit);

void deposit_hash(const struct deposit *deposit, uint8_t hash[static DEPOSIT_HASH]);

/* Appends the text of a receipt: at most DEPOSIT_RECEIPT_MAX - 1 bytes. */
void deposit_print_receipt(const struct deposit *deposit, struct text *text);

/* True if this is the secret that was committed to. */
bool deposit_is_opened(const struct deposit *deposit, const uint8_t secret[static 32]);

/* Reads a file: deposit and receipt. `note` is its receipt, part of `file`, which is about this
 * deposit. False if it is anything else. Does not check signatures. */
bool deposit_read_file(struct span file, struct deposit *deposit, struct note *note);

enum deposit_finding {
    DEPOSIT_TAKEN,   /* the record has the move */
    DEPOSIT_LATE,    /* it was left when it was no longer awaited */
    DEPOSIT_DROPPED, /* it was left in time, was legal, and the record lacks it */
    DEPOSIT_UNJUDGED /* fault says why: the codes of replay_verify(); `other-game`, `unknown-head`,
                        `wrong-key`, `not-awaited`, `illegal-move`, `other-move` */
};

/* Room for deposit_judge(): large. Zeroed but for `sets`, component sets that do not come with the
 * program (replay_begin()). */
struct deposit_room {
    const struct component_sets *sets;
    struct replay replay, trial;
};

/* Compares a deposit, left at `time_s` (since 1970), with the finished record of its game. The
 * signatures of both are assumed to be checked. For DEPOSIT_DROPPED and DEPOSIT_LATE the fault
 * names the line with which the record went on. A witness counts whole seconds: the deposit is
 * assumed to have come at the end of its second. */
enum deposit_finding deposit_judge(const struct deposit *deposit, uint64_t time_s,
                                   struct span record, struct deposit_room *room,
                                   struct record_fault *fault);

#endif
