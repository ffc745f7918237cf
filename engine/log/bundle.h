/* A record as it is passed on, with everything needed to check it without trusting anyone:
 *
 *      the record                     .roll
 *                                     an empty line
 *      — <name> <signature>           the server's, over the record: together a signed note
 *                                     an empty line
 *      tillroll signatures 1 ..       its players', if there are any (signature.h)
 *                                     an empty line
 *      c2sp.org/tlog-proof@v1 ..      proof that its head is in the transparency log
 *                                     an empty line
 *      tillroll components 1          if its component set does not come with the program: that
 *      {..}                           follows byte for byte, to the end
 *
 * The record alone, and the record with its signatures alone, are bundles as well.
 */
#ifndef TILLROLL_ENGINE_LOG_BUNDLE_H
#define TILLROLL_ENGINE_LOG_BUNDLE_H

#include "engine/game/component_list.h"
#include "engine/log/key_chain.h"
#include "engine/record/record.h"
#include "engine/record/replay.h"

/* The line before the component set. */
#define BUNDLE_COMPONENTS_LINE "tillroll components 1"

struct bundle {
    struct span record;
    struct span note;       /* the record with its signatures; empty if there are none */
    struct span players;    /* their signatures; empty if there are none */
    struct span proof;      /* empty if there is none */
    struct span components; /* likewise; at NULL if there is none */
};

/* Finds the parts without checking their content. They are parts of `bytes`. */
void bundle_split(struct span bytes, struct bundle *bundle);

/* True if the record is signed with this key; without a key, if any signatures follow it. Otherwise
 * a fault: `no-signature`, `bad-note`, `forged-signature`. */
bool bundle_is_signed(const struct bundle *bundle, const struct note_key *key,
                      struct record_fault *fault);

/* True if the proof leads from the record's leaf to a checkpoint signed by `key`; without a key,
 * its signature is not checked. Otherwise a fault: `no-proof`, `bad-proof`, `bad-checkpoint`,
 * `other-log`, `unsigned-checkpoint`, `forged-checkpoint`, `truncated-proof`, `not-in-log`.
 * `checkpoint` is the one it leads to. */
bool bundle_is_logged(const struct bundle *bundle, const struct note_key *key,
                      struct checkpoint *checkpoint, struct record_fault *fault);

/* The verdicts of `tillroll verify` on a file, shared by the command line and browsers
 * (engine/wasm/verifier.c).
 *
 * Each function checks one thing and appends a line, ended by LF, to `said`: a sentence without the
 * file's name. VERDICT_LINE_MAX bytes per line are enough.
 */

enum { VERDICT_LINE_MAX = 512 };

enum verdict {
    VERDICT_VALID,
    VERDICT_INVALID,
    VERDICT_UNKNOWN /* undecided: the record is unfinished, or no key was given */
};

/* Trusted keys; zeroed, none. A single key counts for both. With a policy, a proof is required, and
 * the policy's logs are those that are trusted; it also decides about witnesses. */
struct verdict_keys {
    const struct trust_policy *policy; /* NULL = none */
    uint64_t not_before_s;             /* older cosignatures do not count; 0 = all do */
    struct span key_changes;           /* the history of the log's key; empty = none */
    const struct key_chain *chain;     /* set by verdict_of_key_changes(); NULL = none */
    bool has_record, has_log;
    struct note_key record; /* signs records */
    struct note_key log;    /* signs the log's checkpoints; if given, a proof is required */
};

/* What is wrong, and where: `invalid: line 57: illegal-ply: ...`, or `unfinished: ...`. */
void verdict_say_fault(enum replay_verdict verdict, const struct record_fault *fault,
                       struct text *said);

/* Takes the component set out of a bundle, if it has one, and adds it to `list`, where
 * verdict_of_record() finds it. VALID without a line if it has none, or its set is the one that its
 * record names. Otherwise a fault: `bad-components`, `other-components`. */
enum verdict verdict_of_components(const struct bundle *bundle, struct component_list *list,
                                   struct record_fault *fault, struct text *said);

/* Verifies the record of a bundle and that only parts of a bundle follow it (bundle_is_formed()):
 * `valid: shinjuku 1.0.0, 312 plies`, or `recorded: ...` for a game with printed components. The
 * arguments are those of replay_verify_listening(); `listener` may be NULL. */
enum verdict verdict_of_record(const struct bundle *bundle, const struct component_sets *sets,
                               const struct replay_listener *listener, struct replay *replay,
                               struct record_fault *fault, struct text *said);

/* For a VALID record: names its co-dealers; adds a line if neither a player gave entropy nor a
 * co-dealer answered, since then the operator could have chosen the secret
 * (engine/record/RECORD.md, Luck), or if luck was told by a scorer. */
void verdict_say_luck(const struct replay *replay, struct text *said);

/* The history of the log's key, if there is one (engine/log/key_chain.h): `club.example/log has
 * replaced its key, ..`, or a fault of key_chain_read(). If it is good, `chain` is put into `keys`:
 * what another key of it has signed counts like what the trusted key has signed. VALID without a
 * line if there is none, or no key of the log is trusted. */
enum verdict verdict_of_key_changes(const struct bundle *bundle, struct verdict_keys *keys,
                                    struct key_chain *chain, struct text *said);

/* The signature of the record: `signed by club.example/log`. VALID without a line if there is none
 * and no key was given. */
enum verdict verdict_of_signature(const struct bundle *bundle, const struct verdict_keys *keys,
                                  struct text *said);

/* The proof that it is in the log: `in the log club.example/log of 312 leaves`. `retired-key`: the
 * checkpoint contains the change of the key that has signed it. VALID without a
 * line if there is none and no log key was given. */
enum verdict verdict_of_proof(const struct bundle *bundle, const struct verdict_keys *keys,
                              struct text *said);

/* The cosignatures of the proof's checkpoint, by the policy: `witnessed by 2 of 3 witnesses: ..`,
 * or a fault of trust_policy_is_met(). VALID without a line if there is no policy or no proof. */
enum verdict verdict_of_witnesses(const struct bundle *bundle, const struct verdict_keys *keys,
                                  struct text *said);

/* The name of the next cosignature of the proof's checkpoint, whoever made it; `rest` is empty at
 * first. Nothing is checked. False after the last. */
bool bundle_next_cosigner(const struct bundle *bundle, struct span *rest, struct span *name);

/* The players' signatures in the bundle. VALID without a line if there are none. */
enum verdict verdict_of_bundled_players(const struct bundle *bundle, struct text *said);

/* Checks the players' signatures of a record that has been found valid so far. */
enum verdict verdict_of_players(struct span record, struct span signatures, struct text *said);

/* The verdict on two things: INVALID if one of them is, VALID if both are. */
enum verdict verdict_both(enum verdict one, enum verdict other);

#endif
