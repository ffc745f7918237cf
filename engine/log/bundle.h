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
#ifndef TILLROLL_ENGINE_LOG_BUNDLE_H
#define TILLROLL_ENGINE_LOG_BUNDLE_H

#include "engine/log/note.h"
#include "engine/record/record.h"
#include "engine/record/replay.h"

struct bundle {
    struct span record;
    struct span note;    /* the record with its signatures; empty if there are none */
    struct span players; /* their signatures; empty if there are none */
    struct span proof;   /* empty if there is none */
};

/* Finds the parts; what is in them is not looked at. They are parts of `bytes`. */
void bundle_split(struct span bytes, struct bundle *bundle);

/* True if what stands behind the record has the form of the parts of a bundle: signatures, and a
 * proof with a checkpoint. (Whether they hold is for the functions below; the players' signatures
 * are for signature.h.) Else a fault: `bad-note`, `bad-proof`, `bad-checkpoint`. */
bool bundle_is_formed(const struct bundle *bundle, struct record_fault *fault);

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

/* What `tillroll verify` says of a file, in one place: for the command line and for browsers
 * (engine/wasm/verifier.c).
 *
 * Each function looks at one thing and appends a line, ended by LF, to `said`: a sentence without
 * the file's name. Room for VERDICT_LINE_MAX bytes a line is enough.
 */

enum { VERDICT_LINE_MAX = 512 };

enum verdict {
    VERDICT_VALID,
    VERDICT_INVALID,
    VERDICT_UNKNOWN /* cannot be judged: the record is unfinished, or no key was named */
};

/* Whom to believe; zeroed, nobody. One key alone counts for both. */
struct verdict_keys {
    bool has_record, has_log;
    struct note_key record; /* signs records */
    struct note_key log;    /* signs the log's checkpoints; with it, there has to be a proof */
};

/* What is wrong, and where: `invalid: line 57: illegal-ply: ...`, or `unfinished: ...`. */
void verdict_say_fault(enum replay_verdict verdict, const struct record_fault *fault,
                       struct text *said);

/* Verifies the record of a bundle (replay_verify_listening(), whose arguments these are; `listener`
 * may be NULL), and that nothing else stands behind it than parts of a bundle (bundle_is_formed()):
 * `valid: shinjuku 1.0.0, 312 plies`. */
enum verdict verdict_of_record(const struct bundle *bundle, const struct replay_listener *listener,
                               struct replay *replay, struct record_fault *fault,
                               struct text *said);

/* Of a record that is VALID: a line where no player gave entropy, since then the operator could
 * have chosen the secret (engine/record/RECORD.md, Luck). Nothing where somebody did. */
void verdict_say_luck(const struct replay *replay, struct text *said);

/* Who has signed the record: `signed by club.example/log`. VALID without a line where nobody has,
 * and no key was named. */
enum verdict verdict_of_signature(const struct bundle *bundle, const struct verdict_keys *keys,
                                  struct text *said);

/* Whether it is in the log: `in the log club.example/log of 312 leaves`. VALID without a line where
 * nothing says so, and no key of a log was named. */
enum verdict verdict_of_proof(const struct bundle *bundle, const struct verdict_keys *keys,
                              struct text *said);

/* The players' signatures that came with it. VALID without a line where there are none. */
enum verdict verdict_of_bundled_players(const struct bundle *bundle, struct text *said);

/* Checks the players' signatures of a record that has been found good as far as it goes. */
enum verdict verdict_of_players(struct span record, struct span signatures, struct text *said);

/* The verdict on two things: INVALID if one of them is, VALID if both are. */
enum verdict verdict_both(enum verdict one, enum verdict other);

#endif
