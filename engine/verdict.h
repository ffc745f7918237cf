/* What `tillroll verify` says of a file, in one place: for the command line and for browsers
 * (engine/wasm/verifier.c).
 *
 * Each function looks at one thing and appends a line, ended by LF, to `said`: a sentence without
 * the file's name. Room for VERDICT_LINE_MAX bytes a line is enough.
 */
#ifndef TILLROLL_ENGINE_VERDICT_H
#define TILLROLL_ENGINE_VERDICT_H

#include "engine/bundle.h"
#include "engine/replay.h"

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

/* Verifies a record (replay_verify_listening(), whose arguments these are; `listener` may be NULL):
 * `valid: shinjuku 1.0.0, 312 plies`. */
enum verdict verdict_of_record(struct span record, const struct replay_listener *listener,
                               struct replay *replay, struct record_fault *fault,
                               struct text *said);

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
