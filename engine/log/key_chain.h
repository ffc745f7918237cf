/* Changes of a log's key: the origin stays, and the old key names its successor.
 *
 *      key 0 ── signs ──> key 1 ── signs ──> key 2           each change is a leaf of the log
 *
 * A change is a signed note (engine/log/note.h) with the signatures of both keys, so that the old
 * one allows it, and the new one accepts it:
 *
 *      tillroll server-key 1
 *      <verification key of the old key>
 *      <verification key of the new key>
 *
 * Its leaf has the SHA-256 of the whole note. The history of a log, as GET /v1/log/key-changes
 * returns it, has for each change its note, an empty line, and the proof (c2sp.org/tlog-proof) that
 * leads from the leaf to a checkpoint; changes are separated by empty lines, the oldest first.
 *
 * A key that was replaced signs no checkpoint that contains the leaf of its change. What it has
 * signed before stays valid.
 */
#ifndef TILLROLL_ENGINE_LOG_KEY_CHAIN_H
#define TILLROLL_ENGINE_LOG_KEY_CHAIN_H

#include "engine/log/trust_policy.h"

#define KEY_CHANGE_FIRST_LINE "tillroll server-key 1"

enum {
    KEY_CHANGE_MAX = 64 + 2 * (NOTE_KEY_TEXT_MAX + NOTE_SIGNATURE_LINE_MAX), /* bytes of a note */
    KEY_CHAIN_MAX = 32                                                       /* keys of a history */
};

struct key_change {
    struct note_key old, new;
    struct tlog_leaf leaf;
    char name[65]; /* of the leaf: the old key in hex */
};

/* Appends the text of the note, without signatures. */
void key_change_print(const struct note_key *old, const struct note_key *new, struct text *text);

/* Reads a note, and checks that both keys have signed it. Otherwise a fault: `bad-key-change`,
 * `unsigned-key-change`, `forged-key-change`. */
bool key_change_read(struct span bytes, struct key_change *change, struct record_fault *fault);

struct key_chain {
    size_t count; /* keys, the oldest first; 0 = none */
    struct note_key key[KEY_CHAIN_MAX];
    uint64_t until[KEY_CHAIN_MAX]; /* leaves of the largest checkpoint that it may sign */
};

/* Begins or continues a chain with a change whose leaf has this index. Otherwise a fault:
 * `skipped-key` if its old key is not the newest of the chain, or the chain is full. */
bool key_chain_add(struct key_chain *chain, const struct key_change *change, uint64_t index,
                   struct record_fault *fault);

/* Reads a history that `pinned`, the key that the reader trusts, belongs to. If `policy` is not
 * NULL, the checkpoints have to meet it. Otherwise a fault: those of key_change_read(),
 * key_chain_add() and trust_policy_is_met(); `skipped-key` also if the pinned key is not in it;
 * `unlogged-key-change` if a proof does not lead to a checkpoint that a later key has signed. */
bool key_chain_read(struct span text, const struct note_key *pinned,
                    const struct trust_policy *policy, struct key_chain *chain,
                    struct record_fault *fault);

/* The newest key of the chain that has signed a note: its index, or -1. */
int key_chain_signer(const struct key_chain *chain, const struct note *note);

#endif
